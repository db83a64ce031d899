import { computeBetaQuantile } from "./distributions";
import { LEVEL } from "./rate-interval";
import { type Computed, declareUnavailable } from "./unavailable";

export interface WinBasis {
  readonly nTrials: number;
  /** Attempts without the failure, at least 1, and the sum of their rewards, each 0 to 1. */
  readonly n: number;
  readonly reward: number;
}

/** Gain of a mean reward without a failure, as a fraction of the mean: 0.01 is a point. */
export type ExpectedWin = Computed<typeof computeExpectedWin>;

/**
 * Estimates the gain of the mean of `nTotal` trials if the trials of a failure had scored like attempts without it. Each basis is
 * a Beta distribution around its mean reward (Jeffreys: half a success and half a failure added); bases are independent. Their
 * weighted sum is approximated by the Beta distribution of the same mean and variance: exact for one basis, else within 4 % of the
 * range.
 * @param bases - each trial of the failure belongs to exactly one
 * @param recorded - sum of the trials' recorded rewards, each 0 to 1
 * @param nTotal - trials of the mean, those of the failure included; at least 1
 * @returns `no-values` without a basis
 * @see Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), section 3.1
 */
export function computeExpectedWin(bases: readonly WinBasis[], recorded: number, nTotal: number) {
  const size = bases.reduce((sum, { nTrials }) => sum + nTrials, 0);
  if (size === 0 || bases.some(({ n }) => !(n > 0))) return declareUnavailable("no-values");
  let mean = 0;
  let variance = 0;
  for (const { nTrials, n, reward } of bases) {
    const share = (reward + 0.5) / (n + 1);
    mean += nTrials * share;
    variance += (nTrials * nTrials * share * (1 - share)) / (n + 2);
  }
  const center = mean / size;
  const weight = (center * (1 - center) * size * size) / variance - 1;
  const gain = (share: number) => (share * size - recorded) / nTotal;
  const quantile = (p: number) => gain(computeBetaQuantile(p, center * weight, (1 - center) * weight));
  return {
    kind: "computed",
    /** Negative where the trials score more with the failure than the attempts do without it. */
    expected: gain(center),
    // Lazy: hundreds of failures are ranked by `expected`, and only a few show the interval.
    get low() {
      return quantile((1 - LEVEL) / 2);
    },
    get high() {
      return quantile((1 + LEVEL) / 2);
    },
    most: gain(1),
    level: LEVEL,
    method: "jeffreys",
    estimand: "same-tasks",
  } as const;
}
