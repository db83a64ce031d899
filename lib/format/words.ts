import type { Outcome } from "@/lib/domain/trial";
import type { Seal } from "@/lib/domain/verification";

/** The one word for each outcome and for a reviewer's deferral, in lower case. */
export const OUTCOME_WORDS: Readonly<Record<Outcome | "defer", string>> = {
  passed: "passed",
  partial: "partial",
  failed: "failed",
  errored: "errored",
  timeout: "timeout",
  cancelled: "cancelled",
  running: "running",
  missing: "missing",
  unreadable: "unreadable",
  unscored: "unscored",
  defer: "deferred",
};

/** The words that stand beside a seal. `ulps` is the distance of the figure furthest off. */
export function formatSeal(seal: Seal, ulps: number | null = null): string {
  switch (seal) {
    case "exact":
      return "exact";
    case "ulp":
      return ulps === null ? "last bits" : `${ulps} ulp`;
    case "mismatch":
      return "mismatch";
    case "not-recorded":
      return "not recorded";
    case "unverifiable":
      return "cannot check";
    case "interim":
      return "interim";
  }
}

/** What each seal means, in one sentence for titles and help. */
export const SEAL_MEANINGS: Readonly<Record<Seal, string>> = {
  exact: "The recorded number and the one computed again have the same bits.",
  ulp: "Equal but for the last bits: the order or the way of adding was another.",
  mismatch: "The recorded number does not follow from the trials. Both are shown.",
  "not-recorded": "The file holds no figure to compare with.",
  unverifiable: "Recorded, but the trials it was computed from are not all here.",
  interim: "The job still runs, so its figures are not final.",
};
