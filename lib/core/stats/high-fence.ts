import { computeSortedQuantile } from "./bootstrap";

export interface HighFence {
  readonly median: number;
  /** Upper quartile plus 1.5 times the interquartile range, both of logarithms. */
  readonly fence: number;
  /** Values above 0; others are excluded. */
  readonly n: number;
}

const LEAST_VALUES = 8;

/**
 * Computes Tukey's upper fence of the logarithms of positive values, such as costs, which spread by factors; null below eight
 * values.
 * @see Tukey, "Exploratory Data Analysis" (1977), section 2D
 */
export function computeHighFence(values: readonly number[]): HighFence | null {
  const logs = values
    .filter((value) => value > 0 && Number.isFinite(value))
    .map(Math.log)
    .sort((a, b) => a - b);
  if (logs.length < LEAST_VALUES) return null;
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => computeSortedQuantile(logs, share));
  if (low === undefined || median === undefined || high === undefined) return null;
  return { median: Math.exp(median), fence: Math.exp(high + 1.5 * (high - low)), n: logs.length };
}
