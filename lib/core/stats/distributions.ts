/**
 * The distributions behind intervals and tests, all from stdlib. README.md has their measured accuracy. Every other file of this
 * folder imports them from here, so that the library can be replaced in one place.
 */
import computeBetaIntegral from "@stdlib/math-base-special-betainc";
import computeInverseErfc from "@stdlib/math-base-special-erfcinv";
import computeBetaShare from "@stdlib/stats-base-dists-beta-quantile";
import computeBinomialShare from "@stdlib/stats-base-dists-binomial-cdf";
import computeNormalShare from "@stdlib/stats-base-dists-normal-cdf";
import computeStudentQuantile from "@stdlib/stats-base-dists-t-quantile";

/** Returns the quantile `p` of the standard normal distribution, 0 < p < 1. */
export function computeNormalQuantile(p: number): number {
  // stdlib's own normal quantile uses erfinv(2p - 1), which loses a small p; the complement keeps its digits.
  return -Math.SQRT2 * computeInverseErfc(2 * p);
}

/** Returns P(X <= x) of the standard normal distribution, 0 to 1. */
export function computeNormalCdf(x: number): number {
  return computeNormalShare(x, 0, 1);
}

/** Returns the quantile `p`, 0 < p < 1, of Student's t with `df` > 0. */
export function computeTQuantile(p: number, df: number): number {
  return computeStudentQuantile(p, df);
}

/** Returns P(|T| >= |t|), 0 to 1, of Student's t with `df` > 0. */
export function computeTwoSidedT(t: number, df: number): number {
  return computeBetaIntegral(df / (df + t * t), df / 2, 0.5);
}

/** Returns the quantile `p`, 0 to 1, of Beta(a, b) with a and b above 0. */
export function computeBetaQuantile(p: number, a: number, b: number): number {
  return computeBetaShare(p, a, b);
}

/** Returns the chance of at most `count` (0 to n) successes in `n` independent cases of chance `p`. */
export function computeBinomialCdf(count: number, n: number, p: number): number {
  return computeBinomialShare(count, n, p);
}

/** Returns P(F >= f), 0 to 1, of Snedecor's F with `df1` and `df2` above 0 and f from 0 to infinity. */
export function computeFTail(f: number, df1: number, df2: number): number {
  return computeBetaIntegral(df2 / (df2 + df1 * f), df2 / 2, df1 / 2);
}
