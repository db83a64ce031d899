import type { Confusion, VerdictCounts } from "./verifier-accuracy";

/**
 * A benchmark's pass rate as humans would have it. `by-verdict`: corrected by labels of this very benchmark.
 * `rogan-gladen`: by an outside calibration set.
 */
export interface CorrectedScore {
  readonly kind: "computed";
  readonly method: "by-verdict" | "rogan-gladen";
  /** The verifier's pass rate. */
  readonly observed: number;
  readonly corrected: number;
  /** Corrected minus observed. */
  readonly shift: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly standardError: number;
  /** `same-trials`: only which trials were labelled is chance. `new-tasks`: the tasks are too. */
  readonly estimand: "same-trials" | "new-tasks";
  readonly nTrials: number;
  readonly nLabels: number;
  /** Rogan and Gladen: TPR + TNR - 1, which the correction divides by; null by verdict. */
  readonly divisor: number | null;
  /** Whether the corrected rate came out beyond 0 or 1 and was held there. */
  readonly isClipped: boolean;
}

/** Fewer labels of a verdict than this do not say how far it can be trusted. */
export const FEWEST_LABELS = 5;

/** One task's verdicts and its labels. */
export interface TaskVerdicts extends VerdictCounts {
  readonly task: string;
  /** Labels drawn from these trials, at any rate per verdict. */
  readonly labels: Confusion;
}

/** The verdicts of all tasks. */
export function sumVerdicts(tasks: readonly TaskVerdicts[]): VerdictCounts {
  return {
    nPassed: tasks.reduce((sum, { nPassed }) => sum + nPassed, 0),
    nFailed: tasks.reduce((sum, { nFailed }) => sum + nFailed, 0),
  };
}

/** The labels of all tasks. */
export function sumLabels(tasks: readonly TaskVerdicts[]): Confusion {
  const sum = (cell: keyof Confusion) => tasks.reduce((total, { labels }) => total + labels[cell], 0);
  return {
    bothPassed: sum("bothPassed"),
    onlyVerifierPassed: sum("onlyVerifierPassed"),
    onlyHumanPassed: sum("onlyHumanPassed"),
    bothFailed: sum("bothFailed"),
  };
}
