import { computeNormalQuantile } from "./distributions";
import { LEVEL, computeWilsonInterval } from "./rate-interval";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

export interface VerifierLabel {
  readonly verifier: boolean;
  /** True if the human passed the trial; null is a deferral, which is excluded and counted. */
  readonly human: boolean | null;
  /** Population of a stratified draw that it came from, such as an agent; absent for other draws. */
  readonly stratum?: string;
}

export interface VerdictCounts {
  readonly nPassed: number;
  readonly nFailed: number;
}

/** The trials of one stratum by verdict: each verdict of it has its own sampling rate. */
export interface StratumCounts extends VerdictCounts {
  readonly stratum: string;
}

/**
 * Selection of the labelled trials: independent of the verifier, or at separate rates for passed and failed trials, overall or per
 * stratum. `population` is the sampled population, null where unknown.
 */
export type LabelSampling =
  | { readonly design: "random" }
  | { readonly design: "by-verdict"; readonly population: VerdictCounts | null }
  | {
      readonly design: "by-stratum";
      readonly population: readonly StratumCounts[] | null;
      /** Other labels of the same draw, such as those of other task families, used only for the sampling rates. */
      readonly outside?: readonly VerifierLabel[];
    };

/** One cell of verifier against human: labels, and the trials that they represent. */
export interface ConfusionCell {
  readonly count: number;
  /** Labels times one over their sampling rate; equal to `count` for a random sample, null where the rate is unknown. */
  readonly weight: number | null;
}

export interface AccuracyRate {
  readonly kind: "computed";
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly n: number;
  /**
   * All methods assume independent labels. `logit-by-verdict`: symmetric in log odds, from the two sampled rates;
   * `logit-by-stratum`: from the rates of all strata.
   */
  readonly method: "wilson" | "logit-by-verdict" | "logit-by-stratum";
  /** A repetition labels other trials. */
  readonly estimand: "new-rows";
}

export type Confusion = ReturnType<typeof countConfusion>;

export function countConfusion(labels: readonly Pick<VerifierLabel, "verifier" | "human">[]) {
  const count = (verifier: boolean, human: boolean) =>
    labels.filter((label) => label.verifier === verifier && label.human === human).length;
  return {
    bothPassed: count(true, true),
    onlyVerifierPassed: count(true, false),
    onlyHumanPassed: count(false, true),
    bothFailed: count(false, false),
  };
}

/** Counts labels by the verifier's verdict. */
export function countByVerdict(labels: Confusion): VerdictCounts {
  return {
    nPassed: labels.bothPassed + labels.onlyVerifierPassed,
    nFailed: labels.onlyHumanPassed + labels.bothFailed,
  };
}

/** A verifier measured against humans, who are assumed to be right. */
export type VerifierAccuracy = Computed<typeof computeVerifierAccuracy>;

/**
 * Computes true positive and negative rates and predictive values, each with an interval. True rates of labels drawn by verdict,
 * and all rates of labels drawn by stratum, are `weights-needed` where the population is unknown.
 * @returns `no-values` without a label that is a pass or a failure; a rate is `no-values` where its denominator is 0,
 * `too-few-labels` where a stratum that it needs has trials and no label
 */
export function computeVerifierAccuracy(labels: readonly VerifierLabel[], sampling: LabelSampling) {
  const cells = countConfusion(labels);
  const { nPassed, nFailed } = countByVerdict(cells);
  if (nPassed + nFailed === 0) return declareUnavailable("no-values");
  const counts = {
    kind: "computed",
    design: sampling.design,
    n: nPassed + nFailed,
    nDeferred: labels.filter(({ human }) => human === null).length,
    missing: "exclude",
  } as const;
  if (sampling.design === "by-stratum") {
    return { ...counts, ...computeByStratum(labels, sampling.population, sampling.outside ?? []) };
  }
  const weights = computeWeights(sampling, nPassed, nFailed);
  const weigh = (count: number, weight: number | null): ConfusionCell => ({
    count,
    weight: weight === null ? null : count * weight,
  });
  return {
    ...counts,
    bothPassed: weigh(cells.bothPassed, weights.passed),
    onlyVerifierPassed: weigh(cells.onlyVerifierPassed, weights.passed),
    onlyHumanPassed: weigh(cells.onlyHumanPassed, weights.failed),
    bothFailed: weigh(cells.bothFailed, weights.failed),
    /** Share of human passes that the verifier passes; share of human failures that it fails. */
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
    /** Share of verifier passes that humans pass; share of verifier failures that humans fail. */
    positivePredictiveValue: toAccuracyRate(cells.bothPassed, nPassed),
    negativePredictiveValue: toAccuracyRate(cells.bothFailed, nFailed),
  } as const;
}

function computeByStratum(
  labels: readonly VerifierLabel[],
  population: readonly StratumCounts[] | null,
  outside: readonly VerifierLabel[],
) {
  const cells = countConfusion(labels);
  const names = new Set<string | undefined>(population?.map(({ stratum }) => stratum));
  const isPlaced = labels.every(({ stratum }) => names.has(stratum));
  const own = Map.groupBy(labels, ({ stratum }) => stratum);
  const drawn = Map.groupBy([...labels, ...outside], ({ stratum }) => stratum);
  const strata = (population ?? []).map(({ stratum, nPassed, nFailed }) => {
    const labelled = countByVerdict(countConfusion(drawn.get(stratum) ?? []));
    return {
      ...countConfusion(own.get(stratum) ?? []),
      passed: { nTrials: nPassed, nLabels: labelled.nPassed },
      failed: { nTrials: nFailed, nLabels: labelled.nFailed },
    };
  });
  const list = (verdict: "passed" | "failed", right: keyof Confusion | null, wrong: keyof Confusion | null) =>
    strata.map((stratum): StratumShare => ({
      right: right === null ? null : stratum[right],
      wrong: wrong === null ? null : stratum[wrong],
      ...stratum[verdict],
    }));
  const weigh = (verdict: "passed" | "failed", cell: keyof Confusion): ConfusionCell => {
    const ofVerdict = strata.filter((stratum) => stratum[verdict].nTrials > 0);
    const isKnown = isPlaced && ofVerdict.every((stratum) => stratum[verdict].nLabels > 0);
    const sum = ofVerdict.reduce((total, stratum) => {
      const { nTrials, nLabels } = stratum[verdict];
      return total + (stratum[cell] * nTrials) / nLabels;
    }, 0);
    return { count: cells[cell], weight: isKnown ? sum : null };
  };
  const rate = (...verdicts: readonly (readonly StratumShare[])[]): AccuracyRate | Unavailable => {
    const share = isPlaced ? computeStratifiedShare(verdicts) : declareUnavailable("weights-needed");
    if (share.kind === "unavailable") return share;
    return { ...share, level: LEVEL, method: "logit-by-stratum", estimand: "new-rows" };
  };
  return {
    bothPassed: weigh("passed", "bothPassed"),
    onlyVerifierPassed: weigh("passed", "onlyVerifierPassed"),
    onlyHumanPassed: weigh("failed", "onlyHumanPassed"),
    bothFailed: weigh("failed", "bothFailed"),
    truePositiveRate: rate(list("passed", "bothPassed", null), list("failed", null, "onlyHumanPassed")),
    trueNegativeRate: rate(list("failed", "bothFailed", null), list("passed", null, "onlyVerifierPassed")),
    positivePredictiveValue: rate(list("passed", "bothPassed", "onlyVerifierPassed")),
    negativePredictiveValue: rate(list("failed", "bothFailed", "onlyHumanPassed")),
  };
}

function computeWeights(
  sampling: Exclude<LabelSampling, { readonly design: "by-stratum" }>,
  nPassed: number,
  nFailed: number,
): { passed: number | null; failed: number | null } {
  if (sampling.design === "random") return { passed: 1, failed: 1 };
  const { population } = sampling;
  const divide = (size: number, labelled: number) => {
    // A verdict without labels has weight 0 if no trial has it, else an unknown weight.
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
  readonly agreed: number;
  readonly of: number;
  readonly weight: number | null;
}

/** Returns the share of `right` among all labels with the human's answer, weighted by verdict. */
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
  // Adds half a label of each kind, so that a verdict without a single error still has a width.
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
    // The rate itself is not smoothed and may be at an end.
    low: Math.min(rate, toShare(Math.log(odds) - half)),
    high: Math.max(rate, toShare(Math.log(odds) + half)),
    level: LEVEL,
    n,
    method: "logit-by-verdict",
    estimand: "new-rows",
  };
}

/** Labels of one stratum on either side of a share; null on a side where the stratum cannot have any. */
export interface StratumShare {
  readonly right: number | null;
  readonly wrong: number | null;
  /** All labels of the stratum, those on neither side included. */
  readonly nLabels: number;
  readonly nTrials: number;
}

/** A share of labels from strata with different sampling rates, and its 95 % limits. */
export type StratifiedShare = Computed<typeof computeStratifiedShare>;

/**
 * Computes the share of right among right and wrong labels, each weighted by one over its sampling rate. Limits are symmetric in
 * log odds, by linearisation with independent strata. Before that, half a label per side is added and spread over the strata of a
 * verdict by their trials.
 * @param verdicts - strata of trials that the verifier passed, of those that it failed, or both
 * @returns `no-values` with no label on either side; `too-few-labels` where a stratum with trials has no label at all, or one side
 * has no trials
 * @see Binder, "On the Variances of Asymptotically Normal Estimators from Complex Surveys" (1983); Korn and Graubard, "Confidence
 * Intervals for Proportions with Small Expected Number of Positive Counts" (1998), for the log odds
 */
export function computeStratifiedShare(verdicts: readonly (readonly StratumShare[])[]) {
  const strata = verdicts.flat().filter(({ nTrials }) => nTrials > 0);
  if (strata.some(({ nLabels }) => nLabels === 0)) return declareUnavailable("too-few-labels");
  const weigh = (read: (stratum: StratumShare) => number | null) =>
    strata.reduce((sum, stratum) => sum + ((read(stratum) ?? 0) * stratum.nTrials) / stratum.nLabels, 0);
  const right = weigh((stratum) => stratum.right);
  const wrong = weigh((stratum) => stratum.wrong);
  if (right + wrong === 0) return declareUnavailable("no-values");
  const rate = right / (right + wrong);
  const smooth = verdicts.flatMap((ofVerdict) => addHalves(ofVerdict));
  const total = smooth.reduce((sum, { nTrials, right, wrong }) => sum + nTrials * (right + wrong), 0);
  const centre = smooth.reduce((sum, { nTrials, right }) => sum + nTrials * right, 0) / total;
  const logOdds = Math.log(centre / (1 - centre));
  if (!Number.isFinite(logOdds)) return declareUnavailable("too-few-labels");
  const variance = smooth.reduce(
    (sum, stratum) => sum + (stratum.nTrials / total) ** 2 * computeSpread(stratum, centre),
    0,
  );
  const half = (computeNormalQuantile(0.5 + LEVEL / 2) * Math.sqrt(variance)) / (centre * (1 - centre));
  const toShare = (odds: number) => 1 / (1 + Math.exp(-odds));
  return {
    kind: "computed",
    rate,
    low: Math.min(rate, toShare(logOdds - half)),
    high: Math.max(rate, toShare(logOdds + half)),
    n: strata.reduce((sum, stratum) => sum + (stratum.right ?? 0) + (stratum.wrong ?? 0), 0),
  } as const;
}

type SmoothStratum = ReturnType<typeof addHalves>[number];

function addHalves(ofVerdict: readonly StratumShare[]) {
  const all = ofVerdict.reduce((sum, { nTrials }) => sum + nTrials, 0);
  return ofVerdict
    .filter(({ nTrials }) => nTrials > 0)
    .map(({ right, wrong, nLabels, nTrials }) => {
      const part = nTrials / all;
      const add = (count: number | null) => (count === null ? 0 : (count + part / 2) / (nLabels + part));
      return { right: add(right), wrong: add(wrong), nLabels: nLabels + part, nTrials };
    });
}

/** Returns the variance of the share from one stratum's labels: right counts 1 - `centre`, wrong -`centre`, others 0. */
function computeSpread({ right, wrong, nLabels }: SmoothStratum, centre: number): number {
  const mean = right * (1 - centre) - wrong * centre;
  return (right * (1 - centre) ** 2 + wrong * centre ** 2 - mean ** 2) / nLabels;
}

/** Returns the complement of a rate, such as the human passes that the verifier fails. */
export function computeErrorRate({ rate, low, high }: AccuracyRate) {
  return { rate: 1 - rate, low: 1 - high, high: 1 - low };
}

/**
 * Returns half the width of an interval for `±`; null where the two sides differ by more than one in the last of `decimals`, which
 * makes a single number wrong.
 */
export function computeMargin(
  { value, low, high }: { readonly value: number; readonly low: number; readonly high: number },
  decimals: number,
): number | null {
  // Sides of equal length differ in their last bits.
  const isEven = Math.abs(high - value - (value - low)) <= 10 ** -decimals * (1 + 1e-9);
  return isEven ? (high - low) / 2 : null;
}
