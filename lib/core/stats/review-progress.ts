import { computeSortedQuantile } from "./bootstrap";

/** A reviewer who saves nothing for longer took a break. */
const LONGEST_SECONDS = 15 * 60;
const FEWEST_INTERVALS = 3;

export type Pace = ReturnType<typeof computePace>;

/**
 * Computes the median time between saves and the expected time for the rest, without breaks of more than 15 minutes. It is the
 * time of a whole review, reading included, if each trial is saved once.
 * @param saves - times at which one reviewer saved, in ms of one clock, in any order; non-finite times are ignored
 * @param nRemaining - trials still to review, at least 0
 */
export function computePace(saves: readonly number[], nRemaining: number) {
  const times = saves.filter((time) => Number.isFinite(time)).toSorted((a, b) => a - b);
  const intervals = times.slice(1).map((time, index) => (time - (times[index] ?? time)) / 1000);
  const kept = intervals.filter((seconds) => seconds <= LONGEST_SECONDS).toSorted((a, b) => a - b);
  const median = kept.length < FEWEST_INTERVALS ? null : computeSortedQuantile(kept, 0.5);
  return {
    /** Between consecutive saves; null with fewer than three intervals. */
    medianSeconds: median,
    nIntervals: kept.length,
    nBreaks: intervals.length - kept.length,
    /** Seconds for the remaining trials; null where the median is. */
    secondsLeft: median === null ? null : median * Math.max(0, nRemaining),
  } as const;
}

const WINDOW = 20;

export type Saturation = ReturnType<typeof computeSaturation>;

/**
 * Counts distinct categories after each review, and new ones in the last 20.
 * @param judgments - the categories of each review in the order of reviewing; empty for a review without any
 */
export function computeSaturation(judgments: readonly (readonly string[])[]) {
  const seen = new Set<string>();
  const cumulative = judgments.map((categories) => {
    for (const category of categories) seen.add(category);
    return seen.size;
  });
  const nRecent = Math.min(WINDOW, judgments.length);
  const before = cumulative[judgments.length - nRecent - 1] ?? 0;
  return {
    nReviews: judgments.length,
    nCategories: seen.size,
    cumulative,
    nRecent,
    nNewInRecent: seen.size - before,
  } as const;
}
