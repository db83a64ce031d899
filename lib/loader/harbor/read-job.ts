import { findHarborEra } from "@/lib/domain/harbor-era";
import type { JobBundle, JobRecord } from "@/lib/domain/job";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { classifyOutcome, type TrialRecord } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";
import { mayBringMetrics, readMaxRetries } from "@/lib/schema/job-files";

import type { DiscoveredJob } from "../discover/discover";
import { type JobFiles, readJobFiles } from "../discover/job-files";
import { describeGaps } from "./job-gaps";
import { findPurpose } from "./job-purpose";
import { computeJobState } from "./job-state";
import { placeTimes } from "./job-times";
import { assembleLedger, completeLedger } from "../ledger/assemble-ledger";
import { NO_LEDGER, readLedgerTrial } from "../ledger/read-ledger-trial";
import { folderName, joinFolder, type LoadRoot, prepareIssue } from "../discover/load-root";
import { splitLooseTrials } from "../discover/loose-trials";
import { findPlannedTrials } from "./planned-trials";
import { readEmbeddedTrial, readTrial, type TrialContext } from "./read-trial";
import { stampSharedFiles } from "../shared-files";
import { prepareSourceJobs, prepareWantedTasks } from "./source-jobs";
import { splitByJob } from "../shared-folder";
import { AttemptCounter } from "./attempt-counter";
import { assignKeys } from "../short-hash";
import type { MemoryBudget } from "../memory-budget";
import { orderRewardFiles } from "./order-reward-files";
import { prepareGroupKeys } from "./group-keys";
import { SiblingNames } from "../discover/sibling-names";
import { stampTrial } from "./trial-probes";
import { describeConfigured, NO_PLACE, prepareBareRecord } from "./trial-record";
import type { TrialReading } from "./trial-reading";

/** A job without the key that only the whole catalog can give it. */
export interface JobDraft extends Omit<JobBundle, "job"> {
  readonly job: Omit<JobRecord, "key">;
}

/** What an earlier reading knows of single trials. */
export interface KnownTrials {
  /** By trial folder. */
  readonly trials: ReadonlyMap<string, TrialReading>;
}

/** Everything read from one job folder, kept so that the next reading costs only what changed. */
export interface JobReading extends KnownTrials {
  readonly discovered: DiscoveredJob;
  /** One, or several where jobs share the folder. */
  readonly drafts: readonly JobDraft[];
  readonly filesStamp: string;
  /** When an unfinished job must be looked at again although nothing was written, milliseconds since 1970-01-01. */
  readonly holdsUntilMs: number;
}

/** What reading a job needs besides its folder. */
export interface JobContext extends TrialContext {
  readonly budget: MemoryBudget;
  readonly nowMs: number;
  readonly onTrial?: (() => void) | undefined;
}

/**
 * Reads a job folder with all its trials; given the previous reading, or its trials, only trials that changed are read
 * again.
 *
 * @returns the previous reading itself when it is whole and nothing changed
 */
export function readJob(
  context: JobContext,
  discovered: DiscoveredJob,
  previous: JobReading | KnownTrials | null,
): JobReading {
  const { root, nowMs } = context;
  const whole = previous !== null && "drafts" in previous ? previous : null;
  const filesStamp = stampSharedFiles(root, discovered.kind, discovered.folder);
  let isChanged = whole === null || !isSameJob(whole, discovered, filesStamp) || nowMs > whole.holdsUntilMs;
  const trials = new Map<string, TrialReading>();
  for (const folder of discovered.trialFolders) {
    const known = recallTrial(root, folder, previous);
    isChanged ||= known === null;
    const reading = known ?? readOne(context, discovered, folder);
    const refusal = context.budget.take(reading);
    trials.set(folder, refusal === null ? reading : leaveOut(context, folder, reading, refusal));
    context.onTrial?.();
  }
  if (whole !== null && !isChanged) return whole;
  return { discovered, filesStamp, trials, ...assembleJob(context, discovered, [...trials.values()]) };
}

function readOne(context: JobContext, { kind }: DiscoveredJob, folder: string): TrialReading {
  return kind === "ledger" ? readLedgerTrial(context, folder) : readTrial(context, folder);
}

/** What is known of a trial; null when it must be read. */
function recallTrial(root: LoadRoot, folder: string, previous: KnownTrials | null): TrialReading | null {
  const known = previous?.trials.get(folder);
  // One that was left out for what other trials held, which may be less by now, is not known.
  if (known === undefined || known.issues[0]?.code === "job_too_large") return null;
  return stampTrial(root, folder, known.probes) === known.stamp ? known : null;
}

/** A trial that was read and cannot be held: nothing but its name, to be read again when its files change. */
function leaveOut(
  { root, pool }: JobContext,
  folder: string,
  { record, probes, stamp }: TrialReading,
  refusal: string,
): TrialReading {
  const place = { ...NO_PLACE, folder };
  const bare = prepareBareRecord(pool, place, null, "unreadable", folderName(root, folder));
  return {
    record: { ...bare, ledger: record.ledger && NO_LEDGER },
    configured: describeConfigured(null),
    issues: [prepareIssue(root, "job_too_large", folder, refusal)],
    probes,
    stamp,
  };
}

function isSameJob(known: JobReading, b: DiscoveredJob, filesStamp: string): boolean {
  const a = known.discovered;
  if (known.filesStamp !== filesStamp || a.kind !== b.kind || a.trialFolders.length !== b.trialFolders.length)
    return false;
  return a.trialFolders.every((folder, index) => folder === b.trialFolders[index]);
}

function assembleJob(context: JobContext, discovered: DiscoveredJob, readings: readonly TrialReading[]) {
  const { root, nowMs } = context;
  const { folder, kind } = discovered;
  if (kind === "ledger") return assembleExperiment(context, folder, readings);
  if (kind === "loose") return assembleLoose(context, discovered, readings);
  const stated = readJobFiles(root, folder);
  const all = [...readings, ...readEmbedded(context, folder, stated, readings)];
  const { own: ownAsStated, others } = splitByJob(stated.id, stated.recorded, all);
  const { files, readings: own } = placeTimes(stated, ownAsStated);
  const trialTimes = own.flatMap(({ record }) => [record.time.startedAt, record.time.finishedAt]);
  const { state, holdsUntilMs } = computeJobState(
    {
      finishedAt: files.time.finishedAt,
      stated: [files.time.startedAt, files.updatedAt, ...trialTimes],
      writtenAtMs: files.writtenAtMs,
      recorded: files.recorded,
    },
    nowMs,
  );
  const isKnown = files.recorded !== null;
  const shared = others.map(({ jobId, readings: foreign }) => {
    const detail = `${foreign.length} of the ${all.length} trials belong to job ${jobId}, which shares this folder; they are shown as a job of their own.`;
    return prepareIssue(root, "folder_shared", folder, detail);
  });
  const ownFiles: OwnFiles = {
    ...files,
    state: isKnown ? state : "unknown",
    planned: findPlannedTrials(files),
  };
  const drafts = [prepareDraft(context, discovered, ownFiles, own, [...files.issues, ...shared])];
  for (const { jobId, readings: foreign } of others) {
    drafts.push(
      prepareDraft(
        context,
        discovered,
        { ...NO_FILES, id: jobId, config: files.config },
        placeTimes(NO_FILES, foreign).readings,
        [],
      ),
    );
  }
  return { drafts, holdsUntilMs: isKnown ? holdsUntilMs : Infinity };
}

/** Trials without a job above them, a job for each that ran them. */
function assembleLoose(context: JobContext, discovered: DiscoveredJob, readings: readonly TrialReading[]) {
  const jobs = splitLooseTrials(context.root, readings);
  const detail =
    readings.length === 1
      ? "1 trial folder here has no job above it; it is shown as a job."
      : `${readings.length} trial folders here have no job above them; ${
          jobs.length === 1
            ? "they are shown as one job"
            : `by what they say of it, ${jobs.length} jobs ran them`
        }.`;
  const issue = prepareIssue(context.root, "trials_without_job", discovered.folder, detail);
  const drafts = jobs.map(({ name, folder, id, readings: own }, index) =>
    prepareDraft(
      context,
      { ...discovered, folder, name },
      { ...NO_FILES, id },
      placeTimes(NO_FILES, own).readings,
      index === 0 ? [issue] : [],
    ),
  );
  return { drafts, holdsUntilMs: Infinity };
}

function assembleExperiment(context: JobContext, folder: string, readings: readonly TrialReading[]) {
  const { root } = context;
  const { job, records, issues, holdsUntilMs } = assembleLedger(context, folder, readings);
  const trials = prepareTrials(root.label, job, records);
  const completed = completeLedger(root, folder, trials);
  const draft: JobDraft = {
    job,
    trials,
    issues: [...issues, ...completed.issues, ...readings.flatMap((reading) => reading.issues)],
    recordedJudgments: completed.recordedJudgments,
  };
  return { drafts: [draft], holdsUntilMs };
}

type OwnFiles = JobFiles & Pick<JobRecord, "state" | "planned">;

const NO_FILES: OwnFiles = {
  id: null,
  time: { startedAt: null, finishedAt: null },
  updatedAt: null,
  resultBytes: null,
  recorded: null,
  embeddedTrials: [],
  writtenAtMs: 0,
  config: null,
  lock: null,
  log: null,
  rebuilt: null,
  issues: [],
  state: "unknown",
  planned: null,
};

function readEmbedded(
  context: JobContext,
  folder: string,
  files: JobFiles,
  readings: readonly TrialReading[],
): TrialReading[] {
  const names = new Set(readings.map(({ record }) => record.trialName));
  const file = joinFolder(folder, "result.json");
  return files.embeddedTrials
    .map((value) => readEmbeddedTrial(context, file, value))
    .filter((reading) => reading !== null)
    .filter(({ record }) => !names.has(record.trialName));
}

function prepareDraft(
  { root }: JobContext,
  { folder, kind, name }: Pick<DiscoveredJob, "folder" | "kind"> & { readonly name?: string },
  files: OwnFiles,
  readings: readonly TrialReading[],
  jobIssues: readonly LoadIssue[],
): JobDraft {
  const names = new SiblingNames(readings);
  const harborVersion = files.lock?.harbor?.version?.toString() ?? null;
  const trials = prepareTrials(
    root.label,
    { state: files.state, recorded: files.recorded, harborVersion },
    readings.map((reading) => names.complete(reading)),
  );
  const job: JobDraft["job"] = {
    name: name ?? folderName(root, folder),
    root: root.index,
    folder,
    kind,
    purpose: findPurpose(readings),
    id: files.id,
    state: files.state,
    time: files.time,
    updatedAt: files.updatedAt,
    harborVersion,
    metricTypes: files.config?.metrics?.map((metric) => metric.type ?? "mean") ?? [],
    mayBringMetrics: files.config === null || mayBringMetrics(files.config),
    maxRetries: files.config === null ? null : readMaxRetries(files.config),
    log: files.log,
    rebuilt: files.rebuilt,
    nAttempts: readAttempts(files.config),
    resultBytes: files.resultBytes,
    recorded: files.recorded,
    plan: names.preparePlan(files.lock),
    planned: files.planned,
    plannedTasks: names.countPlannedTasks(files.lock),
    sourceJobs: prepareSourceJobs(files.config),
    wanted: prepareWantedTasks(files.config),
  };
  const issues = [
    ...jobIssues,
    ...describeGaps(root, job, trials),
    ...readings.flatMap((reading) => reading.issues),
  ];
  return { job, trials, issues, recordedJudgments: [] };
}

/** A regrade has its source's attempts, which its config does not state. */
function readAttempts(config: JobFiles["config"]): number | null {
  if (config === null || config.source_jobs?.[0]?.action === "regrade") return null;
  return config.n_attempts ?? 1;
}

function prepareTrials(
  label: string,
  job: Pick<JobRecord, "state" | "recorded" | "harborVersion">,
  readRecords: readonly TrialReading["record"][],
): TrialRecord[] {
  const era = findHarborEra(job.harborVersion, job.recorded);
  const chooseKey = prepareGroupKeys(era, job.recorded);
  const records = readRecords.map((record) => ({
    ...orderRewardFiles(record, era.firstRewardFile),
    steps: record.steps?.map((step) => orderRewardFiles(step, era.firstRewardFile)) ?? null,
    groupKey: chooseKey(record),
  }));
  const keys = assignKeys(
    records.map((record) => ({ name: record.trialName, origin: [label, record.folder, record.id ?? ""] })),
  );
  const attempts = new AttemptCounter(records);
  return records.map((record, index) => {
    const state = record.state === "missing" && job.state === "running" ? "running" : record.state;
    const attempt = attempts.take(record);
    const exceptionType = selectFailure(record)?.exception.type ?? null;
    const outcome = classifyOutcome({ state, rewards: record.rewards, exceptionType });
    return { ...record, key: keys[index] ?? record.trialName, attempt, state, outcome };
  });
}
