import type { Judgment } from "@/lib/domain/annotation";
import type { AdjudicationStatus, RecordedKind } from "@/lib/domain/recorded-judgment";
import type { Outcome } from "@/lib/domain/trial";
import { OUTCOME_WORDS } from "@/lib/format/words";

/** The glyph of each judgment, shared with the outcomes it compares with. */
export const JUDGMENT_MARKS = { pass: "passed", fail: "failed", defer: "defer" } as const satisfies Record<
  Judgment,
  Outcome | "defer"
>;

/** The word on the verdict's button. */
export const JUDGMENT_WORDS: Readonly<Record<Judgment, string>> = {
  pass: "Pass",
  fail: "Fail",
  defer: "Defer",
};

/** Heading of the categories, which depends on what they explain. */
export const CATEGORY_HEADINGS: Readonly<Record<Judgment | "none", string>> = {
  none: "Categories",
  pass: "What to know about it",
  fail: "Why it failed",
  defer: "Why it is deferred",
};

/** `passed with reward 1.0`, `timeout without a reward`. */
export function describeVerdict(outcome: Outcome, reward: string | null): string {
  return `${OUTCOME_WORDS[outcome]} ${reward === null ? "without a reward" : `with reward ${reward}`}`;
}

/** What stands in lists for how a judgment relates to the verifier and the folders. */
export const STANDING_WORDS = {
  disagrees: "Disagrees with the verifier",
  agrees: "Does not disagree",
  stale: "Outcome changed since",
  lost: "Trial not found",
  withdrawn: "Withdrawn",
} as const;

/** What a judgment is that stands in a file of the opened folders. */
export const RECORDED_WORDS: Readonly<Record<RecordedKind, string>> = {
  adjudication: "Adjudication",
  feedback: "Annotation",
  evaluation: "In the record",
  triage: "Triage",
};

/** Where the reviewers of a trial stood when an adjudication was recorded. */
export const ADJUDICATION_WORDS: Readonly<Record<AdjudicationStatus, string>> = {
  agreed: "agreed",
  contested: "contested",
  needs_adjudication: "needs adjudication",
  adjudicated: "adjudicated",
};
