import type { PyValue, ScoringRule } from "@/lib/scoring";

import type { ClockInterval, ClockTime, Moment } from "./clock-time";
import type { PlannedTask, SourceJob, WantedTasks } from "./lineage";
import type { LoadIssue } from "./load-issue";
import type { LostPart } from "./lost-part";
import type { TrialJudgmentsOnFile } from "./judgment";
import type { AgentSetting, ScoredTrial, TrialRecord } from "./trial";

/**
 * `finished`: finished_at is set. `running`: unfinished and recently updated or with running trials.
 * `interrupted`: unfinished and stale. `unknown`: no readable job result.json.
 */
export type JobState = "finished" | "running" | "interrupted" | "unknown";

/**
 * `loose`: trial folders without a job above them. `ledger`: an experiment of an aec-bench ledger, one record file a trial.
 * `served`: a job that `harbor serve` keeps in its data folder.
 */
export type JobKind = "harbor" | "loose" | "ledger" | "served";

/**
 * What the trials of a job are: agents at tasks, or reports that `harbor analyze` or `harbor check` had an agent write, of
 * which a reward of 1 only says that a report is valid.
 */
export type JobPurpose = "benchmark" | "analysis" | "check";

/** What result.json states about one evals group, untouched, so that it can be compared bit for bit. */
export interface RecordedGroup {
  readonly key: string;
  readonly nTrials: bigint | null;
  readonly nErrors: bigint | null;
  /** One entry per configured metric, as written. */
  readonly metrics: readonly PyValue[];
  /** k as text to value; null when the key is absent (older Harbor), empty when Harbor found the group ineligible. */
  readonly passAtK: ReadonlyMap<string, PyValue> | null;
  /** Reward key to value text to trial names, in file order. */
  readonly rewardStats: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> | null;
  /** Exception type to trial names, in file order. */
  readonly exceptionStats: ReadonlyMap<string, readonly string[]> | null;
}

/** Returns every trial name in the reward and exception lists of some recorded groups. */
export function listRecordedNames(groups: readonly RecordedGroup[] = []): Set<string> {
  const lists = groups.flatMap(({ rewardStats, exceptionStats }) => [
    ...[...(rewardStats?.values() ?? [])].flatMap((byValue) => [...byValue.values()]),
    ...(exceptionStats?.values() ?? []),
  ]);
  return new Set(lists.flat());
}

/** Names of the counters of a job's stats, newest spelling. Older spellings are mapped onto these when read. */
export const COUNTER_NAMES = [
  "n_completed_trials",
  "n_errored_trials",
  "n_running_trials",
  "n_pending_trials",
  "n_cancelled_trials",
  "n_retries",
] as const;

export type CounterName = (typeof COUNTER_NAMES)[number];

/** Names of the totals of a job's stats: tokens, and cost in US dollars. Harbor records them since 0.6.0. */
export const TOTAL_NAMES = ["n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd"] as const;

export type TotalName = (typeof TOTAL_NAMES)[number];

/** The stats block of a job's result.json. A counter or total that the file does not state is absent from its map. */
export interface RecordedStats {
  /** Version of the document's schema; null where it states none, as before Harbor 0.26. */
  readonly schemaVersion: bigint | "unreadable" | null;
  readonly nTotalTrials: bigint | null;
  readonly counters: ReadonlyMap<CounterName, bigint>;
  /** Whether counters are spelled `n_trials` and `n_errors`, as Harbor wrote them up to 0.6.1. */
  readonly hasOldSpelling: boolean;
  /** As written; null where no trial reported any. */
  readonly totals: ReadonlyMap<TotalName, PyValue>;
  readonly groups: readonly RecordedGroup[];
}

export const NO_STATS: RecordedStats = {
  schemaVersion: null,
  nTotalTrials: null,
  counters: new Map(),
  hasOldSpelling: false,
  totals: new Map(),
  groups: [],
};

/**
 * Returns the rule that wrote a job's figures. Its result.json decides, whatever version began the job; without one the
 * trials' own decide.
 */
export function findScoringRule(
  recorded: RecordedStats | null,
  trials: readonly Pick<TrialRecord, "recordedValidity">[],
): ScoringRule {
  const isVersioned =
    recorded === null
      ? trials.some(({ recordedValidity }) => recordedValidity !== null)
      : recorded.schemaVersion !== null;
  return isVersioned ? "harbor-0.26" : "harbor-0.25";
}

/** A trial that lock.json planned, in plan order. */
export interface PlannedTrial {
  readonly taskName: string;
  readonly agent: string | null;
  readonly model: string | null;
}

/** What a job's job.log says of events that leave no file behind. */
export interface JobLog {
  /** Attempts that were thrown away and tried again. */
  readonly nRetries: number;
  /** Names of the trials that Harbor tried to cancel. */
  readonly cancelled: ReadonlySet<string>;
}

/** What download_manifest.json says of a job rebuilt from trial archives, counted over each trial's last attempt. */
export interface RebuiltJob {
  readonly nPlanned: number;
  /** Trials that the Hub knows. */
  readonly nRows: number;
  readonly nRunning: number;
  readonly nPending: number;
  readonly nMissing: number;
  readonly nMissingFailed: number;
  readonly nMissingCanceled: number;
}

/**
 * What states how many trials a job was to have: lock.json, `n_total_trials` or longer lists in result.json, or
 * config.json.
 */
export type PlanSource = "lock" | "total" | "names" | "config";

/** How many trials a job was to have, a whole number of at least 0, and what states it. */
export interface PlannedTrials {
  readonly count: number;
  readonly source: PlanSource;
}

/** One job as read from its folder. */
export interface JobRecord {
  /** URL key, unique over all roots. */
  readonly key: string;
  readonly name: string;
  /** Index into the catalog's roots. */
  readonly root: number;
  /** Folder relative to its root, with `/`; empty when the root itself is the job. */
  readonly folder: string;
  readonly kind: JobKind;
  readonly purpose: JobPurpose;
  readonly uuid: string | null;
  readonly state: JobState;
  readonly time: ClockInterval;
  /** Earliest start of its trials; null if none states one. */
  readonly firstTrialStart: Moment | null;
  readonly updatedAt: ClockTime | null;
  readonly harborVersion: string | null;
  /** Which trials are operands of its figures, see {@link findScoringRule}. */
  readonly scoringRule: ScoringRule;
  /** Attempts per task that the config asks for; null when unknown, as for a regrade. */
  readonly nAttempts: number | null;
  /** Types of the metrics that config.json asks for; a type that Harbor does not define is kept as written. */
  readonly metricTypes: readonly string[];
  /** Whether metrics may come from elsewhere than config.json: from a dataset of a registry, or from a regrade's default. */
  readonly mayBringMetrics: boolean;
  /** How often an attempt may be retried; null without a config.json. */
  readonly maxRetries: number | null;
  /** What lock.json and config.json record of where it ran, by name; a fact that they do not record is left out. */
  readonly environment: readonly AgentSetting[];
  /** What job.log says of retries and cancellations; null where it was not needed, is not there, or is too long. */
  readonly log: JobLog | null;
  /** Null unless Harbor rebuilt the folder from trial archives of its Hub. */
  readonly rebuilt: RebuiltJob | null;
  /** Bytes of result.json as read, so that the outcome line is derived from the very same bytes; null when absent. */
  readonly resultBytes: Uint8Array | null;
  readonly recorded: RecordedStats | null;
  /** Why the recorded figures of a job that ended cannot be read; null if they can, or if the job may never have had any. */
  readonly lostResult: string | null;
  /** The plan of lock.json in order; null when there is none. */
  readonly plan: readonly PlannedTrial[] | null;
  /** Null when no file states it. */
  readonly planned: PlannedTrials | null;
  /** The same plan by task, with versions, in plan order; empty without one. */
  readonly plannedTasks: readonly PlannedTask[];
  /** The jobs that it regrades or is the difference to; none for nearly all jobs. */
  readonly sourceJobs: readonly SourceJob[];
  /** Null unless the job is a difference to others. */
  readonly wanted: WantedTasks | null;
  /** See `listLostWork`; none of a ledger or of loose trials. */
  readonly lostWork: readonly LostPart[];
}

/** What the files of a job state that has none of Harbor's. */
export const NOTHING_STATED = {
  firstTrialStart: null,
  harborVersion: null,
  scoringRule: "harbor-0.25",
  nAttempts: null,
  metricTypes: [],
  mayBringMetrics: false,
  maxRetries: null,
  environment: [],
  log: null,
  rebuilt: null,
  resultBytes: null,
  recorded: null,
  lostResult: null,
  plan: null,
  planned: null,
  plannedTasks: [],
  sourceJobs: [],
  wanted: null,
  lostWork: [],
} as const satisfies Partial<JobRecord>;

/** A job with everything below it, in directory order of trial folders. */
export interface JobBundle<Trial extends ScoredTrial = TrialRecord> {
  readonly job: JobRecord;
  readonly trials: readonly Trial[];
  readonly issues: readonly LoadIssue[];
  /** Judgments that stand in files of the opened folders; only ledgers have any. In trial order. */
  readonly recordedJudgments: readonly TrialJudgmentsOnFile[];
}

/** What each source does with the number, so that the number can follow: `result.json counts 89`. */
export const PLAN_SOURCE_WORDS: Readonly<Record<PlanSource, string>> = {
  lock: "lock.json plans",
  total: "result.json counts",
  names: "result.json names",
  config: "config.json asks for",
};

/** Trials that a job was to have and that are not here: 0 when all are here or nothing states how many it was to have. */
export function countAbsentTrials(planned: PlannedTrials | null, nTrials: number): number {
  return Math.max(0, (planned?.count ?? 0) - nTrials);
}

/** Whether every planned trial is known to have begun: only a job that ended begins all, and a listed name began. */
export function haveAllBegun({ source }: PlannedTrials, state: JobState): boolean {
  return state === "finished" || source === "names";
}
