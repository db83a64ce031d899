import type { MarkColour } from "@/lib/domain/compare-filter";
import { formatCost, formatCount } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";

import { selectRoundValues, type Span } from "./ticks";

/** An amount that every attempt may have: its reward, US dollars, milliseconds or tokens. */
export type MarkMeasure = Exclude<MarkColour, "outcome">;

/** Steps of a scale at most, each of one colour. */
export const MOST_LEVELS = 5;

/** A sequential scale of amounts. */
export interface MarkScale {
  readonly measure: MarkMeasure;
  /** Where a step ends and the next one begins, ascending, at most one less than {@link MOST_LEVELS}. An amount on an edge is in the lower step. */
  readonly edges: readonly number[];
  /** Each step in words, the lowest first; empty where no amount is known. */
  readonly steps: readonly string[];
  /** Smallest and largest amount in words; null where none is known. */
  readonly range: readonly [low: string, high: string] | null;
  readonly nKnown: number;
  /** Attempts without a finite amount: they have no place on the scale, not its lowest one. */
  readonly nUnknown: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Amounts that differ less than this many times are in steps of the same width. */
const NARROW = 10;

/** Share of the amounts that the last edge lies below: one dear attempt is in the last step without widening the others. */
const USUAL = 0.9;

/**
 * The scale of some amounts, null for each one that is not known. Edges are round amounts and never ranks: of rewards steps of the
 * same width, from 0 to 1 where none lies outside; of what is spent each edge about twice the one before (1, 2, 5, 10), the last
 * below what nine of ten attempts stay within, or steps of the same width where all are close.
 */
export function prepareMarkScale(amounts: readonly (number | null)[], measure: MarkMeasure): MarkScale {
  const known = amounts
    .flatMap((amount) => (amount !== null && Number.isFinite(amount) ? [amount] : []))
    .toSorted((a, b) => a - b);
  const [low, high, usual] = [known[0], known.at(-1), known[Math.floor(USUAL * known.length)]];
  const counts = { measure, nKnown: known.length, nUnknown: amounts.length - known.length };
  if (low === undefined || high === undefined) return { ...counts, edges: [], steps: [], range: null };
  const edges = selectEdges({ low, high }, usual ?? high, measure);
  const words = edges.map((edge) => formatAmount(edge, measure));
  const last = words.at(-1);
  return {
    ...counts,
    edges,
    steps: last === undefined ? ["all"] : [...words.map((word) => `up to ${word}`), `over ${last}`],
    range: [formatAmount(low, measure), formatAmount(high, measure)],
  };
}

/** The step of an amount from 0; null for one that is not known or not finite, which has none. */
export function findLevel({ edges }: Pick<MarkScale, "edges">, amount: number | null): number | null {
  if (amount === null || !Number.isFinite(amount)) return null;
  return edges.filter((edge) => amount > edge).length;
}

/** An amount with its unit; null is the em dash. */
export function formatAmount(amount: number | null, measure: MarkMeasure): string {
  switch (measure) {
    case "reward":
      return amount === null ? formatCount(null) : String(Number(amount.toPrecision(6)));
    case "cost":
      return amount === null || !Number.isFinite(amount) ? formatCost(null) : `$${formatCost(amount)}`;
    case "time":
      return formatDuration(amount);
    case "tokens":
      return formatCount(amount);
  }
}

function selectEdges({ low, high }: Span, usual: number, measure: MarkMeasure): readonly number[] {
  if (measure === "reward") return selectEven({ low: Math.min(0, low), high: Math.max(1, high) });
  const unit = measure === "time" ? selectTimeUnit(usual) : 1;
  const isNarrow = low < high && low > 0 && high < low * NARROW;
  const edges = isNarrow
    ? selectEven({ low: low / unit, high: high / unit })
    : selectRising((usual > 0 ? usual : high) / unit);
  // The smallest numbers there are have no room for steps.
  return [...new Set(edges.map((edge) => edge * unit))];
}

/** Inner edges of steps of one width. */
function selectEven({ low, high }: Span): readonly number[] {
  return selectRoundValues(low, high, MOST_LEVELS).slice(1, -1);
}

const FACTORS = [5, 2, 1] as const;

/** The largest amounts of 1, 2, 5, 10 and so on that lie below `high`, ascending. */
function selectRising(high: number): readonly number[] {
  if (high <= 0) return [0];
  const power = Math.floor(Math.log10(high));
  const below = [power, power - 1, power - 2].flatMap((exponent) =>
    // A power of ten as text has no error of a division.
    FACTORS.map((factor) => Number(`${factor}e${exponent}`)).filter((edge) => edge > 0 && edge < high),
  );
  return below.slice(0, MOST_LEVELS - 1).toReversed();
}

function selectTimeUnit(highMs: number): number {
  if (highMs > 2 * HOUR_MS) return HOUR_MS;
  return highMs > 2 * MINUTE_MS ? MINUTE_MS : 1000;
}
