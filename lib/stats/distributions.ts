/**
 * The distributions that intervals and tests are read from, all of stdlib. README.md says how accurate they were found.
 * Every other file of this folder asks here, so that the library can be seen and replaced in one place.
 */
import computeBetaIntegral from "@stdlib/math-base-special-betainc";
import computeInverseErfc from "@stdlib/math-base-special-erfcinv";
import computeBetaShare from "@stdlib/stats-base-dists-beta-quantile";
import computeBinomialShare from "@stdlib/stats-base-dists-binomial-cdf";
import computeNormalShare from "@stdlib/stats-base-dists-normal-cdf";
import computeStudentQuantile from "@stdlib/stats-base-dists-t-quantile";

/** The standard normal value below which a share `p` lies, strictly between 0 and 1. */
export function computeNormalQuantile(p: number): number {
  // stdlib's own normal quantile goes through erfinv(2p - 1), which loses a small p; the complement keeps its digits.
  return -Math.SQRT2 * computeInverseErfc(2 * p);
}

/** The share of the standard normal distribution at or below `x`, 0 to 1. */
export function computeNormalCdf(x: number): number {
  return computeNormalShare(x, 0, 1);
}

/** The value of Student's t with `df` > 0 below which a share `p` lies, strictly between 0 and 1. */
export function computeTQuantile(p: number, df: number): number {
  return computeStudentQuantile(p, df);
}

/** The chance, 0 to 1, that Student's t with `df` > 0 lies at least as far from 0 as `t`. */
export function computeTwoSidedT(t: number, df: number): number {
  return computeBetaIntegral(df / (df + t * t), df / 2, 0.5);
}

/** The value of a Beta(a, b) variable, a and b above 0, below which a share `p` of 0 to 1 lies. */
export function computeBetaQuantile(p: number, a: number, b: number): number {
  return computeBetaShare(p, a, b);
}

/** The chance of at most `count` (0 to n) successes in `n` independent cases of chance `p`. */
export function computeBinomialCdf(count: number, n: number, p: number): number {
  return computeBinomialShare(count, n, p);
}

/** The chance, 0 to 1, that Snedecor's F with `df1` and `df2` above 0 is at least `f`, from 0 to infinity. */
export function computeFTail(f: number, df1: number, df2: number): number {
  return computeBetaIntegral(df2 / (df2 + df1 * f), df2 / 2, df1 / 2);
}
