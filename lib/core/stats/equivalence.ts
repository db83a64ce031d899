import type { PairedComparison } from "./paired-comparison";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface Equivalence {
  readonly kind: "computed";
  /** Largest difference that does not matter, in the unit of the values. */
  readonly margin: number;
  /** `equivalent` also covers a significant difference that is too small to matter; see `isDifferent`. */
  readonly verdict: "first-better" | "second-better" | "equivalent" | "no-clear-difference";
  readonly isDifferent: boolean;
  /** The interval that must be within the margin: each end is tested at 0.05 over the number of comparisons. */
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "two-one-sided-t" | "agresti-min" | "exact-bound";
  readonly estimand: "new-tasks";
}

/**
 * Classifies a paired comparison against a margin above 0: better, worse, equivalent within it, or no clear difference.
 * @returns the comparison's reason where it has no interval
 * @see Schuirmann, "A Comparison of the Two One-Sided Tests Procedure" (1987)
 */
export function computeEquivalence(
  comparison: PairedComparison | Unavailable,
  margin: number,
): Equivalence | Unavailable {
  if (comparison.kind === "unavailable") return comparison;
  const { bounds, verdict } = comparison;
  if (bounds.kind === "unavailable") return bounds;
  if (verdict === "no-interval") return declareUnavailable("no-variation");
  const { low, high } = bounds.ofEachSide;
  return {
    kind: "computed",
    margin,
    verdict: low > -margin && high < margin ? "equivalent" : verdict,
    isDifferent: verdict !== "no-clear-difference",
    low,
    high,
    level: bounds.method === "paired-t" ? 2 * bounds.level - 1 : bounds.level,
    method: bounds.method === "paired-t" ? "two-one-sided-t" : bounds.method,
    estimand: "new-tasks",
  };
}
