import { type CorrectedScore, FEWEST_LABELS } from "./correct-by-verdict";
import type { AccuracyRate, Confusion, VerdictCounts } from "./verifier-accuracy";

/** Labels that rates or a correction of some trials still need, by verdict; 0 where there are enough. */
export interface MissingLabels extends VerdictCounts {
  /** Total labels needed: up to five per verdict, and no more than it has trials. */
  readonly nNeeded: number;
  readonly nThere: number;
}

/** Counts the labels that trials with these verdicts still need before their verifier is assessed. */
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

/** Returns the complement of a rate, such as the human passes that the verifier fails. */
export function computeErrorRate({ rate, low, high }: AccuracyRate): ErrorRate {
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

/**
 * Classifies a corrected score against the recorded one: whether the interval excludes it, and on which side. `same` where every
 * trial is labelled and nothing changes.
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
