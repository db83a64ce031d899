import type { Moment } from "@/lib/core/domain/clock-time";
import { isSince, parseVersion } from "@/lib/core/domain/harbor-era";
import { findScoringRule, type JobBundle, type JobRecord } from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { KeptAttempts } from "@/lib/core/domain/lost-part";
import { listLostWork } from "@/lib/core/domain/lost-work";
import type { ScoredTrial } from "@/lib/core/domain/trial";
import { readJobEnvironment } from "@/lib/read/schema/environment";
import { mayBringMetrics, readMaxRetries } from "@/lib/read/schema/job-files";

import type { DiscoveredJob } from "../discover/discover";
import { type JobFiles, NO_JOB_FILES, readJobFiles } from "../discover/job-files";
import { folderName, prepareIssue } from "../discover/load-root";
import { SiblingNames } from "../discover/sibling-names";
import { FolderReader } from "../folder-reader";
import { assembleLedger, completeLedger } from "../ledger/assemble-ledger";
import type { MemoryBudget } from "../memory-budget";
import { splitServed } from "../served/split-served";
import type { HeldTrial } from "./held-trial";
import { describeGaps } from "./job-gaps";
import {
  findPlannedTrials,
  findPurpose,
  prepareSourceJobs,
  prepareWantedTasks,
  readAttempts,
} from "./job-plan";
import { computeJobState } from "./job-state";
import { placeTimes } from "./job-times";
import { prepareTrials } from "./place-trials";
import { readKeptAttempts } from "./read-kept-attempts";
import { readEmbeddedTrial, type TrialContext } from "./read-trial";
import { splitByJob, splitLooseTrials } from "./split-jobs";
import type { TrialHolder } from "./trial-holder";
import type { TrialReading } from "./trial-record";

export interface JobDraft<Trial extends ScoredTrial = HeldTrial> extends Omit<JobBundle<Trial>, "job"> {
  readonly job: Omit<JobRecord, "key">;
}

export interface JobContext extends TrialContext {
  readonly budget: MemoryBudget;
  readonly nowMs: number;
  readonly onTrial?: (() => void) | undefined;
}

export function assembleJob(
  context: JobContext,
  discovered: DiscoveredJob,
  readings: readonly TrialReading[],
  holder: TrialHolder,
) {
  const { root, nowMs } = context;
  const { folder, kind } = discovered;
  if (kind === "ledger") return assembleExperiment(context, folder, readings);
  if (kind === "loose") return assembleLoose(context, discovered, readings);
  if (kind === "served") return assembleServed(context, discovered, readings);
  const stated = readJobFiles(root, folder);
  const all = [...readings, ...readEmbedded(context, folder, stated, readings, holder)];
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
  const kept = isKnown ? readKeptAttempts(context, folder) : NO_ATTEMPTS;
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

function assembleServed(context: JobContext, discovered: DiscoveredJob, readings: readonly TrialReading[]) {
  const reader = new FolderReader(context.root, discovered.folder);
  let holdsUntilMs = Infinity;
  const jobs = splitServed(reader, readings);
  const drafts = jobs.map(({ name, files: stated, isRecorded, running, readings, earlier }, index) => {
    const { files, readings: own } = placeTimes(stated, readings);
    const { time, updatedAt, writtenAtMs } = files;
    const trialTimes = own.flatMap(({ record }) => [record.time.startedAt, record.time.finishedAt]);
    const signs = { stated: [time.startedAt, updatedAt, ...trialTimes], writtenAtMs, recorded: running };
    const life = computeJobState({ finishedAt: time.finishedAt, ...signs }, context.nowMs);
    if (isRecorded) holdsUntilMs = Math.min(holdsUntilMs, life.holdsUntilMs);
    const state = isRecorded ? life.state : "unknown";
    const ownFiles = { ...files, state, planned: findPlannedTrials(files) };
    const issues = index === 0 ? reader.issues : [];
    return prepareDraft(context, { ...discovered, name }, ownFiles, own, issues, earlier);
  });
  return { drafts, holdsUntilMs };
}

function findFirstStart(readings: readonly TrialReading[]): Moment | null {
  const starts = readings.flatMap(({ record }) => record.time.startedAt ?? []);
  return starts.reduce<Moment | null>(
    (first, start) => (first === null || start.epochMs < first.epochMs ? start : first),
    null,
  );
}

const NO_ATTEMPTS = { n: 0, costUsd: null, nWithCost: 0 };

type OwnFiles = JobFiles & Pick<JobRecord, "state" | "planned">;

const NO_FILES: OwnFiles = { ...NO_JOB_FILES, state: "unknown", planned: null };

function readEmbedded(
  context: JobContext,
  folder: string,
  files: JobFiles,
  readings: readonly TrialReading[],
  holder: TrialHolder,
): TrialReading[] {
  const names = new Set(readings.map(({ record }) => record.trialName));
  return files.embeddedTrials
    .map((value) => readEmbeddedTrial(context, folder, value))
    .filter((reading) => reading !== null)
    .filter(({ record }) => !names.has(record.trialName))
    .map((reading) => holder.holdReading(reading, context.budget));
}

/** Leaves out folders that repeat a trial of their job; the one with the shortest path counts. */
function leaveOutCopies(readings: readonly TrialReading[]): readonly TrialReading[] {
  const counted = new Map<unknown, TrialReading>();
  for (const reading of readings) {
    const { state, id, trialName, folder } = reading.record;
    const file = state === "finished" ? (id ?? reading.record.details.resultDigest) : null;
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
): JobDraft {
  const { root } = context;
  const readings = leaveOutCopies(all);
  const names = new SiblingNames(readings);
  const harborVersion = files.lock?.harbor?.version?.toString() ?? null;
  const scoringRule = findScoringRule(
    files.recorded,
    readings.map(({ record }) => record),
  );
  const trials = prepareTrials(
    root.label,
    { state: files.state, recorded: files.recorded, harborVersion, scoringRule },
    readings.map((reading) => names.complete(reading)),
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
    plan: names.preparePlan(files.lock),
    planned: files.planned,
    plannedTasks: names.countPlannedTasks(files.lock),
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
