import type { Micros } from "./clock";
import type { TrialRecord } from "./record";

/** A trial to run: given a start, the finished record. */
export type TrialMaker = (from: Micros) => TrialRecord;

/**
 * Runs makers in order on `slots` parallel slots: each starts where a slot becomes free first.
 *
 * @returns records in the order of the makers
 */
export function scheduleTrials(makers: readonly TrialMaker[], slots: number, from: Micros): TrialRecord[] {
  const free = Array.from({ length: Math.max(1, slots) }, (_, index) => from + 410_000 + index * 37_113);
  return makers.map((make) => {
    const slot = free.indexOf(Math.min(...free));
    const record = make(free[slot] ?? from);
    free[slot] = record.span.to + 52_417;
    return record;
  });
}

/** End of the last trial. */
export function lastEnd(trials: readonly TrialRecord[], from: Micros): Micros {
  return trials.reduce((end, trial) => Math.max(end, trial.span.to), from);
}
