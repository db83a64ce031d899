/** What stands where a value is unknown or missing. Never 0. */
export const MISSING = "\u2014";

// Made once: making one takes fifty times as long as a number that it formats.
const COUNT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const COST = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Above this no count or cost is real, and written out it would be wider than the page. */
const MAX_WRITTEN_OUT = 1e15;

/** A count with thousands separators, as a power of ten from 1e15 on; null prints the em dash. */
export function formatCount(count: number | bigint | null): string {
  if (count === null) return MISSING;
  return isWrittenOut(Number(count)) ? COUNT.format(count) : formatPower(Number(count));
}

function isWrittenOut(value: number): boolean {
  return Math.abs(value) < MAX_WRITTEN_OUT;
}

function formatPower(value: number): string {
  return Number.isFinite(value) ? value.toExponential(1) : formatReward(value);
}

/** `1 trial`, `3 trials`. The plural is the singular with an s unless given. */
export function formatPlural(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** A rate or mean reward with a fixed number of decimals; null is the em dash, NaN and infinities are said in words. */
export function formatReward(value: number | null, decimals = 3): string {
  if (value === null) return MISSING;
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return value.toFixed(decimals).replace("-", "\u2212");
}

/** A share from 0 to 1 as a percentage with one decimal; null is the em dash. */
export function formatPercent(share: number | null): string {
  return share === null || !Number.isFinite(share) ? MISSING : `${(share * 100).toFixed(1)} %`;
}

/**
 * A difference of rates in points, signed, one decimal, and as many more as it takes to tell it from 0: an end of an interval
 * near 0 must not seem to be on it. Null is the em dash.
 */
export function formatPoints(difference: number | null): string {
  return formatDifference(difference, true);
}

/** What sums of doubles leave of a difference that is none. */
const ROUNDING = 1e-12;

/**
 * A difference as {@link formatPoints} for rates, in the reward's own unit with three decimals otherwise. One that is within the
 * rounding of sums, 1e-12, is 0.
 */
export function formatDifference(difference: number | null, isRate: boolean): string {
  if (difference === null || !Number.isFinite(difference)) return MISSING;
  const text = formatSize(difference, isRate);
  if (Math.abs(difference) < ROUNDING) return text;
  return `${difference > 0 ? "+" : "\u2212"}${text}`;
}

/** How large a finite difference is, as {@link formatDifference} without its sign. */
export function formatSize(difference: number, isRate: boolean): string {
  const size = Math.abs(difference) < ROUNDING ? 0 : Math.abs(isRate ? difference * 100 : difference);
  const decimals = isRate ? 1 : 3;
  const text = size.toFixed(decimals);
  if (size === 0 || Number(text) > 0) return text;
  return size.toFixed(Math.min(100, -Math.floor(Math.log10(size))));
}

/** An interval as every table, chart and sentence writes it: `0.412 to 0.533`, `\u22121.1 to +16.8`. */
export function formatRange(
  { low, high }: { readonly low: number; readonly high: number },
  format: (value: number) => string = formatReward,
): string {
  return `${format(low)} to ${format(high)}`;
}

/**
 * What stands behind an estimate: `±0.080`, or both ends, `[0.470, 0.612]`, where the sides are not equal.
 *
 * @param margin - see `computeMargin` of `lib/stats`; null where the sides differ
 */
export function formatMargin(
  margin: number | null,
  { low, high }: { readonly low: number; readonly high: number },
  format: (value: number) => string = formatReward,
): string {
  return margin === null ? `[${format(low)}, ${format(high)}]` : `±${format(margin)}`;
}

/** A mean with its 95 % interval for a tooltip: `0.617, 95 % interval 0.465 to 0.768`. */
export function describeMean(mean: number, bounds: Parameters<typeof formatRange>[0] | null): string {
  return `${formatReward(mean)}, ${bounds === null ? "no interval" : `95 % interval ${formatRange(bounds)}`}`;
}

/** An interval of a difference, see {@link formatDifference}. */
export function formatDifferenceRange(range: Parameters<typeof formatRange>[0], isRate: boolean): string {
  return formatRange(range, (value) => formatDifference(value, isRate));
}

/** A p value with three decimals, never as 0, and never as 0.05 when it is less. */
export function formatPValue(p: number): string {
  if (p < 0.001) return "< 0.001";
  return p < 0.05 && p.toFixed(3) === "0.050" ? "< 0.050" : p.toFixed(3);
}

/**
 * US dollars with two decimals and no sign, with two digits that say something below ten cents, as a power of ten from 1e15 on;
 * null is the em dash.
 */
export function formatCost(costUsd: number | null): string {
  if (costUsd === null || !Number.isFinite(costUsd)) return MISSING;
  if (costUsd > 0 && costUsd < 0.0995) return String(Number(costUsd.toPrecision(2)));
  return isWrittenOut(costUsd) ? COST.format(costUsd) : formatPower(costUsd);
}

/** Bytes in B, KB or MB (powers of 1,000). */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1000).toFixed(1)} KB`;
  if (sizeBytes < 1_000_000_000) return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
  return `${(sizeBytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Returns null if no cost is missing. */
export function formatMissingCosts(nMissing: number, n: number): string | null {
  return nMissing === 0 ? null : `${formatCount(nMissing)} of ${formatPlural(n, "cost")} missing`;
}
