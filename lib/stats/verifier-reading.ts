import { type CorrectedScore, FEWEST_LABELS } from "./correct-by-verdict";
import type { AccuracyRate, Confusion, VerdictCounts } from "./verifier-accuracy";

/** Labels that rates or a correction of some trials still need, by what the verifier said; 0 where there are enough. */
export interface MissingLabels extends VerdictCounts {
  /** Labels that are needed in all, at most five of each verdict and no more than it has trials. */
  readonly nNeeded: number;
  /** How many of those are there. */
  readonly nThere: number;
}

/** Counts the labels that trials with these verdicts still need before anything is said of their verifier. */
export function countMissingLabels(verdicts: VerdictCounts, labels: Confusion): MissingLabels {
  const ofPassed = Math.min(FEWEST_LABELS, verdicts.nPassed);
  const ofFailed = Math.min(FEWEST_LABELS, verdicts.nFailed);
  const nPassed = Math.max(0, ofPassed - labels.bothPassed - labels.onlyVerifierPassed);
  const nFailed = Math.max(0, ofFailed - labels.onlyHumanPassed - labels.bothFailed);
  const nNeeded = ofPassed + ofFailed;
  return { nPassed, nFailed, nNeeded, nThere: nNeeded - nPassed - nFailed };
}

/** A share from 0 to 1 with its 95 % limits. */
export interface ErrorRate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** The other side of a rate: of what humans pass, for one, what the verifier does not. */
export function computeErrorRate({ rate, low, high }: AccuracyRate): ErrorRate {
  return { rate: 1 - rate, low: 1 - high, high: 1 - low };
}

/**
 * The one number that stands for both sides of an interval, for `±`: half its width; null where the sides differ by more than one
 * in the last of `decimals`, so that one number would be wrong about both.
 */
export function computeMargin(
  { value, low, high }: { readonly value: number; readonly low: number; readonly high: number },
  decimals: number,
): number | null {
  // Sides of equal length differ in their last bits.
  const isEven = Math.abs(high - value - (value - low)) <= 10 ** -decimals * (1 + 1e-9);
  return isEven ? (high - low) / 2 : null;
}

/**
 * What a corrected score says of the recorded one: whether the interval leaves it out, and on which side it then lies.
 * `same` where every trial is labelled and nothing changes.
 */
export function readShift({
  low,
  high,
  observed,
  shift,
}: Pick<CorrectedScore, "low" | "high" | "observed" | "shift">): "higher" | "lower" | "unclear" | "same" {
  if (low > observed) return "higher";
  if (high < observed) return "lower";
  return shift === 0 && low === high ? "same" : "unclear";
}
