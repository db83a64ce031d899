import type { MarkColour } from "@/lib/core/domain/compare-filter";
import { formatCost, formatCount } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";

import { selectRoundValues, type Span } from "./ticks";

export type MarkMeasure = Exclude<MarkColour, "outcome">;

export const MOST_LEVELS = 5;

export interface MarkScale {
  readonly measure: MarkMeasure;
  /** Ascending ends of steps, at most one less than {@link MOST_LEVELS}. An amount on an edge is in the lower step. */
  readonly edges: readonly number[];
  readonly steps: readonly string[];
  readonly range: readonly [low: string, high: string] | null;
  readonly nKnown: number;
  /** Attempts without a finite amount have no place on the scale, not its lowest one. */
  readonly nUnknown: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Amounts with a smaller ratio get steps of equal width. */
const NARROW = 10;

/** Share of the amounts below the last edge, so that an expensive attempt does not widen the other steps. */
const USUAL = 0.9;

/**
 * Prepares a scale; a null amount is unknown. Edges are round amounts, never ranks. Steps of rewards have equal width, from 0 to 1
 * unless some are outside. For spending each edge is about twice the one before (1, 2, 5, 10), the last below what nine of ten
 * attempts stay within, or steps have equal width if all are close.
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

/** Returns the step from 0; null for an amount that is unknown or not finite. */
export function findLevel({ edges }: Pick<MarkScale, "edges">, amount: number | null): number | null {
  if (amount === null || !Number.isFinite(amount)) return null;
  return edges.filter((edge) => amount > edge).length;
}

/** Formats an amount with its unit; null is the em dash. */
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
  // The smallest numbers leave no room for steps.
  return [...new Set(edges.map((edge) => edge * unit))];
}

/** Returns the inner edges of steps of equal width. */
function selectEven({ low, high }: Span): readonly number[] {
  return selectRoundValues(low, high, MOST_LEVELS).slice(1, -1);
}

const FACTORS = [5, 2, 1] as const;

/** Returns the largest amounts of 1, 2, 5, 10 and so on below `high`, ascending. */
function selectRising(high: number): readonly number[] {
  if (high <= 0) return [0];
  const power = Math.floor(Math.log10(high));
  const below = [power, power - 1, power - 2].flatMap((exponent) =>
    // A power of ten as text has no division error.
    FACTORS.map((factor) => Number(`${factor}e${exponent}`)).filter((edge) => edge > 0 && edge < high),
  );
  return below.slice(0, MOST_LEVELS - 1).toReversed();
}

function selectTimeUnit(highMs: number): number {
  if (highMs > 2 * HOUR_MS) return HOUR_MS;
  return highMs > 2 * MINUTE_MS ? MINUTE_MS : 1000;
}
