import "server-only";

import { formatDifference, formatDifferenceRange, formatPValue, formatSize } from "@/lib/format/number";
import {
  type CurvePoint,
  type CurveValue,
  describeBasis,
  describeUnavailable,
  type DifferenceBounds,
  type PairedComparison,
  type PassCurve,
  type Unavailable,
} from "@/lib/stats";

/** A pair's comparison as text: whatever prints its verdict, interval or p-value prints this. */
export interface PairWords {
  /** Which is better, in one sentence. */
  readonly sentence: string;
  /** What solving tasks at all, or every time, adds to it; null when that says nothing else. */
  readonly detail: string | null;
  /** How `first` stands against `second`. */
  readonly verdict: "better" | "worse" | "no clear difference" | "no interval" | "not compared";
  /** `first` minus `second`; null when not compared. */
  readonly difference: string | null;
  /** Null without one. */
  readonly interval: string | null;
  /** Method, estimand and counts of the interval; null without one. */
  readonly intervalBasis: string | null;
  /** Null without an interval. */
  readonly pValue: string | null;
  readonly pBasis: string | null;
}

interface Names {
  readonly first: string;
  readonly second: string;
}

const VERDICTS = {
  "first-better": "better",
  "second-better": "worse",
  "not-distinguishable": "no clear difference",
  "no-interval": "no interval",
} as const;

/** Says how two groups compare; every number of it comes from `comparison` and `difference`. */
export function describePair(
  names: Names,
  comparison: PairedComparison | Unavailable,
  difference: PassCurve | Unavailable,
): PairWords {
  const sentence = describeVerdict(names, comparison);
  if (comparison.kind === "unavailable") {
    const nothing = { difference: null, interval: null, intervalBasis: null, pValue: null, pBasis: null };
    return { sentence, detail: null, verdict: "not compared", ...nothing };
  }
  const { bounds, isRate } = comparison;
  const isBounded = bounds.kind === "computed";
  return {
    sentence,
    detail: describeSolving(names, comparison, difference),
    verdict: VERDICTS[comparison.verdict],
    difference: formatDifference(comparison.difference, isRate),
    interval: isBounded ? formatDifferenceRange(bounds, isRate) : null,
    intervalBasis: isBounded ? describeBasis(comparison, bounds) : null,
    pValue: isBounded ? formatPValue(bounds.p) : null,
    pBasis: isBounded ? describeP(bounds) : null,
  };
}

/** That interval, p-value and verdict of several comparisons hold together; null for a single one. */
export function describeAdjustment(nComparisons: number): string | null {
  return nComparisons < 2
    ? null
    : `Verdicts, 95 % intervals and p-values hold for ${nComparisons === 2 ? "both" : `all ${String(nComparisons)}`} comparisons together (Bonferroni).`;
}

function describeVerdict({ first, second }: Names, comparison: PairedComparison | Unavailable): string {
  const both = `${first} vs ${second}`;
  if (comparison.kind === "unavailable")
    return `${both} cannot be compared: ${describeUnavailable(comparison.reason)}.`;
  const { difference, isRate, bounds } = comparison;
  const unit = isRate ? " points" : "";
  const size = `${formatSize(difference, isRate)}${unit}`;
  switch (comparison.verdict) {
    case "first-better":
      return `${first} is better by ${size} on mean reward.`;
    case "second-better":
      return `${second} is better by ${size} on mean reward.`;
    case "not-distinguishable":
      return difference === 0
        ? `${both}: the same mean reward.`
        : `${both}: no clear difference in mean reward, ${size} could be chance.`;
    case "no-interval": {
      const reason = bounds.kind === "unavailable" ? describeUnavailable(bounds.reason) : "";
      return `${first} minus ${second} is ${formatDifference(difference, isRate)}${unit} on mean reward, no interval: ${reason}.`;
    }
  }
}

/** The largest k of both curves; null at k = 1 where that is the difference of means once more. */
function describeSolving(
  names: Names,
  comparison: PairedComparison,
  difference: PassCurve | Unavailable,
): string | null {
  const point = difference.kind === "computed" ? difference.points.at(-1) : undefined;
  if (point === undefined) return null;
  const { k, passAtK: once, passHatK: always } = point;
  if (k === 1) {
    return isOfMeans(once, comparison) ? null : `Tasks passed: ${describeValue(once)}.`;
  }
  const lead = describeLead(names, point, comparison.verdict);
  const values = `At k = ${String(k)}: solved every time ${describeValue(always)}. Solved at least once ${describeValue(once)}.`;
  return lead === null ? values : `${lead} ${values}`;
}

/** Rewards of 0 and 1 differ by their means; partial ones that only count from the threshold on do not. */
function isOfMeans({ value, band }: CurveValue, { difference, bounds }: PairedComparison): boolean {
  const isBounded = bounds.kind === "computed" && band.kind === "computed";
  const isAlike = isBounded
    ? bounds.low === band.low && bounds.high === band.high
    : bounds.kind === band.kind;
  return value === difference && isAlike;
}

function describeValue(value: CurveValue): string {
  const size = `${formatDifference(value.value, true)} points`;
  const { band } = value;
  if (band.kind === "unavailable") return `${size}, no interval: ${describeUnavailable(band.reason)}`;
  const range = `${size}, ${formatDifferenceRange(band, true)}`;
  return findLeader(value) === null ? `${range}, could be no difference` : range;
}

/** The side that an interval leaves ahead; null where it holds 0 or is not there. */
function findLeader({ band }: CurveValue): keyof Names | null {
  if (band.kind === "unavailable") return null;
  if (band.low > 0) return "first";
  return band.high < 0 ? "second" : null;
}

/** Only of a pair with a verdict: a lead in one of two more measures is no verdict of its own. */
function describeLead(
  names: Names,
  { passAtK, passHatK }: CurvePoint,
  verdict: PairedComparison["verdict"],
): string | null {
  if (verdict !== "first-better" && verdict !== "second-better") return null;
  const [once, always] = [findLeader(passAtK), findLeader(passHatK)];
  if (once !== null && always !== null) {
    return once === always
      ? `${names[once]} solves more tasks at least once, and more every time.`
      : `${names[once]} solves more tasks at least once, ${names[always]} more every time.`;
  }
  if (once !== null)
    return `${names[once]} solves more tasks at least once; no clear difference in solving them every time.`;
  if (always !== null)
    return `${names[always]} solves more tasks every time; no clear difference in solving them at least once.`;
  return null;
}

const METHOD_NAMES: Record<DifferenceBounds["method"], string> = {
  "paired-t": "Paired t",
  "agresti-min": "Agresti-Min",
  "exact-bound": "Exact bound",
};

/** How the p-value was found. */
function describeP({ method, pOfMethod, signFlip, nComparisons }: DifferenceBounds): string {
  const drawn =
    signFlip.seed === null
      ? "every pattern"
      : `${signFlip.patterns.toLocaleString("en-US")} patterns drawn, seed ${String(signFlip.seed)}`;
  const flip = `sign flip ${formatPValue(signFlip.p)} (${drawn})`;
  const single =
    pOfMethod === null
      ? `S${flip.slice(1)}`
      : `The larger of ${METHOD_NAMES[method]} ${formatPValue(pOfMethod)} and ${flip}`;
  return nComparisons === 1 ? single : `${single}, times ${String(nComparisons)} comparisons`;
}
