import { computeMeanInterval } from "./mean-interval";
import type { MissingRule, TaskValues } from "./task-values";
import { type Computed, declareUnavailable } from "./unavailable";

export type Exclusion = "infrastructure" | "timeout";

export interface SensitivityTrial {
  readonly task: string;
  /** Null and NaN are missing. */
  readonly value: number | null;
  /** Null for a trial that every reading includes, `unknown` while its end is not classified. */
  readonly exclusion: Exclusion | "unknown" | null;
}

/**
 * Readings of a score. `recorded`: every finished trial. `without-infrastructure`, `without-timeouts`, `without-both`: excludes
 * such trials, with or without a value. `without-missing`: excludes trials without a value. `lowest`, `highest`: every missing
 * value is 0, or 1.
 */
export const READINGS = [
  "recorded",
  "without-infrastructure",
  "without-timeouts",
  "without-both",
  "without-missing",
  "lowest",
  "highest",
] as const;

export type ReadingName = (typeof READINGS)[number];

export type Sensitivity = Computed<typeof computeSensitivity>;

/**
 * Computes how far a mean depends on which trials count and on the value of missing rewards.
 * @param options.missing - rule for a missing value as recorded, and in the readings that exclude other trials
 * @returns `no-tasks` without trials; `lowest` and `highest` are `no-ends` where a value is not from 0 to 1; readings that depend
 * on how a trial ended are `ends-unknown` until all trials are classified
 * @see Manski, "Partial Identification of Probability Distributions" (2003), chapter 1, bounds
 */
export function computeSensitivity(
  trials: readonly SensitivityTrial[],
  { missing }: { readonly missing: MissingRule },
) {
  if (trials.length === 0) return declareUnavailable("no-tasks");
  const nMissing = trials.filter(isMissing).length;
  const nUnknown = trials.filter(({ exclusion }) => exclusion === "unknown").length;
  const recorded = computeMeanInterval(groupByTask(trials), { missing });
  const leaveOut = (isOut: (trial: SensitivityTrial) => boolean) => {
    const kept = trials.filter((trial) => !isOut(trial));
    const nMoved = trials.length - kept.length;
    if (nMoved === 0) return { result: recorded, nMoved };
    const result =
      kept.length === 0
        ? declareUnavailable("no-values")
        : computeMeanInterval(groupByTask(kept), { missing });
    return { result, nMoved };
  };
  const leaveOutEnded = (isOut: (trial: SensitivityTrial) => boolean) =>
    nUnknown > 0 ? { result: declareUnavailable("ends-unknown"), nMoved: null } : leaveOut(isOut);
  const isShare = trials.every((trial) => isMissing(trial) || isInside(trial.value));
  const fill = (end: 0 | 1) => {
    const nMoved = missing === "zero" && end === 0 ? 0 : nMissing;
    if (!isShare) return { result: declareUnavailable("no-ends"), nMoved };
    if (nMoved === 0) return { result: recorded, nMoved };
    const filled = trials.map((trial) => (isMissing(trial) ? { ...trial, value: end } : trial));
    return { result: computeMeanInterval(groupByTask(filled), { missing }), nMoved };
  };
  const withoutMissing =
    missing === "exclude" ? { result: recorded, nMoved: 0 } : leaveOut((trial) => isMissing(trial));
  return {
    kind: "computed",
    nTrials: trials.length,
    nTasks: new Set(trials.map(({ task }) => task)).size,
    nMissing,
    /** Trials whose end is not classified. While there are any, readings that depend on it have no score. */
    nUnknown,
    readings: {
      recorded: { result: recorded, nMoved: 0 },
      "without-infrastructure": leaveOutEnded(({ exclusion }) => exclusion === "infrastructure"),
      "without-timeouts": leaveOutEnded(({ exclusion }) => exclusion === "timeout"),
      "without-both": leaveOutEnded(({ exclusion }) => exclusion !== null),
      "without-missing": withoutMissing,
      lowest: fill(0),
      highest: fill(1),
    },
  } as const;
}

function isMissing({ value }: SensitivityTrial): boolean {
  return value === null || Number.isNaN(value);
}

function isInside(value: number | null): boolean {
  return value !== null && value >= 0 && value <= 1;
}

function groupByTask(trials: readonly SensitivityTrial[]): readonly TaskValues[] {
  return [...Map.groupBy(trials, ({ task }) => task)].map(([task, own]) => ({
    task,
    values: own.map((trial) => (isMissing(trial) ? null : trial.value)),
  }));
}
