import type { CurveChart } from "@/lib/core/charts/curve-chart";
import { listNames } from "@/lib/core/format/list-names";
import {
  formatCount,
  formatDifference,
  formatDifferenceRange,
  formatPlural,
  formatPValue,
  formatSize,
} from "@/lib/core/format/number";
import {
  type CurveBand,
  type CurvePoint,
  type CurveValue,
  describeBasis,
  describeUnavailable,
  type DifferenceBounds,
  type PairedComparison,
  type PassCurve,
  type Unavailable,
} from "@/lib/core/stats";

import type { CompareRule } from "./run";

/** A pair's comparison as text, the only source of its verdict, interval and p-value in any output. */
export interface PairWords {
  readonly sentence: string;
  /** Adds the difference in solving tasks at all, or every time; null when that adds nothing. */
  readonly detail: string | null;
  readonly verdict: "better" | "worse" | "no clear difference" | "no interval" | "not compared";
  /** `first` minus `second`; null when not compared. */
  readonly difference: string | null;
  readonly interval: string | null;
  readonly intervalBasis: string | null;
  readonly pValue: string | null;
  readonly pBasis: string | null;
  /** Notes that the interval excludes 0 and the adjusted p-value is not significant; null where both agree. */
  readonly caution: string | null;
}

interface Names {
  readonly first: string;
  readonly second: string;
}

function formatWithUnit(size: string, isRate: boolean): string {
  return isRate ? `${size} points` : size;
}

const VERDICTS = {
  "first-better": "better",
  "second-better": "worse",
  "no-clear-difference": "no clear difference",
  "no-interval": "no interval",
} as const;

const NOTHING = {
  ...{ detail: null, difference: null, interval: null, intervalBasis: null },
  ...{ pValue: null, pBasis: null, caution: null },
} as const;

export function describePair(
  names: Names,
  comparison: PairedComparison | Unavailable,
  difference: PassCurve | Unavailable,
): PairWords {
  const sentence = describeVerdict(names, comparison);
  if (comparison.kind === "unavailable") {
    return { sentence, verdict: "not compared", ...NOTHING };
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
    caution: isBounded ? describeCaution(bounds, comparison.verdict) : null,
  };
}

/** The answer of a pair, winner first and its size positive: `A is better than B by 12.9 points (95 % 5.3 to 20.4)`. */
export function describeAnswer(comparison: PairedComparison | Unavailable): {
  readonly winner: keyof Names | null;
  readonly hasVerdict: boolean;
  /** Size with its unit. */
  readonly size: string;
  /** The interval with the sign of the size, or why there is none. */
  readonly range: string;
} {
  if (comparison.kind === "unavailable")
    return { winner: null, hasVerdict: false, size: "", range: describeUnavailable(comparison.reason) };
  const { difference, isRate, bounds, verdict } = comparison;
  const isSwapped = verdict === "second-better";
  const winner = isSwapped ? "second" : verdict === "first-better" ? "first" : null;
  const size = formatWithUnit(formatSize(difference, isRate), isRate);
  if (bounds.kind === "unavailable") {
    const found = formatWithUnit(formatDifference(difference, isRate), isRate);
    const range = `${found}, no interval: ${describeUnavailable(bounds.reason)}`;
    return { winner, hasVerdict: false, size, range };
  }
  const { low, high } = isSwapped ? { low: -bounds.high, high: -bounds.low } : bounds;
  const format = (value: number) => formatDifference(value, isRate).replace(/^\+/u, "");
  return { winner, hasVerdict: true, size, range: `95 % ${format(low)} to ${format(high)}` };
}

/** Compares a candidate (`first`) with its baseline: `A is 13.2 points below B (95 % −22.2 to −4.1)`. */
export function describeStand({ first, second }: Names, comparison: PairedComparison | Unavailable): string {
  if (comparison.kind === "unavailable")
    return `${first} cannot be compared with ${second}: ${describeUnavailable(comparison.reason)}`;
  const { difference, isRate, bounds } = comparison;
  const size = formatWithUnit(formatSize(difference, isRate), isRate);
  const place = difference === 0 ? "is level with" : `is ${size} ${difference < 0 ? "below" : "above"}`;
  const range = bounds.kind === "computed" ? formatDifferenceRange(bounds, isRate) : "no interval";
  return `${first} ${place} ${second} (${bounds.kind === "computed" ? "95 % " : ""}${range})`;
}

/** The verdict follows the adjusted p-value; the interval of a single comparison may promise more. */
function describeCaution(
  { low, high, nAdjusted }: DifferenceBounds,
  verdict: PairedComparison["verdict"],
): string | null {
  return verdict === "no-clear-difference" && (low > 0 || high < 0)
    ? `Only the interval excludes 0; the p-value, adjusted for ${nAdjusted} comparisons, does not.`
    : null;
}

export function describeAdjustment(nComparisons: number): string | null {
  return nComparisons < 2
    ? null
    : `p-values and verdicts are adjusted for ${nComparisons === 2 ? "both" : `all ${nComparisons}`} comparisons together (Holm); each 95 % interval is for its own difference.`;
}

function describeVerdict({ first, second }: Names, comparison: PairedComparison | Unavailable): string {
  const both = `${first} vs ${second}`;
  if (comparison.kind === "unavailable")
    return `${both} cannot be compared: ${describeUnavailable(comparison.reason)}.`;
  const { difference, isRate, bounds } = comparison;
  const size = formatWithUnit(formatSize(difference, isRate), isRate);
  switch (comparison.verdict) {
    case "first-better":
      return `${first} is better than ${second} by ${size} on mean reward.`;
    case "second-better":
      return `${second} is better than ${first} by ${size} on mean reward.`;
    case "no-clear-difference":
      return difference === 0
        ? describeSame(both, comparison)
        : `${both}: no clear difference in mean reward, ${size} could be chance.`;
    case "no-interval": {
      const reason = bounds.kind === "unavailable" ? describeUnavailable(bounds.reason) : "";
      return `${first} minus ${second} is ${formatWithUnit(formatDifference(difference, isRate), isRate)} on mean reward, no interval: ${reason}.`;
    }
  }
}

/** Equal means: describes how far apart the groups may still be, unless every task excludes that. */
function describeSame(both: string, { bounds, isRate, nTasks }: PairedComparison): string {
  const reach = bounds.kind === "computed" ? Math.max(-bounds.low, bounds.high) : 0;
  if (reach === 0) return `${both}: the same mean reward.`;
  const size = formatWithUnit(formatSize(reach, isRate), isRate);
  return `${both}: no clear difference. The same mean reward over ${formatPlural(nTasks, "task")}, but either could be better by up to ${size}.`;
}

/** Compares the largest k of both curves; null at k = 1 where that repeats the difference of means. */
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
  const values = `At k = ${k}: solved every time ${describeValue(always)}. Solved at least once ${describeValue(once)}.`;
  return lead === null ? values : `${lead} ${values}`;
}

/** True for rewards of 0 and 1, which differ by their means; false for partial rewards with a threshold. */
export function isOfMeans({ value, band }: CurveValue, { difference, bounds }: PairedComparison): boolean {
  const isBounded = bounds.kind === "computed" && band.kind === "computed";
  const isSameRange = isBounded
    ? bounds.low === band.low && bounds.high === band.high
    : bounds.kind === band.kind;
  return value === difference && isSameRange;
}

function describeValue(value: CurveValue): string {
  const size = `${formatDifference(value.value, true)} points`;
  const { band } = value;
  if (band.kind === "unavailable") return `${size}, no interval: ${describeUnavailable(band.reason)}`;
  const range = `${size}, ${formatDifferenceRange(band, true)}`;
  return findLeader(value) === null ? `${range}, could be no difference` : range;
}

/** Returns the side that an interval favours; null where it contains 0 or is missing. */
function findLeader({ band }: CurveValue): keyof Names | null {
  if (band.kind === "unavailable") return null;
  if (band.low > 0) return "first";
  return band.high < 0 ? "second" : null;
}

/** Only for a pair with a verdict: a lead in one of two more measures is not a verdict. */
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

function describeP({ method, pOfMethod, signFlip, nAdjusted }: DifferenceBounds): string {
  const drawn =
    signFlip.seed === null
      ? "every pattern"
      : `${signFlip.patterns.toLocaleString("en-US")} patterns sampled, seed ${signFlip.seed}`;
  const flip = `sign flip ${formatPValue(signFlip.p)} (${drawn})`;
  const single =
    pOfMethod === null
      ? `S${flip.slice(1)}`
      : `The larger of ${METHOD_NAMES[method]} ${formatPValue(pOfMethod)} and ${flip}`;
  return nAdjusted === 1 ? single : `${single}, adjusted for ${nAdjusted} comparisons (Holm)`;
}

interface CaptionedFigures {
  readonly groups: readonly {
    readonly label: string;
    readonly curve: PassCurve | Unavailable;
    readonly recorded: ReadonlyMap<number, number>;
  }[];
  readonly charts: readonly CurveChart[];
  readonly ks: readonly number[];
  readonly key: string;
  readonly nCommon: number;
  readonly counting: string;
}

const BAND_EXCEPTIONS: readonly (readonly [CurveBand["method"], string])[] = [
  ["cluster-t", "at k = 1, the t interval of the mean"],
  ["paired-t", "at k = 1 of a difference, the paired t interval of the mean"],
  ["cluster-wilson", "where few pass or few fail, Wilson's interval of the effective sample"],
  ["agresti-min", "where fewer than ten tasks differ, Agresti and Min's interval"],
  ["one-sided", "where all tasks agree, the exact bound"],
  ["exact-bound", "where all tasks agree, the exact bound"],
  ["clopper-pearson", "where all tasks have the same share, Clopper and Pearson's interval"],
];

export function describeCurves(comparison: CaptionedFigures, params: CompareRule): string {
  return `${describeMethod(comparison, params)} ${describeCoverage(comparison)}`;
}

function describeMethod(comparison: CaptionedFigures, params: CompareRule): string {
  const curve = comparison.groups.map((group) => group.curve).find((one) => one.kind === "computed");
  if (curve?.kind !== "computed") return "";
  const isOwn = params.tasks === "own" || comparison.nCommon === 0;
  const over = isOwn ? "each group's own tasks" : formatPlural(curve.nTasks, "common task");
  const methods = new Set(
    comparison.charts.flatMap(({ series }) =>
      series.flatMap(({ runs }) => runs.flat().map(({ method }) => method)),
    ),
  );
  const exceptions = new Set(
    BAND_EXCEPTIONS.filter(([method]) => methods.has(method)).map(([, words]) => words),
  );
  const hasRecorded = comparison.groups.some((group) => group.recorded.size > 0);
  return [
    `Reward key ${comparison.key}, passed at ${params.threshold} or more, ${comparison.counting}; mean over ${over}.`,
    `Bands: 95 %, pointwise, percentiles of ${formatCount(curve.resamples)} bootstrap samples of tasks with all their attempts,`,
    `paired for differences, ${curve.generator} seed ${[String(curve.seed), ...exceptions].join("; ")}.`,
    hasRecorded ? "Rings: pass@k that Harbor recorded over all tasks of the group." : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function describeCoverage(comparison: CaptionedFigures): string {
  const counted = comparison.groups.map(({ label, curve }) => {
    if (curve.kind === "unavailable") return `${label}: no curve, ${describeUnavailable(curve.reason)}`;
    const steps = curve.points.filter((point, index) => curve.points[index - 1]?.nTasks !== point.nTasks);
    const text = steps.map((point) => `${point.nTasks} of ${curve.nTasks} from k = ${point.k}`).join(", ");
    return steps.length === 1 ? null : `${label}: ${text}`;
  });
  const uneven = counted.filter((text) => text !== null);
  const maxK = comparison.ks.at(-1) ?? 0;
  if (uneven.length > 0) return `Tasks with at least k attempts: ${uneven.join("; ")}. No k is extrapolated.`;
  const lengths = new Set(
    comparison.groups.map(({ curve }) => (curve.kind === "computed" ? curve.points.at(-1)?.k : 0)),
  );
  return lengths.size === 1
    ? `All tasks have ${formatPlural(maxK, "attempt")}, so no k is extrapolated.`
    : "Each curve ends at its own number of attempts; no k is extrapolated.";
}

const KINDS: readonly (readonly [PairWords["verdict"], string])[] = [
  ["better", "better"],
  ["worse", "worse"],
  ["no clear difference", "without a clear difference"],
  ["no interval", "without an interval"],
  ["not compared", "not compared"],
];

export function describeRest(
  pairs: readonly { readonly name: string; readonly words: Pick<PairWords, "verdict"> }[],
  baseline: string,
): string | null {
  if (pairs.length === 0) return null;
  const parts = KINDS.flatMap(([verdict, words]) => {
    const names = pairs.filter((pair) => pair.words.verdict === verdict).map(({ name }) => name);
    return names.length === 0 ? [] : [`${names.length} ${words} (${listNames(names)})`];
  });
  return `The other ${pairs.length} against ${baseline}: ${parts.join("; ")}.`;
}
