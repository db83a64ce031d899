import { computeSortedQuantile } from "./bootstrap";

/** A reviewer who saves nothing for longer took a break. */
const LONGEST_SECONDS = 15 * 60;
const FEWEST_INTERVALS = 3;

export interface Pace {
  /** Between consecutive saves; null with fewer than three intervals. */
  readonly medianSeconds: number | null;
  readonly nIntervals: number;
  readonly nBreaks: number;
  /** Seconds for the remaining trials; null where the median is. */
  readonly secondsLeft: number | null;
}

/**
 * Computes the median time between saves and the expected time for the rest, without breaks of more than 15 minutes. It is the
 * time of a whole review, reading included, if each trial is saved once.
 * @param saves - times at which one reviewer saved, in ms of one clock, in any order; non-finite times are ignored
 * @param nRemaining - trials still to review, at least 0
 */
export function computePace(saves: readonly number[], nRemaining: number): Pace {
  const times = saves.filter((time) => Number.isFinite(time)).toSorted((a, b) => a - b);
  const intervals = times.slice(1).map((time, index) => (time - (times[index] ?? time)) / 1000);
  const kept = intervals.filter((seconds) => seconds <= LONGEST_SECONDS).toSorted((a, b) => a - b);
  const median = kept.length < FEWEST_INTERVALS ? null : computeSortedQuantile(kept, 0.5);
  return {
    medianSeconds: median,
    nIntervals: kept.length,
    nBreaks: intervals.length - kept.length,
    secondsLeft: median === null ? null : median * Math.max(0, nRemaining),
  };
}
