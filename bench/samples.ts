/** Several runs of one measurement: the middle one and how far they lie apart. */
interface Spread {
  readonly n: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Waiting times of one series of requests, in milliseconds. */
interface Latency {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The value below which `share` (0 to 1) of the values lie, by nearest rank, so that it is one that was measured. */
function computePercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Median and extremes; null without values, since nothing measured is not 0. */
export function computeSpread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return {
    n: sorted.length,
    median: (lower + upper) / 2,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
}

/** Percentiles of waiting times; null without values. */
export function computeLatency(values: readonly number[]): Latency | null {
  if (values.length === 0) return null;
  return {
    n: values.length,
    p50: computePercentile(values, 0.5),
    p95: computePercentile(values, 0.95),
    p99: computePercentile(values, 0.99),
    max: computePercentile(values, 1),
  };
}

/** A number with about three figures, as tables print it. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: 0 });
}

/** `median (min..max)`; an em dash when nothing was measured. */
export function formatSpread(
  spread: Spread | null,
  format: (value: number) => string = formatFigure,
): string {
  if (spread === null) return "—";
  if (spread.n === 1) return format(spread.median);
  return `${format(spread.median)} (${format(spread.min)}..${format(spread.max)})`;
}

/** Bytes as megabytes of 1,000,000. */
export function formatMegabytes(bytes: number): string {
  return formatFigure(bytes / 1e6);
}
