import type { Outcome } from "./trial";

export const MOST_MARKS = 24;

/** Estimated bytes of a mark in a page, besides the name of its trial. */
export const MARK_BYTES = 30;

/** `pass-against`: reviewers pass what the verifier failed. `open`: reviewers differ or defer, or there is no verdict. */
export const MARK_VERDICTS = ["pass-against", "fail-against", "agrees", "open"] as const;

export type MarkVerdict = (typeof MARK_VERDICTS)[number];

export interface CellMark {
  readonly key: string | null;
  readonly jobKey?: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly detail?: string;
  readonly isSuspect?: boolean;
  /** Step of the colour scale; null if the amount is unknown. Absent without a scale. */
  readonly level?: number | null;
  readonly verdict?: MarkVerdict;
}
