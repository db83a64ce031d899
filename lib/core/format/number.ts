/** For an unknown or missing value, which is never 0. */
export const MISSING = "\u2014";

// Made once: making one takes fifty times as long as formatting a number.
const COUNT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const COST = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Above this no count or cost is real, and in full it would be wider than the page. */
const MAX_WRITTEN_OUT = 1e15;

/** Adds thousands separators; uses a power of ten from 1e15 on. Null is the em dash. */
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

export function formatPlural(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** Formats a rate or mean reward with fixed decimals. Null is the em dash; NaN and infinities are words. */
export function formatReward(value: number | null, decimals = 3): string {
  if (value === null) return MISSING;
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return value.toFixed(decimals).replace("-", "\u2212");
}

/** Formats a share from 0 to 1 with one decimal. Null is the em dash. */
export function formatPercent(share: number | null): string {
  return share === null || !Number.isFinite(share) ? MISSING : `${(share * 100).toFixed(1)} %`;
}

/**
 * Formats a difference of rates in signed points with one decimal, and more if it would print as 0: an interval's end near 0 must
 * not seem to be on it. Null is the em dash.
 */
export function formatPoints(difference: number | null): string {
  return formatDifference(difference, true);
}

/** Rounding of a sum of doubles. */
const ROUNDING = 1e-12;

/** As {@link formatPoints} for rates, else three decimals. A difference within the rounding of sums, 1e-12, is 0. */
export function formatDifference(difference: number | null, isRate: boolean): string {
  if (difference === null || !Number.isFinite(difference)) return MISSING;
  const text = formatSize(difference, isRate);
  if (Math.abs(difference) < ROUNDING) return text;
  return `${difference > 0 ? "+" : "\u2212"}${text}`;
}

export function formatSize(difference: number, isRate: boolean): string {
  const size = Math.abs(difference) < ROUNDING ? 0 : Math.abs(isRate ? difference * 100 : difference);
  const decimals = isRate ? 1 : 3;
  const text = size.toFixed(decimals);
  if (size === 0 || Number(text) > 0) return text;
  return size.toFixed(Math.min(100, -Math.floor(Math.log10(size))));
}

/** Formats the interval of every table, chart and sentence: `0.412 to 0.533`, `\u22121.1 to +16.8`. */
export function formatRange(
  { low, high }: { readonly low: number; readonly high: number },
  format: (value: number) => string = formatReward,
): string {
  return `${format(low)} to ${format(high)}`;
}

/**
 * Formats the margin of an estimate: `±0.080`, or both ends, `[0.470, 0.612]`.
 * @param margin - see `computeMargin` of `lib/core/stats`; null if the sides differ
 */
export function formatMargin(
  margin: number | null,
  { low, high }: { readonly low: number; readonly high: number },
  format: (value: number) => string = formatReward,
): string {
  return margin === null ? `[${format(low)}, ${format(high)}]` : `±${format(margin)}`;
}

export function describeMean(mean: number, bounds: Parameters<typeof formatRange>[0] | null): string {
  return `${formatReward(mean)}, ${bounds === null ? "no interval" : `95 % interval ${formatRange(bounds)}`}`;
}

export function formatDifferenceRange(range: Parameters<typeof formatRange>[0], isRate: boolean): string {
  return formatRange(range, (value) => formatDifference(value, isRate));
}

/** Formats three decimals, never 0, and never 0.05 if the value is less. */
export function formatPValue(p: number): string {
  if (p < 0.001) return "< 0.001";
  return p < 0.05 && p.toFixed(3) === "0.050" ? "< 0.050" : p.toFixed(3);
}

/** US dollars with two decimals, two significant digits below ten cents, a power of ten from 1e15 on. Null is the em dash. */
export function formatCost(costUsd: number | null): string {
  if (costUsd === null || !Number.isFinite(costUsd)) return MISSING;
  if (costUsd > 0 && costUsd < 0.0995) return String(Number(costUsd.toPrecision(2)));
  return isWrittenOut(costUsd) ? COST.format(costUsd) : formatPower(costUsd);
}

/** Formats B, KB or MB (powers of 1,000). */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1000).toFixed(1)} KB`;
  if (sizeBytes < 1_000_000_000) return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
  return `${(sizeBytes / 1_000_000_000).toFixed(1)} GB`;
}

export function formatMissingCosts(nMissing: number, n: number): string | null {
  return nMissing === 0 ? null : `${formatCount(nMissing)} of ${formatPlural(n, "cost")} missing`;
}
