import { computeNormalQuantile } from "./distributions";
import { LEVEL } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** Labels of one stratum on either side of a share; null on a side where the stratum cannot have any. */
export interface StratumShare {
  readonly right: number | null;
  readonly wrong: number | null;
  /** All labels of the stratum, those on neither side included. */
  readonly nLabels: number;
  readonly nTrials: number;
}

/** A share of labels from strata with different sampling rates, and its 95 % limits. */
export interface StratifiedShare {
  readonly kind: "computed";
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

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
export function computeStratifiedShare(
  verdicts: readonly (readonly StratumShare[])[],
): StratifiedShare | Unavailable {
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
  };
}

interface SmoothStratum {
  readonly right: number;
  readonly wrong: number;
  readonly nLabels: number;
  readonly nTrials: number;
}

function addHalves(ofVerdict: readonly StratumShare[]): SmoothStratum[] {
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
