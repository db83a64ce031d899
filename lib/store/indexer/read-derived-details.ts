import { join } from "node:path";

import type { TrialDerivedDetails, DimensionShare } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { RubricFit } from "@/lib/core/domain/rubric";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/core/domain/text-bounder";
import { computeCorrelations, computeDimensionSummary } from "@/lib/core/stats";
import { readBoundDetails } from "@/lib/read/catalog";
import { type LoadRoot, NO_DERIVED_DETAILS, prepareIssue } from "@/lib/read/loader";
import { readJobReport } from "@/lib/read/loader/detail";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent } from "@/lib/read/processes/serve";
import { toColumnText } from "@/lib/store/database";
import {
  addDerivedDetails,
  clearDerivedDetails,
  encodeValue,
  finishDerivedDetails,
  type IndexStore,
  type JobRow,
  type PendingJob,
  readTrialBatches,
  type DerivedDetailCounts,
  type DimensionCell,
  MOST_CORRELATED,
  type PlacedTrial,
  type StoredCorrelations,
  type StoredReport,
} from "@/lib/store/tables";

import { prepareIssueRows } from "./issue-rows";
import { ProgressReport } from "./progress-report";
import { checkRubric, prepareCheck, SuspicionRollup } from "./trial-checks";

export interface DerivedDetailsTask {
  readonly root: LoadRoot;
  readonly job: PendingJob;
}

const TRIALS_A_WRITE = 500;

/**
 * Reads derived details from a job's trial files and writes them in batches.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobDerivedDetails(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  if (!(await clearDerivedDetails(store, job))) return false;
  const report = new ProgressReport(onTrials);
  const rollup = new DerivedDetailsRollup();
  const suspicions = new SuspicionRollup();
  const issues: JobRow<"issues">[] = [];
  for await (const trials of readTrialBatches(store, job.id, TRIALS_A_WRITE)) {
    const dimensions: JobRow<"trialDimensions">[] = [];
    const tags: JobRow<"trialTags">[] = [];
    const checks: JobRow<"trialChecks">[] = [];
    const tests: JobRow<"trialTests">[] = [];
    for (const placed of trials) {
      report.add();
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
      append(dimensions, listDimensions(derivedDetails, position));
      append(tags, listTags(derivedDetails, position));
      suspicions.add(placed, derivedDetails);
      const check = prepareCheck(placed, derivedDetails, fit);
      if (check !== null) checks.push(check);
      append(tests, listTests(derivedDetails, position));
    }
    leaveTrial();
    await hearOfParent();
    const rows = { trialDimensions: dimensions, trialTags: tags, trialTests: tests, trialChecks: checks };
    const isWritten =
      Object.values(rows).every(({ length }) => length === 0) || (await addDerivedDetails(store, job, rows));
    if (!isWritten) return false;
    report.tell();
  }
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

function listDimensions({ dimensions }: TrialDerivedDetails, position: number): JobRow<"trialDimensions">[] {
  return [...dimensions].map(([name, said], ordinal) => ({ position, ordinal, name, ...said }));
}

function listTests({ tests }: TrialDerivedDetails, position: number): JobRow<"trialTests">[] {
  return tests === null ? [] : [{ ...tests, position, failed: encodeValue(tests.failed) }];
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

/** Marks a job without derived details, with an issue. @throws StoreError when the store cannot be written */
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

type Trial = Pick<PlacedTrial, "groupKey"> & {
  readonly trial: Pick<PlacedTrial["trial"], "taskName" | "state">;
};

type TagTally = Omit<JobRow<"tags">, "position">;

class DerivedDetailsRollup {
  private readonly dimensions = new DimensionRollup();
  private readonly tags = new Map<string, TagTally>();

  add(placed: Trial, { dimensions, errorTags }: TrialDerivedDetails, fit: RubricFit): void {
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
      const tally = this.tags.get(key) ?? { ...tag, nTrials: 0, nFinished: 0 };
      this.tags.set(key, tally);
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

  add({ groupKey, trial }: Trial, dimensions: ReadonlyMap<string, DimensionShare>, fit: RubricFit): void {
    const family = this.open(findTaskFamily(trial.taskName));
    for (const name of dimensions.keys()) openMap(family.shares, name);
    if (trial.state !== "finished") return;
    family.fits.set(fit, (family.fits.get(fit) ?? 0) + 1);
    const tasks = openMap(family.nFinished, groupKey);
    tasks.set(trial.taskName, (tasks.get(trial.taskName) ?? 0) + 1);
    for (const [name, { share }] of dimensions) {
      if (share === null) continue;
      const byTask = openMap(openMap(family.shares, name), groupKey);
      const values = byTask.get(trial.taskName);
      if (values === undefined) byTask.set(trial.taskName, [share]);
      else values.push(share);
    }
    if (dimensions.size > 0) family.rows.push({ groupKey, shares: pickFirst(family, dimensions) });
  }

  close(): {
    readonly families: readonly JobRow<"families">[];
    readonly dimensions: readonly JobRow<"dimensions">[];
  } {
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

  private open(name: string): Family {
    const known = this.families.get(name);
    if (known !== undefined) return known;
    const family: Family = { shares: new Map(), nFinished: new Map(), fits: new Map(), rows: [] };
    this.families.set(name, family);
    return family;
  }
}

function pickFirst({ shares }: Family, dimensions: ReadonlyMap<string, DimensionShare>): (number | null)[] {
  const first: (number | null)[] = [];
  for (const name of shares.keys()) {
    if (first.length === MOST_CORRELATED) break;
    first.push(dimensions.get(name)?.share ?? null);
  }
  return first;
}

function describeFamily(family: Family) {
  const { nFinished } = family;
  const tasks = new Set([...nFinished.values()].flatMap((byTask) => [...byTask.keys()]));
  const nTrials = new Map(Array.from(nFinished, ([groupKey, byTask]) => [groupKey, sum(byTask.values())]));
  return {
    nTasks: tasks.size,
    nTrials: sum(nTrials.values()),
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

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function openMap<K, A, B>(maps: Map<K, Map<A, B>>, key: K): Map<A, B> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<A, B>();
  maps.set(key, made);
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
