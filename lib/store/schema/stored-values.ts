import type { TrialAnalysis } from "@/lib/domain/trial-file";
import type { Outcome } from "@/lib/domain/trial";
import type { CorrelationPair, EndEffects, MeanBounds } from "@/lib/stats";

/** One attempt as a mark of the tasks table, with what its judgments are found by. */
export interface AttemptMark {
  readonly key: string;
  readonly id: string | null;
  /** `config.job_id`, when recorded. */
  readonly jobUuid: string | null;
  readonly trialName: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  /** False when the trial is only known from the job's statistics. */
  readonly hasFolder: boolean;
  readonly exceptionType: string | null;
}

/** The attempts of one group at one task, in attempt order. */
export interface TaskCell {
  readonly attempts: readonly AttemptMark[];
  readonly nPassed: number;
  /** Attempts with a result: running, missing and unreadable ones are neither passed nor failed. */
  readonly nEnded: number;
}

/** What the finished trials of one group say of one dimension of a family. */
export interface DimensionCell {
  readonly mean: number;
  readonly bounds: MeanBounds | null;
  /** Trials that state a share. */
  readonly n: number;
  /** Finished trials of the group and family that state none. They are in no figure. */
  readonly nMissing: number;
  /** Shares by tenths: `low <= share < high`, the last with its upper edge. */
  readonly counts: readonly number[];
  readonly ends: EndEffects;
}

/** Dimensions of a family that are correlated: its first ones. */
export const MOST_CORRELATED = 50;

/** Correlations as the index keeps them, every pair once: 0 with 1, 0 with 2 ... 1 with 2 ... */
export interface StoredCorrelations {
  /** The correlation, or why there is none. */
  readonly r: readonly (number | CorrelationPair["reason"])[];
  /** Trials that state both. */
  readonly n: readonly number[];
}

/** What a report says of one trial or task, as the index keeps it. */
export interface StoredReport {
  /** Why nothing was reported; null when something was. */
  readonly error: string | null;
  readonly analysis: TrialAnalysis;
  /** The job's file that says it. */
  readonly file: string;
  /** Whether only a part of what the file says is here. */
  readonly isCut: boolean;
}

/**
 * Facets of the index: `job-` over jobs, `trial-`, `task-` and `figure-` over those of one job. A closed list, because
 * rows are written by these names and read by them.
 */
export type FacetName =
  | "job-agent"
  | "job-model"
  | "job-dataset"
  | "job-state"
  | "job-check"
  | "trial-outcome"
  | "trial-group"
  | "trial-setup"
  | "trial-exception"
  | "trial-reward-key"
  | "task-pattern"
  | "task-setup-pattern"
  | "task-outcome"
  | "task-exception"
  | "figure-verdict"
  | "figure-kind"
  | "figure-group";
