import { computeBetaQuantile } from "./distributions";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** Attempts that show what some trials would have scored without a failure. */
export interface WinBasis {
  /** Trials with the failure that these attempts stand for. */
  readonly nTrials: number;
  /** Attempts without the failure, at least 1, and their rewards together, each 0 to 1. */
  readonly n: number;
  readonly reward: number;
}

/** What a mean reward would gain if a failure had not happened; all in parts of the mean, 0.01 is a point. */
export interface ExpectedWin {
  readonly kind: "computed";
  /** Below 0 where the trials score more with the failure than such trials do without it. */
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  /** The gain if every one of the trials had a full reward. */
  readonly most: number;
  readonly level: number;
  readonly method: "jeffreys";
  readonly estimand: "same-tasks";
}

const LEVEL = 0.95;

/**
 * What the mean of `nTotal` trials would gain if the trials of a failure had scored as attempts without it do. Each basis is a
 * Beta distribution around its mean reward (Jeffreys's, half a success and half a failure added), bases are independent, and
 * their weighted sum is read as the Beta distribution of the same mean and variance, which for one basis it is and else lies
 * within 4 % of the range.
 *
 * @param bases - each trial of the failure stands in exactly one
 * @param recorded - rewards that the trials have as it is, together, each 0 to 1
 * @param nTotal - trials of the mean, those of the failure among them; at least 1
 * @returns `no-values` without a basis
 * @see Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), section 3.1
 */
export function computeExpectedWin(
  bases: readonly WinBasis[],
  recorded: number,
  nTotal: number,
): ExpectedWin | Unavailable {
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
    expected: gain(center),
    // On demand: hundreds of failures are ranked by what is expected, and a few are shown with the interval.
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
  };
}
