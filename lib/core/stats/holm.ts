import type { PairedComparison } from "./paired-comparison";
import { ERROR_RATE } from "./rate-interval";
import type { Unavailable } from "./unavailable";

/**
 * Adjusts p-values of several comparisons, so that the chance of any false finding stays below the level.
 * @param ps - two-sided p-values, each more than 0 and at most 1
 * @returns adjusted p-values in their order, none below its input and none above 1
 * @see Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979)
 */
export function adjustByHolm(ps: readonly number[]): readonly number[] {
  const adjusted = ps.map(() => 1);
  let largest = 0;
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  order.forEach(({ p, index }, rank) => {
    largest = Math.max(largest, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}

/**
 * Adjusts the p-values, and with them the verdicts, of comparisons by Holm's method over all that have one. Intervals stay those
 * of a single difference, so one can exclude 0 where the adjusted p-value is 0.05 or more.
 * @param comparisons - each computed alone (`nComparisons` 1)
 */
export function adjustTogether(
  comparisons: readonly (PairedComparison | Unavailable)[],
): readonly (PairedComparison | Unavailable)[] {
  const single = comparisons.map((one) =>
    one.kind === "computed" && one.bounds.kind === "computed" ? one.bounds.p : null,
  );
  const tested = single.flatMap((p) => p ?? []);
  const adjusted = [...adjustByHolm(tested)];
  return comparisons.map((one) => {
    if (one.kind === "unavailable" || one.bounds.kind === "unavailable") return one;
    const p = adjusted.shift() ?? one.bounds.p;
    const verdict = p < ERROR_RATE ? one.verdict : "no-clear-difference";
    return { ...one, verdict, bounds: { ...one.bounds, p, nAdjusted: tested.length } };
  });
}
