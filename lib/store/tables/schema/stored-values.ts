import type { Outcome } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";
import type { CorrelationPair, EndEffects, MeanBounds } from "@/lib/core/stats";

interface AttemptMark {
  readonly key: string;
  readonly id: string | null;
  readonly jobUuid: string | null;
  readonly trialName: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly hasFolder: boolean;
  readonly exceptionType: string | null;
}

export interface TaskCell {
  readonly attempts: readonly AttemptMark[];
  readonly nPassed: number;
  /** Attempts with a result. Running, missing and unreadable ones neither passed nor failed. */
  readonly nEnded: number;
}

export interface DimensionCell {
  readonly mean: number;
  readonly bounds: MeanBounds | null;
  readonly n: number;
  /** Finished trials of the group and family that state none. They are excluded from all figures. */
  readonly nMissing: number;
  /** Shares by tenths: `low <= share < high`; the last includes its upper edge. */
  readonly counts: readonly number[];
  readonly ends: EndEffects;
}

export const MOST_CORRELATED = 50;

/** Every pair once: 0 with 1, 0 with 2 ... 1 with 2 ... */
export interface StoredCorrelations {
  readonly r: readonly (number | CorrelationPair["reason"])[];
  readonly n: readonly number[];
}

export interface StoredReport {
  readonly error: string | null;
  readonly analysis: TrialAnalysis;
  readonly file: string;
  readonly isCut: boolean;
}

/**
 * Facets of the index: `job-` over jobs, `trial-`, `task-` and `figure-` over those of one job. A closed list, since rows are
 * written and read by these names.
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
