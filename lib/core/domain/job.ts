import type { PyValue, ScoringRule } from "@/lib/core/scoring";

import type { ClockInterval, ClockTime, Moment } from "./clock-time";
import type { TrialJudgmentsOnFile } from "./judgment";
import type { PlannedTask, SourceJob, WantedTasks } from "./lineage";
import type { LoadIssue } from "./load-issue";
import type { LostPart } from "./lost-part";
import type { AgentSetting, Trial } from "./trial";

/**
 * `finished`: finished_at is set. `running`: unfinished and recently updated or with running trials.
 * `interrupted`: unfinished and stale. `unknown`: no readable job result.json.
 */
export type JobState = "finished" | "running" | "interrupted" | "unknown";

/**
 * `loose`: trial folders without a job. `ledger`: an experiment of an aec-bench ledger, one record file per trial. `served`: a job
 * that `harbor serve` keeps in its data folder.
 */
export type JobKind = "harbor" | "loose" | "ledger" | "served";

/** `analysis`, `check`: reports of `harbor analyze` or `harbor check`; a reward of 1 only means that a report is valid. */
export type JobPurpose = "benchmark" | "analysis" | "check";

/** One evals group of result.json, unchanged, so that it can be compared bit for bit. */
export interface RecordedGroup {
  readonly key: string;
  readonly nTrials: bigint | null;
  readonly nErrors: bigint | null;
  readonly metrics: readonly PyValue[];
  /** Value by k as text; null if the key is absent (older Harbor), empty if Harbor found the group ineligible. */
  readonly passAtK: ReadonlyMap<string, PyValue> | null;
  readonly rewardStats: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> | null;
  readonly exceptionStats: ReadonlyMap<string, readonly string[]> | null;
}

export function listRecordedNames(groups: readonly RecordedGroup[] = []): Set<string> {
  const lists = groups.flatMap(({ rewardStats, exceptionStats }) => [
    ...[...(rewardStats?.values() ?? [])].flatMap((byValue) => [...byValue.values()]),
    ...(exceptionStats?.values() ?? []),
  ]);
  return new Set(lists.flat());
}

/** Newest spelling; older ones are mapped onto it when read. */
export const COUNTER_NAMES = [
  "n_completed_trials",
  "n_errored_trials",
  "n_running_trials",
  "n_pending_trials",
  "n_cancelled_trials",
  "n_retries",
] as const;

export type CounterName = (typeof COUNTER_NAMES)[number];

/** Tokens, and cost in US dollars. Harbor records them since 0.6.0. */
export const TOTAL_NAMES = ["n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd"] as const;

export type TotalName = (typeof TOTAL_NAMES)[number];

export interface RecordedStats {
  readonly schemaVersion: bigint | "unreadable" | null;
  readonly nTotalTrials: bigint | null;
  readonly counters: ReadonlyMap<CounterName, bigint>;
  /** True for counters named `n_trials` and `n_errors`, as Harbor wrote them up to 0.6.1. */
  readonly hasOldSpelling: boolean;
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
 * Returns the scoring rule of the Harbor version that wrote result.json, else of the trials' version. The version that began the job
 * does not matter.
 */
export function findScoringRule(
  recorded: RecordedStats | null,
  trials: readonly Pick<Trial, "recordedValidity">[],
): ScoringRule {
  const isVersioned =
    recorded === null
      ? trials.some(({ recordedValidity }) => recordedValidity !== null)
      : recorded.schemaVersion !== null;
  return isVersioned ? "harbor-0.26" : "harbor-0.25";
}

export interface PlannedTrial {
  readonly taskName: string;
  readonly agent: string | null;
  readonly model: string | null;
}

export interface JobLog {
  readonly nRetries: number;
  readonly cancelled: ReadonlySet<string>;
}

export interface RebuiltJob {
  readonly nPlanned: number;
  readonly nRows: number;
  readonly nRunning: number;
  readonly nPending: number;
  readonly nMissing: number;
  readonly nMissingFailed: number;
  readonly nMissingCanceled: number;
}

/** Source of the planned number of trials: lock.json, `n_total_trials` or longer lists in result.json, or config.json. */
type PlanSource = "lock" | "total" | "names" | "config";

export interface PlannedTrials {
  readonly count: number;
  readonly source: PlanSource;
}

export interface JobRecord {
  readonly key: string;
  readonly name: string;
  readonly root: number;
  /** Relative to its root, with `/`; empty if the root itself is the job. */
  readonly folder: string;
  readonly kind: JobKind;
  readonly purpose: JobPurpose;
  readonly uuid: string | null;
  readonly state: JobState;
  readonly time: ClockInterval;
  readonly firstTrialStart: Moment | null;
  readonly updatedAt: ClockTime | null;
  readonly harborVersion: string | null;
  readonly scoringRule: ScoringRule;
  readonly nAttempts: number | null;
  readonly metricTypes: readonly string[];
  /** True if metrics may come from a registry's dataset or a regrade's default, not only from config.json. */
  readonly mayBringMetrics: boolean;
  readonly maxRetries: number | null;
  readonly environment: readonly AgentSetting[];
  readonly log: JobLog | null;
  /** Null unless Harbor rebuilt the folder from trial archives of its Hub. */
  readonly rebuilt: RebuiltJob | null;
  /** result.json as read, so that the outcome line comes from the same bytes; null if absent. */
  readonly resultBytes: Uint8Array | null;
  readonly recorded: RecordedStats | null;
  /** Reason that the recorded figures of an ended job cannot be read; null if they can, or if it may never have had any. */
  readonly lostResult: string | null;
  readonly plan: readonly PlannedTrial[] | null;
  readonly planned: PlannedTrials | null;
  readonly plannedTasks: readonly PlannedTask[];
  readonly sourceJobs: readonly SourceJob[];
  readonly wanted: WantedTasks | null;
  readonly lostWork: readonly LostPart[];
}

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

export interface JobBundle {
  readonly job: JobRecord;
  readonly trials: readonly Trial[];
  readonly issues: readonly LoadIssue[];
  readonly recordedJudgments: readonly TrialJudgmentsOnFile[];
}

export const PLAN_SOURCE_WORDS: Readonly<Record<PlanSource, string>> = {
  lock: "lock.json plans",
  total: "result.json counts",
  names: "result.json names",
  config: "config.json asks for",
};

/** Returns the planned trials that are not here; 0 without a plan. */
export function countAbsentTrials(planned: PlannedTrials | null, nTrials: number): number {
  return Math.max(0, (planned?.count ?? 0) - nTrials);
}

export function haveAllBegun({ source }: PlannedTrials, state: JobState): boolean {
  return state === "finished" || source === "names";
}

export const JOB_DOCUMENTS = ["result.json", "config.json", "lock.json", "download_manifest.json"] as const;

const JOB_FILES = [...JOB_DOCUMENTS, "job.log", "analysis.json", "check_report.json"] as const;

/** @param path - relative to the job's folder */
export function isJobFile(path: string): boolean {
  return JOB_FILES.some((name) => name === path);
}
