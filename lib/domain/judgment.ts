import type { ClockTime } from "./clock-time";

/** A reviewer's verdicts, in the order of their keys. `defer` means "I cannot tell, and here is why". */
export const JUDGMENTS = ["pass", "fail", "defer"] as const;

export type Judgment = (typeof JUDGMENTS)[number];

/** Where a judgment stands that was recorded outside of Assay, in the order in which pages list them. */
export const RECORDED_KINDS = ["adjudication", "feedback", "evaluation", "triage"] as const;

/**
 * `adjudication`: a decision over reviewers who disagreed. `feedback`: a reviewer's annotation in the feedback folder.
 * `evaluation`: an annotation inside the record's evaluation. `triage`: a verdict beside the records, without a name.
 */
export type RecordedKind = (typeof RECORDED_KINDS)[number];

/** Where the reviewers of one trial stood when the file was written. */
export const ADJUDICATION_STATUSES = ["agreed", "contested", "needs_adjudication", "adjudicated"] as const;

export type AdjudicationStatus = (typeof ADJUDICATION_STATUSES)[number];

/** A judgment that stands in a file of the opened folders. Read only; it never changes a reward or a count of Assay's own. */
export interface RecordedJudgment {
  readonly kind: RecordedKind;
  /** Relative to the opened folder, with `/`. */
  readonly file: string;
  /** The reviewer, of an adjudication who decided; null for a triage verdict and where none is named. */
  readonly reviewerId: string | null;
  readonly discipline: string | null;
  /** Null for a note of triage and for an adjudication without a final judgment. */
  readonly judgment: Judgment | null;
  readonly categories: readonly string[];
  /** A reviewer's notes, or the rationale of an adjudication; null when there are none. */
  readonly notes: string | null;
  readonly time: ClockTime | null;
  /** Version of the calibration that it was made for; null for an ordinary judgment. */
  readonly calibrationVersion: string | null;
  /** Of an adjudication; null for everything else. */
  readonly status: AdjudicationStatus | null;
}

/** The recorded judgments of one trial, in the order of {@link RECORDED_KINDS}, each kind newest first. */
export interface TrialJudgmentsOnFile {
  readonly trialKey: string;
  readonly judgments: readonly RecordedJudgment[];
}

export interface ReviewerOnFile {
  readonly reviewerId: string;
  /** Relative to the opened folder; null when only calibrations name the reviewer. */
  readonly file: string | null;
  /** `uncalibrated`, `provisional` or `calibrated`, as the profile states it. */
  readonly calibrationStatus: "uncalibrated" | "provisional" | "calibrated" | null;
  readonly calibrationVersion: string | null;
  /** In the order of their files. */
  readonly calibrations: readonly CalibrationOnFile[];
}

/** A stored calibration of a reviewer; null is not stated. */
export interface CalibrationOnFile {
  readonly file: string;
  readonly version: string | null;
  readonly nCases: number | null;
  /** From 0 to 1. */
  readonly agreementRate: number | null;
}
