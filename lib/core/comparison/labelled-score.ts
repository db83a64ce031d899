import { formatCount } from "@/lib/core/format/number";

/** Human-corrected score, or the reason why labels give none. */
export type LabelledScore = {
  readonly nLabels: number;
} & (
  | {
      readonly kind: "computed";
      readonly observed: number;
      readonly corrected: number;
      readonly low: number;
      readonly high: number;
      /** The interval as text, see `describeMargin`. */
      readonly margin: string;
      readonly nTrials: number;
    }
  | { readonly kind: "too-few"; readonly nThere: number; readonly nNeeded: number }
  | { readonly kind: "left-out"; readonly reasons: readonly string[] }
);

/** Returns words that follow a colon. @param score - null without a labelled trial */
export function describeRefused(score: Exclude<LabelledScore, { kind: "computed" }> | null): string {
  if (score === null) return "no labelled trials";
  return score.kind === "too-few"
    ? `${formatCount(score.nThere)} of ${formatCount(score.nNeeded)} labels needed`
    : score.reasons.join("; ");
}
