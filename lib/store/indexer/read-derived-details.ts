import { hash } from "node:crypto";
import { join } from "node:path";

import type { DimensionShare, TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { RubricFit } from "@/lib/core/domain/rubric";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/core/domain/text-bounder";
import { type Trial, selectHeadlineReward } from "@/lib/core/domain/trial";
import { classifyStepCause, selectFailure } from "@/lib/core/domain/trial-failure";
import { type UncomparedReason, isZero, mayHideCrash } from "@/lib/core/domain/verifier-check";
import { fitRubric } from "@/lib/core/evaluation";
import { type PyNumber, type RewardDict, pythonRepr } from "@/lib/core/scoring";
import { computeCorrelations, computeDimensionSummary } from "@/lib/core/stats";
import { readBoundDetails } from "@/lib/read/catalog";
import { type LoadRoot, NO_DERIVED_DETAILS, prepareIssue } from "@/lib/read/loader";
import { readJobReport } from "@/lib/read/loader/detail";
import { toColumnText } from "@/lib/store/database";
import {
  type DerivedDetailCounts,
  type DimensionCell,
  type IndexStore,
  type JobRow,
  MOST_CORRELATED,
  type PendingJob,
  type PlacedTrial,
  type StoredCorrelations,
  type StoredReport,
  addDerivedDetails,
  clearDerivedDetails,
  encodeValue,
  finishDerivedDetails,
} from "@/lib/store/tables";

import { prepareIssueRows } from "./issue-rows";
import { readInBatches } from "./progress";

export interface DerivedDetailsTask {
  readonly root: LoadRoot;
  readonly job: PendingJob;
}

const TRIALS_A_WRITE = 500;

/**
 * Reads derived details from a job's trial files and writes them in batches.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 */
export async function readJobDerivedDetails(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  if (!(await clearDerivedDetails(store, job))) return false;
  const rollup = new DerivedDetailsRollup();
  const suspicions = new SuspicionRollup();
  const issues: JobRow<"issues">[] = [];
  const isRead = await readInBatches(store, job, TRIALS_A_WRITE, onTrials, async (trials, onTrial) => {
    const trialDimensions: JobRow<"trialDimensions">[] = [];
    const trialTags: JobRow<"trialTags">[] = [];
    const trialTests: JobRow<"trialTests">[] = [];
    const trialChecks: JobRow<"trialChecks">[] = [];
    for (const placed of trials) {
      onTrial();
      const { trial, position } = placed;
      // A trial known only from the job's plan or statistics has no folder.
      if (trial.folder === "") {
        rollup.add(placed, NO_DERIVED_DETAILS, "no_dimensions");
        continue;
      }
      const { derivedDetails, issues: said } = await readBoundDetails(root, trial);
      const fit = checkRubric(trial, derivedDetails);
      rollup.add(placed, derivedDetails, fit);
      append(
        issues,
        prepareIssueRows(said, { root, folder: "", trials: [trial], origin: "derived-details" }),
      );
      const { dimensions, tests } = derivedDetails;
      for (const [ordinal, [name, stated]] of [...dimensions].entries())
        trialDimensions.push({ position, ordinal, name, ...stated });
      append(trialTags, listTags(derivedDetails, position));
      suspicions.add(placed, derivedDetails);
      append(trialChecks, prepareCheck(placed, derivedDetails, fit));
      if (tests !== null) trialTests.push({ ...tests, position, failed: encodeValue(tests.failed) });
    }
    const rows = { trialDimensions, trialTags, trialTests, trialChecks };
    const isEmpty = Object.values(rows).every(({ length }) => length === 0);
    return isEmpty ? null : () => addDerivedDetails(store, job, rows);
  });
  if (!isRead) return false;
  const reports = await readJobReports(root, job);
  const { folder } = job;
  append(issues, prepareIssueRows(reports.issues, { root, folder, trials: [], origin: "derived-details" }));
  return finishDerivedDetails(store, job, {
    ...rollup.close(),
    suspicions: suspicions.close(),
    reports: reports.rows,
    issues: issues.map((issue, position) => ({ ...issue, position })),
  });
}

function listTags({ errorTags }: TrialDerivedDetails, position: number): JobRow<"trialTags">[] {
  const seen = new Set<string>();
  return errorTags.flatMap(({ category, source }) => {
    const name = `${toColumnText(category)}\n${source}`;
    if (seen.has(name)) return [];
    seen.add(name);
    return { position, ordinal: seen.size - 1, category, source };
  });
}

export async function failJobDerivedDetails(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  issue: LoadIssue,
): Promise<void> {
  if (!(await clearDerivedDetails(store, job))) return;
  await finishDerivedDetails(store, job, {
    ...new DerivedDetailsRollup().close(),
    suspicions: [],
    reports: [],
    issues: prepareIssueRows([issue], { root, folder: job.folder, trials: [], origin: "derived-details" }),
  });
}

/** One at a time: a file may name more dimensions than a call accepts as arguments. */
function append<T>(list: T[], added: readonly T[]): void {
  for (const one of added) list.push(one);
}

type TagTally = Omit<JobRow<"tags">, "position">;

class DerivedDetailsRollup {
  private readonly dimensions = new DimensionRollup();
  private readonly tags = new Map<string, TagTally>();

  add(placed: PlacedTrial, { dimensions, errorTags }: TrialDerivedDetails, fit: RubricFit): void {
    this.dimensions.add(placed, dimensions, fit);
    if (errorTags.length === 0) return;
    const isFinished = placed.trial.state === "finished";
    // A trial counts once per tag.
    const tags = errorTags.flatMap(({ category, source }) => {
      const text = toColumnText(category);
      return [
        { category: text, source },
        { category: text, source: null },
      ];
    });
    const { groupKey } = placed;
    const named = [{ category: null, source: null }, ...tags].map((tag) => ({ groupKey, ...tag }));
    for (const [key, tag] of new Map(named.map((one) => [JSON.stringify(one), one]))) {
      const tally = getOrMake(this.tags, key, () => ({ ...tag, nTrials: 0, nFinished: 0 }));
      tally.nTrials++;
      if (isFinished) tally.nFinished++;
    }
  }

  close(): Pick<DerivedDetailCounts, "families" | "dimensions" | "tags"> {
    return {
      ...this.dimensions.close(),
      tags: [...this.tags.values()].map((tally, position) => ({ position, ...tally })),
    };
  }
}

type GroupValues = Map<string, Map<string, number[]>>;

interface Family {
  /** Shares by dimension, of finished trials only, as everywhere below. */
  readonly shares: Map<string, GroupValues>;
  readonly nFinished: Map<string, Map<string, number>>;
  readonly fits: Map<RubricFit, number>;
  /** Shares of the first dimensions per trial with a breakdown, for correlations. */
  readonly rows: { readonly groupKey: string; readonly shares: readonly (number | null)[] }[];
}

/** Above this number of groups, correlations cover all groups together only. */
const MOST_GROUPS = 8;

class DimensionRollup {
  private readonly families = new Map<string, Family>();

  add(
    { groupKey, trial }: PlacedTrial,
    dimensions: ReadonlyMap<string, DimensionShare>,
    fit: RubricFit,
  ): void {
    const family = getOrMake(this.families, findTaskFamily(trial.taskName), makeFamily);
    for (const name of dimensions.keys()) openMap(family.shares, name);
    if (trial.state !== "finished") return;
    family.fits.set(fit, (family.fits.get(fit) ?? 0) + 1);
    const tasks = openMap(family.nFinished, groupKey);
    tasks.set(trial.taskName, (tasks.get(trial.taskName) ?? 0) + 1);
    for (const [name, { share }] of dimensions) {
      if (share === null) continue;
      const byTask = openMap(openMap(family.shares, name), groupKey);
      getOrMake(byTask, trial.taskName, () => []).push(share);
    }
    if (dimensions.size === 0) return;
    const shares: (number | null)[] = [];
    for (const name of family.shares.keys()) {
      if (shares.length === MOST_CORRELATED) break;
      shares.push(dimensions.get(name)?.share ?? null);
    }
    family.rows.push({ groupKey, shares });
  }

  close() {
    const stated = [...this.families].filter(([, { shares }]) => shares.size > 0);
    const named = stated.flatMap(([family, { shares, nFinished }]) =>
      Array.from(shares, ([name, groups]) => ({
        family,
        name,
        cells: encodeValue(computeCells(groups, nFinished)),
      })),
    );
    return {
      families: stated.map(([name, family], position) => ({
        position,
        family: name,
        ...describeFamily(family),
      })),
      dimensions: named.map((row, position) => ({ position, ...row })),
    };
  }
}

function makeFamily(): Family {
  return { shares: new Map(), nFinished: new Map(), fits: new Map(), rows: [] };
}

function describeFamily(family: Family) {
  const { nFinished } = family;
  const tasks = new Set([...nFinished.values()].flatMap((byTask) => [...byTask.keys()]));
  const nTrials = new Map(Array.from(nFinished, ([groupKey, byTask]) => [groupKey, sum(byTask)]));
  return {
    nTasks: tasks.size,
    nTrials: sum(nTrials),
    groups: encodeValue(nTrials),
    fits: encodeValue(family.fits),
    correlations: encodeValue(correlate(family)),
  };
}

/** Correlations over all groups, under the empty key, and of each group if there are several. */
function correlate({ shares, rows }: Family): Map<string, StoredCorrelations> {
  const nColumns = Math.min(shares.size, MOST_CORRELATED);
  const byGroup = Map.groupBy(rows, ({ groupKey }) => groupKey);
  const parts = [["", rows] as const, ...(byGroup.size > 1 && byGroup.size <= MOST_GROUPS ? byGroup : [])];
  return new Map(
    parts.map(([key, part]) => {
      const columns = Array.from({ length: nColumns }, (_, at) => part.map((row) => row.shares[at] ?? null));
      const { pairs } = computeCorrelations(columns);
      return [key, { r: pairs.map((pair) => pair.reason ?? pair.r), n: pairs.map(({ n }) => n) }];
    }),
  );
}

function computeCells(groups: GroupValues, nFinished: ReadonlyMap<string, ReadonlyMap<string, number>>) {
  const cells = new Map<string, DimensionCell>();
  for (const [groupKey, byTask] of groups) {
    const tasks = Array.from(nFinished.get(groupKey) ?? [], ([task, nTrials]) => {
      const shares = byTask.get(task) ?? [];
      return { task, values: [...shares, ...new Array<null>(nTrials - shares.length).fill(null)] };
    });
    const summary = computeDimensionSummary(tasks);
    if (summary.kind === "unavailable") continue;
    const { interval, counts, ends } = summary;
    const { mean, bounds, n, nMissing } = interval;
    cells.set(groupKey, {
      mean,
      bounds: bounds.kind === "computed" ? bounds : null,
      n,
      nMissing,
      counts,
      ends,
    });
  }
  return cells;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, n) => total + n, 0);
}

function openMap<K, A, B>(maps: Map<K, Map<A, B>>, key: K): Map<A, B> {
  return getOrMake(maps, key, () => new Map<A, B>());
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Bytes of one report; a trial page shows several. */
const MAX_BYTES = 200_000;

/**
 * Reads a job's reports about trials or tasks, cut to page size, and why one could not be read. Empty for a job that writes none.
 */
async function readJobReports(root: LoadRoot, { folder, purpose }: Pick<PendingJob, "folder" | "purpose">) {
  if (purpose === "benchmark") return { rows: [], issues: [] };
  const { file, value, issues } = await readJobReport(join(root.path, folder), purpose);
  const rows = value.map(({ subject, error, analysis }, position) => {
    const whole = { error, analysis };
    const shown = new TextBounder(MAX_TRIAL_ITEMS, MAX_BYTES).bound(whole);
    const stored = { ...shown.analysis, nChecks: shown.analysis.checks.length };
    const content: StoredReport = { error: shown.error, analysis: stored, file, isCut: shown !== whole };
    return { position, subject: new TextBounder(1).bound(subject), content: encodeValue(content) };
  });
  const placed = issues.map(({ code, detail }) => prepareIssue(root, code, join(folder, file), detail));
  return { rows, issues: placed };
}

type CheckedTrial = Pick<Trial, "taskName" | "taskDigest" | "state" | "rewards" | "exception" | "steps">;
type Placed = Pick<PlacedTrial, "position"> & { readonly trial: CheckedTrial };

/**
 * Prepares what compares a trial with others of the same task and output; empty if its files hold nothing relevant, so that most
 * trials cost nothing.
 */
function prepareCheck(
  { trial, position }: Placed,
  { hasDetails, output }: TrialDerivedDetails,
  fit: RubricFit,
): JobRow<"trialChecks">[] {
  if (!hasDetails && output.kind === "unknown" && output.reason === "none") return [];
  const uncompared = tellUncompared(trial, output);
  const { digest, path } = output.kind === "known" ? output : UNKNOWN;
  const isCompared = uncompared === null;
  return [
    {
      position,
      hasDetails: hasDetails ? 1 : 0,
      outputDigest: digest,
      outputPath: path,
      uncompared,
      compareKey: isCompared ? hash("sha256", `${trial.taskDigest ?? ""}\n${digest ?? ""}`) : null,
      rewardsKey: isCompared ? hash("sha256", writeRewards(trial.rewards ?? NO_REWARDS)) : null,
      rubricFit: fit === "no_dimensions" ? null : fit,
    },
  ];
}

function checkRubric({ rewards }: Pick<Trial, "rewards">, { dimensions }: TrialDerivedDetails) {
  const reward = selectHeadlineReward(rewards)?.value ?? null;
  const stated = Array.from(dimensions, ([name, said]) => ({ name, ...said }));
  return fitRubric(reward === null ? null : Number(reward), stated);
}

const UNKNOWN = { digest: null, path: null };
const NO_REWARDS: RewardDict = new Map();

function tellUncompared(trial: CheckedTrial, output: TrialDerivedDetails["output"]): UncomparedReason | null {
  if (output.kind === "unknown") return output.reason === "none" ? "no_output" : `output_${output.reason}`;
  if (trial.taskDigest === null) return "task_unknown";
  const causes = [selectFailure(trial)?.cause, ...(trial.steps ?? []).map(classifyStepCause)];
  if (causes.includes("verifier")) return "verifier_failed";
  return trial.rewards === null || trial.rewards.size === 0 ? "no_reward" : null;
}

/** Gives equal texts for values that Python considers equal, such as `1`, `1.0` and `True`; NaNs are equal here. */
function writeRewards(rewards: RewardDict): string {
  const rows = [...rewards].map(([key, value]) => `${JSON.stringify(key)} ${writeNumber(value)}`);
  return rows.sort().join("\n");
}

function writeNumber(value: PyNumber): string {
  if (typeof value === "number" && !Number.isInteger(value)) return pythonRepr(value);
  return BigInt(value).toString();
}

class SuspicionRollup {
  private readonly tasksWithDetails = new Set<string>();
  private readonly suspects: (JobRow<"suspicions"> & { readonly task: string })[] = [];

  add({ trial, position }: Placed, { hasDetails, crash, explainsZero }: TrialDerivedDetails): void {
    if (hasDetails) this.tasksWithDetails.add(trial.taskName);
    if (!mayHideCrash(trial)) return;
    const lacksDetails = !hasDetails && !explainsZero && isZero(trial.rewards);
    if (crash === null && !lacksDetails) return;
    this.suspects.push({
      task: trial.taskName,
      position,
      log: crash?.file ?? null,
      logLine: crash?.line ?? null,
      lacksDetails: lacksDetails ? 1 : 0,
    });
  }

  close(): readonly JobRow<"suspicions">[] {
    return this.suspects.flatMap(({ task, ...row }) => {
      const lacksDetails = row.lacksDetails === 1 && this.tasksWithDetails.has(task);
      return lacksDetails || row.log !== null ? [{ ...row, lacksDetails: lacksDetails ? 1 : 0 }] : [];
    });
  }
}
