import { computeSortedQuantile } from "./bootstrap";

/** Whoever saves nothing for longer did something else. */
const LONGEST_SECONDS = 15 * 60;
const FEWEST_INTERVALS = 3;

/** How fast one reviewer works. */
export interface Pace {
  /** Between saves that follow each other; null with fewer than three intervals. */
  readonly medianSeconds: number | null;
  /** Intervals behind the median. */
  readonly nIntervals: number;
  /** Intervals of more than 15 minutes, left out. */
  readonly nBreaks: number;
  /** Seconds for the trials that remain; null where the median is. */
  readonly secondsLeft: number | null;
}

/**
 * The median time from one save to the next and what the rest will take, breaks of more than 15 minutes left out. It is the
 * time of a whole review, reading included, if each trial is saved once.
 * @param saves - when one reviewer saved, in milliseconds of one clock, in any order; those that are not finite are left out
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
