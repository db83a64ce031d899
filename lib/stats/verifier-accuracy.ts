import { computeNormalQuantile } from "./distributions";
import { computeWilsonInterval, LEVEL } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface VerifierLabel {
  readonly verifier: boolean;
  /** Whether the human did; null is a deferral, which is left out and counted. */
  readonly human: boolean | null;
}

/** Trials by what the verifier said, labelled or not. */
export interface VerdictCounts {
  readonly nPassed: number;
  readonly nFailed: number;
}

/**
 * How the labelled trials were chosen: without looking at the verifier, or at one rate among those it passed and another
 * among those it failed; `population` is what they were drawn from, null where it is not known.
 */
export type LabelSampling =
  | { readonly design: "random" }
  | { readonly design: "by-verdict"; readonly population: VerdictCounts | null };

/** One cell of verifier against human: labels, and the trials that they stand for. */
export interface ConfusionCell {
  readonly count: number;
  /** Labels times one over their sampling rate; equal to `count` for a random sample, null where the rate is not known. */
  readonly weight: number | null;
}

export interface AccuracyRate {
  readonly kind: "computed";
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  /** Labels behind the rate. */
  readonly n: number;
  /** Both take labels as independent. `logit-by-verdict`: symmetric in log odds, from the two rates that were sampled. */
  readonly method: "wilson" | "logit-by-verdict";
  /** A repetition would label other trials. */
  readonly estimand: "new-rows";
}

/** A verifier measured against humans, who are taken to be right. */
export interface VerifierAccuracy {
  readonly kind: "computed";
  readonly design: LabelSampling["design"];
  readonly bothPassed: ConfusionCell;
  readonly onlyVerifierPassed: ConfusionCell;
  readonly onlyHumanPassed: ConfusionCell;
  readonly bothFailed: ConfusionCell;
  /** Of what humans pass, what the verifier passes; of what humans fail, what it fails. */
  readonly truePositiveRate: AccuracyRate | Unavailable;
  readonly trueNegativeRate: AccuracyRate | Unavailable;
  /** Of what the verifier passes, what humans pass; of what it fails, what humans fail. */
  readonly positivePredictiveValue: AccuracyRate | Unavailable;
  readonly negativePredictiveValue: AccuracyRate | Unavailable;
  readonly n: number;
  readonly nDeferred: number;
  readonly missing: "exclude";
}

/** Labels by verifier and human, deferrals left out. */
export interface Confusion {
  readonly bothPassed: number;
  readonly onlyVerifierPassed: number;
  readonly onlyHumanPassed: number;
  readonly bothFailed: number;
}

/** Counts labels into the four cells. */
export function countConfusion(labels: readonly VerifierLabel[]): Confusion {
  const count = (verifier: boolean, human: boolean) =>
    labels.filter((label) => label.verifier === verifier && label.human === human).length;
  return {
    bothPassed: count(true, true),
    onlyVerifierPassed: count(true, false),
    onlyHumanPassed: count(false, true),
    bothFailed: count(false, false),
  };
}

/**
 * True positive and negative rates and predictive values, each with an interval. True rates of labels drawn by verdict are
 * `weights-needed` where the population is not known.
 * @returns `no-values` without a label that says pass or fail; a rate is `no-values` where nothing is in its denominator
 */
export function computeVerifierAccuracy(
  labels: readonly VerifierLabel[],
  sampling: LabelSampling,
): VerifierAccuracy | Unavailable {
  const cells = countConfusion(labels);
  const nPassed = cells.bothPassed + cells.onlyVerifierPassed;
  const nFailed = cells.onlyHumanPassed + cells.bothFailed;
  if (nPassed + nFailed === 0) return declareUnavailable("no-values");
  const weights = computeWeights(sampling, nPassed, nFailed);
  const weigh = (count: number, weight: number | null): ConfusionCell => ({
    count,
    weight: weight === null ? null : count * weight,
  });
  return {
    kind: "computed",
    design: sampling.design,
    bothPassed: weigh(cells.bothPassed, weights.passed),
    onlyVerifierPassed: weigh(cells.onlyVerifierPassed, weights.passed),
    onlyHumanPassed: weigh(cells.onlyHumanPassed, weights.failed),
    bothFailed: weigh(cells.bothFailed, weights.failed),
    truePositiveRate: computeTrueRate(
      { agreed: cells.bothPassed, of: nPassed, weight: weights.passed },
      { agreed: cells.onlyHumanPassed, of: nFailed, weight: weights.failed },
      sampling.design,
    ),
    trueNegativeRate: computeTrueRate(
      { agreed: cells.bothFailed, of: nFailed, weight: weights.failed },
      { agreed: cells.onlyVerifierPassed, of: nPassed, weight: weights.passed },
      sampling.design,
    ),
    positivePredictiveValue: toAccuracyRate(cells.bothPassed, nPassed),
    negativePredictiveValue: toAccuracyRate(cells.bothFailed, nFailed),
    n: nPassed + nFailed,
    nDeferred: labels.filter(({ human }) => human === null).length,
    missing: "exclude",
  };
}

function computeWeights(
  sampling: LabelSampling,
  nPassed: number,
  nFailed: number,
): { passed: number | null; failed: number | null } {
  if (sampling.design === "random") return { passed: 1, failed: 1 };
  const { population } = sampling;
  const divide = (size: number, labelled: number) => {
    // A verdict that nobody labelled stands for nothing only where no trial has it.
    if (labelled > 0) return size / labelled;
    return size === 0 ? 0 : null;
  };
  return {
    passed: population === null ? null : divide(population.nPassed, nPassed),
    failed: population === null ? null : divide(population.nFailed, nFailed),
  };
}

function toAccuracyRate(count: number, n: number): AccuracyRate | Unavailable {
  const interval = computeWilsonInterval(count, n);
  if (interval.kind === "unavailable") return interval;
  const { rate, low, high, level } = interval;
  return { kind: "computed", rate, low, high, level, n, method: "wilson", estimand: "new-rows" };
}

interface Side {
  /** Labels of this verdict on which the human's answer is the one asked about. */
  readonly agreed: number;
  readonly of: number;
  readonly weight: number | null;
}

/** The share of `right` among all labels with the human's answer, weighted by verdict. */
function computeTrueRate(
  right: Side,
  wrong: Side,
  design: LabelSampling["design"],
): AccuracyRate | Unavailable {
  const n = right.agreed + wrong.agreed;
  if (design === "random") return toAccuracyRate(right.agreed, n);
  if (right.weight === null || wrong.weight === null) return declareUnavailable("weights-needed");
  if (n === 0) return declareUnavailable("no-values");
  const rate = (right.agreed * right.weight) / (right.agreed * right.weight + wrong.agreed * wrong.weight);
  // Half a label more of each kind, so that a verdict without a single error still has a width.
  const smooth = ({ agreed, of }: Side) => (agreed + 0.5) / (of + 1);
  const size = ({ of, weight }: Side) => of * (weight ?? 0);
  const odds = (smooth(right) * size(right)) / (smooth(wrong) * size(wrong));
  if (!Number.isFinite(odds) || odds === 0) return declareUnavailable("too-few-labels");
  const variance = (side: Side) => (1 - smooth(side)) / (smooth(side) * (side.of + 1));
  const half = computeNormalQuantile(0.5 + LEVEL / 2) * Math.sqrt(variance(right) + variance(wrong));
  const toShare = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
  return {
    kind: "computed",
    rate,
    // The rate itself is not smoothed and may lie at an end.
    low: Math.min(rate, toShare(Math.log(odds) - half)),
    high: Math.max(rate, toShare(Math.log(odds) + half)),
    level: LEVEL,
    n,
    method: "logit-by-verdict",
    estimand: "new-rows",
  };
}
