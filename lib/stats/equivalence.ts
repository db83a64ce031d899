import { computeTQuantile } from "./distributions";
import type { PairedComparison } from "./paired-comparison";
import { LEVEL } from "./rate-interval";
import { declareUnavailable } from "./unavailable";
import type { Unavailable } from "./unavailable";

/** Whether two groups are the same for all that matters. */
export interface Equivalence {
  readonly kind: "computed";
  /** Differences up to this are held not to matter, in the unit of the values. */
  readonly margin: number;
  /** `equivalent` also where a difference is certain and too small to matter: `isDifferent` tells. */
  readonly verdict: "first-better" | "second-better" | "equivalent" | "not-distinguishable";
  readonly isDifferent: boolean;
  /** The interval that has to lie within the margin: of level 0.90, as both ends are tested at 0.05. */
  readonly low: number;
  readonly high: number;
  readonly level: number;
  /** `exact-bound`: no spread was seen, so the comparison's own bound of level 0.95 is taken. */
  readonly method: "two-one-sided-t" | "exact-bound";
  readonly estimand: "new-tasks";
}

/** Both ends are tested at 0.05. */
const TWO_SIDED_LEVEL = 0.9;

/**
 * Reads a paired comparison against a margin: better, worse, equivalent within the margin, or not distinguishable.
 * Not distinguishable is not equivalent: that has to be shown.
 *
 * @param margin - more than 0
 * @returns the comparison's reason where it has no interval
 * @see Schuirmann, "A Comparison of the Two One-Sided Tests Procedure" (1987)
 */
export function computeEquivalence(
  comparison: PairedComparison | Unavailable,
  margin: number,
): Equivalence | Unavailable {
  if (comparison.kind === "unavailable") return comparison;
  const { bounds, difference, verdict } = comparison;
  if (bounds.kind === "unavailable") return bounds;
  if (verdict === "no-interval") return declareUnavailable("no-variation");
  const half =
    bounds.standardError === null || bounds.df === null
      ? null
      : computeTQuantile(0.5 + TWO_SIDED_LEVEL / 2, bounds.df) * bounds.standardError;
  const low = half === null ? bounds.low : difference - half;
  const high = half === null ? bounds.high : difference + half;
  return {
    kind: "computed",
    margin,
    verdict: low > -margin && high < margin ? "equivalent" : verdict,
    isDifferent: verdict !== "not-distinguishable",
    low,
    high,
    level: half === null ? LEVEL : TWO_SIDED_LEVEL,
    method: half === null ? "exact-bound" : "two-one-sided-t",
    estimand: "new-tasks",
  };
}
