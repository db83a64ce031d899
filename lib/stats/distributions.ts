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

/**
 * The standard normal value below which a share `p` lies.
 *
 * @param p - strictly between 0 and 1
 */
export function computeNormalQuantile(p: number): number {
  // stdlib's own normal quantile goes through erfinv(2p - 1), which loses a small p; the complement keeps its digits.
  return -Math.SQRT2 * computeInverseErfc(2 * p);
}

/** The share of the standard normal distribution at or below `x`, 0 to 1. */
export function computeNormalCdf(x: number): number {
  return computeNormalShare(x, 0, 1);
}

/**
 * The value of Student's t below which a share `p` lies.
 *
 * @param p - strictly between 0 and 1
 * @param df - degrees of freedom, more than 0
 */
export function computeTQuantile(p: number, df: number): number {
  return computeStudentQuantile(p, df);
}

/**
 * The chance that a variable of Student's t lies at least as far from 0 as `t`, on either side.
 *
 * @param df - degrees of freedom, more than 0
 * @returns 0 to 1; 0 where it is smaller than any number
 */
export function computeTwoSidedT(t: number, df: number): number {
  return computeBetaIntegral(df / (df + t * t), df / 2, 0.5);
}

/**
 * The value of a Beta(a, b) variable below which a share `p` lies, 0 to 1.
 *
 * @param p - 0 to 1
 * @param a - first shape, more than 0
 * @param b - second shape, more than 0
 */
export function computeBetaQuantile(p: number, a: number, b: number): number {
  return computeBetaShare(p, a, b);
}

/**
 * The chance of at most `count` successes in `n` independent cases.
 *
 * @param count - whole, 0 to n
 * @param p - chance of a success, 0 to 1
 */
export function computeBinomialCdf(count: number, n: number, p: number): number {
  return computeBinomialShare(count, n, p);
}
