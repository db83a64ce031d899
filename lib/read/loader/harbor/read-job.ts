import type { Moment } from "@/lib/core/domain/clock-time";
import { isSince, parseVersion } from "@/lib/core/domain/harbor-era";
import {
  findScoringRule,
  type JobBundle,
  type JobRecord,
  type JobPurpose,
  listRecordedNames,
  type PlannedTrials,
  type RecordedStats,
} from "@/lib/core/domain/job";
import type { SourceJob, WantedTasks } from "@/lib/core/domain/lineage";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { KeptAttempts } from "@/lib/core/domain/lost-part";
import { listLostWork, sumKnown } from "@/lib/core/domain/lost-work";
import { readJobEnvironment } from "@/lib/read/schema/environment";
import { mayBringMetrics, readMaxRetries, type JobConfigFile } from "@/lib/read/schema/job-files";

import { ATTEMPT_NAME, RETRIES_FOLDER } from "../detail/read-earlier-attempts";
import type { DiscoveredJob } from "../discover/discover";
import { stampSharedFiles, type JobFiles, NO_JOB_FILES, readJobFiles } from "../discover/job-files";
import { prepareIssue, folderName, type LoadRoot, joinFolder } from "../discover/load-root";
import { completeNames, countPlannedTasks, gatherNames, preparePlan } from "../discover/sibling-names";
import { listFolder } from "../file-access";
import { FolderReader } from "../folder-reader";
import { assembleLedger } from "../ledger/assemble-ledger";
import { NO_LEDGER, readLedgerTrial } from "../ledger/read-ledger-trial";
import type { MemoryBudget } from "../memory-budget";
import { splitServed } from "../served/split-served";
import { computeJobState, pickTime, placeTimes } from "./job-clock";
import { describeGaps, prepareTrials, splitByJob, splitLooseTrials } from "./place-trials";
import { prepareUnread, readTrial, readEmbeddedTrial } from "./read-trial";
import { type TrialReading, splitRecordedPath } from "./trial-files";

export interface JobReading {
  readonly discovered: DiscoveredJob;
  readonly drafts: readonly JobDraft[];
  /** In the order of `discovered.trialFolders`. */
  readonly readings: readonly TrialReading[];
  readonly filesStamp: string;
  /** When an unchanged, unfinished job must be scanned again, in milliseconds since 1970-01-01. */
  readonly holdsUntilMs: number;
}

export function readJob(context: JobContext, discovered: DiscoveredJob, onTrial?: () => void): JobReading {
  const reading = readJobByTrial(context, discovered);
  let step = reading.next();
  for (; step.done !== true; step = reading.next()) onTrial?.();
  return step.value;
}

/** Yields after each trial, so that the caller can tell how far it is. */
export function* readJobByTrial(
  context: JobContext,
  discovered: DiscoveredJob,
): Generator<undefined, JobReading> {
  const { root, budget } = context;
  const { folder, kind, trialFolders } = discovered;
  const filesStamp = stampSharedFiles(root, kind, folder);
  const read = kind === "ledger" ? readLedgerTrial : readTrial;
  const readings: TrialReading[] = [];
  for (const trialFolder of trialFolders) {
    const reading = read(root, trialFolder);
    const refusal = budget.take(reading);
    readings.push(refusal === null ? reading : leaveOut(context, reading, refusal));
    yield;
  }
  return { discovered, filesStamp, readings, ...assembleJob(context, discovered, readings) };
}

function leaveOut({ root }: JobContext, reading: TrialReading, refusal: string): TrialReading {
  const { folder, ledger } = reading.record;
  const { record, configured } = prepareUnread(root, folder);
  return {
    ...reading,
    record: { ...record, ledger: ledger && NO_LEDGER },
    configured,
    issues: [prepareIssue(root, "job_too_large", folder, refusal)],
  };
}

export interface JobDraft extends Omit<JobBundle, "job"> {
  readonly job: Omit<JobRecord, "key">;
}

export interface JobContext {
  readonly root: LoadRoot;
  readonly budget: MemoryBudget;
  readonly nowMs: number;
}

function assembleJob(context: JobContext, discovered: DiscoveredJob, readings: readonly TrialReading[]) {
  const { root, nowMs } = context;
  const { folder, kind } = discovered;
  if (kind === "ledger") return assembleLedger(root, nowMs, folder, readings);
  if (kind === "loose") return assembleLoose(context, discovered, readings);
  if (kind === "served") return assembleServed(context, discovered, readings);
  const stated = readJobFiles(root, folder);
  const all = [...readings, ...readEmbedded(root, folder, stated, readings)];
  const { own: ownAsStated, others } = splitByJob(stated.id, stated.recorded, all);
  const { files, readings: own } = placeTimes(stated, ownAsStated);
  const { state, holdsUntilMs } = computeState(files, own, files.recorded, nowMs);
  const isKnown = files.recorded !== null;
  const shared = others.map(({ jobUuid, readings: foreign }) => {
    const detail = `${foreign.length} of the ${all.length} trials belong to job ${jobUuid}, which shares this folder; they are shown as a job of their own.`;
    return prepareIssue(root, "folder_shared", folder, detail);
  });
  const ownFiles: OwnFiles = {
    ...files,
    lostResult: files.lostResult ?? (isKnown ? null : findMissingResult(files, own)),
    state: isKnown ? state : "unknown",
    planned: findPlannedTrials(files),
  };
  // Attempts cannot be attributed if several jobs share the folder.
  const kept = isKnown ? readKeptAttempts(root, folder) : NO_ATTEMPTS;
  const drafts = [
    prepareDraft(context, discovered, ownFiles, own, [...files.issues, ...shared], kept),
    ...others.map(({ jobUuid, readings: foreign }) => {
      const known = { ...NO_FILES, id: jobUuid, config: files.config };
      return prepareDraft(context, discovered, known, placeTimes(NO_FILES, foreign).readings, []);
    }),
  ];
  return { drafts, holdsUntilMs: isKnown ? holdsUntilMs : Infinity };
}

/** Since 0.6.4 Harbor writes a job's result.json whenever a trial starts or ends. */
function findMissingResult({ lock }: JobFiles, readings: readonly TrialReading[]): string | null {
  const begun = parseVersion(lock?.harbor?.version?.toString() ?? null);
  const isLive =
    (begun !== null && isSince(begun, [0, 6, 4])) || readings.some(({ record }) => record.recordedValidity);
  const hasEnded = readings.length > 0 && readings.every(({ record }) => record.state === "finished");
  return isLive && hasEnded ? "result.json is missing, so the figures in it cannot be checked." : null;
}

function assembleLoose(context: JobContext, discovered: DiscoveredJob, readings: readonly TrialReading[]) {
  const jobs = splitLooseTrials(context.root, readings);
  const detail =
    readings.length === 1
      ? "1 trial folder here has no job above it; it is shown as a job."
      : `${readings.length} trial folders here have no job above them; ${
          jobs.length === 1 ? "they are shown as one job" : `according to them, ${jobs.length} jobs ran them`
        }.`;
  const issue = prepareIssue(context.root, "trials_without_job", discovered.folder, detail);
  const drafts = jobs.map(({ name, folder, id, readings }, index) => {
    const own = placeTimes(NO_FILES, readings).readings;
    const issues = index === 0 ? [issue] : [];
    return prepareDraft(context, { ...discovered, folder, name }, { ...NO_FILES, id }, own, issues);
  });
  return { drafts, holdsUntilMs: Infinity };
}

function assembleServed(context: JobContext, discovered: DiscoveredJob, readings: readonly TrialReading[]) {
  const reader = new FolderReader(context.root, discovered.folder);
  let holdsUntilMs = Infinity;
  const jobs = splitServed(reader, readings);
  const drafts = jobs.map(({ name, files: stated, isRecorded, running, readings, earlier }, index) => {
    const { files, readings: own } = placeTimes(stated, readings);
    const life = computeState(files, own, running, context.nowMs);
    if (isRecorded) holdsUntilMs = Math.min(holdsUntilMs, life.holdsUntilMs);
    const state = isRecorded ? life.state : "unknown";
    const ownFiles = { ...files, state, planned: findPlannedTrials(files) };
    const issues = index === 0 ? reader.issues : [];
    return prepareDraft(context, { ...discovered, name }, ownFiles, own, issues, earlier);
  });
  return { drafts, holdsUntilMs };
}

function computeState(
  { time, updatedAt, writtenAtMs }: JobFiles,
  readings: readonly TrialReading[],
  recorded: RecordedStats | null,
  nowMs: number,
) {
  const trialTimes = readings.flatMap(({ record }) => [record.time.startedAt, record.time.finishedAt]);
  const stated = [time.startedAt, updatedAt, ...trialTimes];
  return computeJobState({ finishedAt: time.finishedAt, stated, writtenAtMs, recorded }, nowMs);
}

function findFirstStart(readings: readonly TrialReading[]): Moment | null {
  const starts = readings.flatMap(({ record }) => record.time.startedAt ?? []);
  const first = pickTime(starts, (a, b) => a < b);
  return first && { epochMs: first.epochMs, zoned: first.zoned };
}

const NO_ATTEMPTS = { n: 0, costUsd: null, nWithCost: 0 };

type OwnFiles = JobFiles & Pick<JobRecord, "state" | "planned">;

const NO_FILES: OwnFiles = { ...NO_JOB_FILES, state: "unknown", planned: null };

function readEmbedded(
  root: LoadRoot,
  folder: string,
  files: JobFiles,
  readings: readonly TrialReading[],
): TrialReading[] {
  const names = new Set(readings.map(({ record }) => record.trialName));
  return files.embeddedTrials
    .map((value) => readEmbeddedTrial(root, folder, value))
    .filter((reading) => reading !== null)
    .filter(({ record }) => !names.has(record.trialName));
}

/** Leaves out folders that repeat a trial of their job; the one with the shortest path counts. */
function leaveOutCopies(readings: readonly TrialReading[]): readonly TrialReading[] {
  const counted = new Map<unknown, TrialReading>();
  for (const reading of readings) {
    const { state, id, resultDigest, trialName, folder } = reading.record;
    const file = state === "finished" ? (id ?? resultDigest) : null;
    const identity = file === null ? reading : `${file} ${trialName}`;
    if (folder.length < (counted.get(identity)?.record.folder.length ?? Infinity))
      counted.set(identity, reading);
  }
  if (counted.size === readings.length) return readings;
  const kept = new Set(counted.values());
  return readings.filter((reading) => kept.has(reading));
}

function prepareDraft(
  context: JobContext,
  { folder, kind, name }: Pick<DiscoveredJob, "folder" | "kind"> & { readonly name?: string },
  files: OwnFiles,
  all: readonly TrialReading[],
  jobIssues: readonly LoadIssue[],
  earlier: KeptAttempts = NO_ATTEMPTS,
) {
  const { root } = context;
  const readings = leaveOutCopies(all);
  const names = gatherNames(readings);
  const harborVersion = files.lock?.harbor?.version?.toString() ?? null;
  const scoringRule = findScoringRule(
    files.recorded,
    readings.map(({ record }) => record),
  );
  const trials = prepareTrials(
    root.label,
    { state: files.state, recorded: files.recorded, harborVersion, scoringRule },
    readings.map((reading) => completeNames(names, reading)),
  );
  const stated: Omit<JobDraft["job"], "lostWork"> = {
    name: name ?? folderName(root, folder),
    root: root.index,
    folder,
    kind,
    purpose: findPurpose(readings),
    uuid: files.id,
    state: files.state,
    time: files.time,
    firstTrialStart: findFirstStart(readings),
    updatedAt: files.updatedAt,
    harborVersion,
    scoringRule,
    metricTypes: files.config?.metrics?.map((metric) => metric.type ?? "mean") ?? [],
    mayBringMetrics: files.config === null || mayBringMetrics(files.config),
    maxRetries: files.config === null ? null : readMaxRetries(files.config),
    environment: readJobEnvironment(files.config, files.lock),
    log: files.log,
    rebuilt: files.rebuilt,
    nAttempts: readAttempts(files.config),
    resultBytes: files.resultBytes,
    recorded: files.recorded,
    lostResult: files.lostResult,
    plan: preparePlan(names, files.lock),
    planned: files.planned,
    plannedTasks: countPlannedTasks(names, files.lock),
    sourceJobs: prepareSourceJobs(files.config),
    wanted: prepareWantedTasks(files.config),
  };
  const job = { ...stated, lostWork: kind === "loose" ? [] : listLostWork(stated, trials, earlier) };
  const issues = [
    ...jobIssues,
    ...describeGaps(
      root,
      job,
      trials,
      all.map(({ record }) => record),
    ),
    ...all.flatMap((reading) => reading.issues),
  ];
  return { job, trials, issues, recordedJudgments: [] };
}

/**
 * Returns how many trials a job planned, by lock.json, else result.json, else config.json; null if none states it. In
 * result.json longer lists of names override `n_total_trials`, as in merged files. A config states it if it lists its tasks
 * and has no source job.
 * @see harbor 0.13.1 src/harbor/job.py, `_init_trial_configs`: one trial for each attempt, task and agent
 */
function findPlannedTrials(files: Pick<JobFiles, "config" | "lock" | "recorded">): PlannedTrials | null {
  const nLocked = files.lock?.trials?.length ?? 0;
  if (nLocked > 0) return { count: nLocked, source: "lock" };
  return countRecorded(files.recorded) ?? countConfigured(files.config);
}

function countRecorded(recorded: RecordedStats | null): PlannedTrials | null {
  const nNamed = listRecordedNames(recorded?.groups).size;
  const total = Number(recorded?.nTotalTrials ?? -1n);
  if (nNamed > Math.max(total, 0)) return { count: nNamed, source: "names" };
  return total < 0 ? null : { count: total, source: "total" };
}

function countConfigured(config: JobConfigFile | null): PlannedTrials | null {
  const { tasks, agents, datasets, source_jobs: sources, n_attempts: nAttempts } = config ?? {};
  const isListed = (datasets?.length ?? 0) === 0 && (sources?.length ?? 0) === 0;
  // Without the field, a config runs Harbor's default agent.
  const count = (tasks?.length ?? 0) * (agents?.length ?? 1) * (nAttempts ?? 1);
  return isListed && count > 0 ? { count, source: "config" } : null;
}

function prepareSourceJobs(config: JobConfigFile | null): readonly SourceJob[] {
  return (config?.source_jobs ?? []).map(({ action, job_id: id, path }) => ({
    action,
    id: id ?? null,
    name: splitRecordedPath(path).at(-1) ?? null,
  }));
}

/** Returns what a diff job's config requests; null for other jobs. Harbor defaults to its oracle agent. */
function prepareWantedTasks(config: JobConfigFile | null): WantedTasks | null {
  if (config?.source_jobs?.[0]?.action !== "diff") return null;
  const names = (config.tasks ?? []).flatMap(
    ({ name, path }) => name ?? splitRecordedPath(path).at(-1) ?? [],
  );
  return {
    nPerTask: (config.n_attempts ?? 1) * Math.max(1, config.agents?.length ?? 1),
    names,
    hasDataset: (config.datasets ?? []).length > 0,
  };
}

/** Returns attempts per task; null without a config, and for a regrade, which uses its source's. */
function readAttempts(config: JobFiles["config"]): number | null {
  if (config === null || config.source_jobs?.[0]?.action === "regrade") return null;
  return config.n_attempts ?? 1;
}

/** Task folders made by `harbor analyze` and `harbor check`: `harbor-analyze-x1y2/analyze-<trial>`. */
const WRAPPER = /[/\\]harbor-(analyze|check)-[^/\\]+[/\\](analyze|check)-[^/\\]+$/;

/**
 * Returns `benchmark` unless one Harbor command created every trial's task.
 * @see harbor 0.24.0 src/harbor/analyze/analyzer.py, checker.py
 */
function findPurpose(readings: readonly TrialReading[]): JobPurpose {
  const first = findCommand(readings[0]);
  if (first === null || !readings.every((reading) => findCommand(reading) === first)) return "benchmark";
  return first === "analyze" ? "analysis" : "check";
}

function findCommand(reading: TrialReading | undefined): string | null {
  const [, command, prefix] = WRAPPER.exec(reading?.configured.taskPath ?? "") ?? [];
  return command === prefix ? (command ?? null) : null;
}

const MOST_READ = 1_000;

/** Counts attempts below `_retries` and their cost. Reads the first 1,000 results; beyond that, some costs are unknown. */
function readKeptAttempts(root: LoadRoot, folder: string): KeptAttempts {
  const attempts = listFolders(root, joinFolder(folder, RETRIES_FOLDER)).flatMap((trial) =>
    listFolders(root, trial).filter((attempt) => ATTEMPT_NAME.test(attempt.slice(trial.length + 1))),
  );
  const read = attempts.slice(0, MOST_READ).map((attempt) => {
    // No budget counts these trials, so none of their texts may be kept.
    const { tokens, traceTokens } = readTrial(root, attempt).record;
    return { tokens, traceTokens };
  });
  return { n: attempts.length, ...sumKnown(read) };
}

function listFolders(root: LoadRoot, folder: string): readonly string[] {
  const listing = listFolder(root, folder);
  return "code" in listing ? [] : listing.folders.map((name) => joinFolder(folder, name));
}
