import type { ClockTime } from "./clock-time";

export const JUDGMENTS = ["pass", "fail", "defer"] as const;

export type Judgment = (typeof JUDGMENTS)[number];

export const RECORDED_KINDS = ["adjudication", "feedback", "evaluation", "triage"] as const;

/**
 * `adjudication`: a decision over reviewers who disagreed. `feedback`: a reviewer's annotation in the feedback folder.
 * `evaluation`: an annotation inside the record's evaluation. `triage`: an anonymous verdict next to the records.
 */
export type RecordedKind = (typeof RECORDED_KINDS)[number];

export const ADJUDICATION_STATUSES = ["agreed", "contested", "needs_adjudication", "adjudicated"] as const;

export type AdjudicationStatus = (typeof ADJUDICATION_STATUSES)[number];

/** A judgment in a file of the opened folders. Read only; it never changes a reward or a count of Assay's own. */
export interface RecordedJudgment {
  readonly kind: RecordedKind;
  readonly file: string;
  /** For an adjudication, the one who decided; null for a triage verdict, or if none is named. */
  readonly reviewerId: string | null;
  readonly discipline: string | null;
  /** Null for a triage note, and for an adjudication without a final judgment. */
  readonly judgment: Judgment | null;
  readonly categories: readonly string[];
  readonly notes: string | null;
  readonly time: ClockTime | null;
  readonly calibrationVersion: string | null;
  readonly status: AdjudicationStatus | null;
}

export interface TrialJudgmentsOnFile {
  readonly trialKey: string;
  readonly judgments: readonly RecordedJudgment[];
}

export interface ReviewerOnFile {
  readonly reviewerId: string;
  readonly file: string | null;
  readonly calibrationStatus: "uncalibrated" | "provisional" | "calibrated" | null;
  readonly calibrationVersion: string | null;
  readonly calibrations: readonly CalibrationOnFile[];
}

export interface CalibrationOnFile {
  readonly file: string;
  readonly version: string | null;
  readonly nCases: number | null;
  readonly agreementRate: number | null;
}
