import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import type { MissingRule, TaskValues } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** What a score can be read without: a trial that the machinery failed, or one stopped at its agent's time limit. */
export type Exclusion = "infrastructure" | "timeout";

/** A finished trial as a score counts it. */
export interface SensitivityTrial {
  readonly task: string;
  /** Null and NaN are missing. */
  readonly value: number | null;
  /** Null for a trial that no reading leaves out for what ended it, `unknown` while that is not known. */
  readonly exclusion: Exclusion | "unknown" | null;
}

/**
 * How a score can be read. `recorded`: every finished trial. `without-infrastructure`, `without-timeouts`, `without-both`: those are
 * left out, whether or not they left a value. `without-missing`: trials without a value are left out. `lowest`, `highest`: every missing value is 0, or 1.
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

/** A score under one reading. */
export interface ScoreReading {
  readonly result: MeanInterval | Unavailable;
  /** Trials that are left out or have another value than as recorded. */
  readonly nMoved: number;
}

/** The readings that go by what ended a trial. */
type EndReadingName = "without-infrastructure" | "without-timeouts" | "without-both";

/** A score under a reading that cannot be given before it is known what ended every trial. */
interface PendingReading {
  readonly result: Unavailable;
  readonly nMoved: null;
}

/** A score under every reading. */
export interface Sensitivity {
  readonly kind: "computed";
  readonly nTrials: number;
  readonly nTasks: number;
  readonly nMissing: number;
  /** Trials of which it is not known what ended them. While there are any, the readings that go by it have no score. */
  readonly nUnknown: number;
  readonly readings: Readonly<
    Record<Exclude<ReadingName, EndReadingName>, ScoreReading> &
      Record<EndReadingName, ScoreReading | PendingReading>
  >;
}

/**
 * How far a mean depends on which trials count and on what missing values stand for.
 *
 * @param options.missing - what a missing value is as recorded, and in the readings that leave others out
 * @returns `no-tasks` without trials; `lowest` and `highest` are `no-ends` where a value is not from 0 to 1; what goes by what ended
 *   a trial is `ends-unknown` while that is not known of all
 * @see Manski, "Partial Identification of Probability Distributions" (2003), chapter 1, bounds
 */
export function computeSensitivity(
  trials: readonly SensitivityTrial[],
  { missing }: { readonly missing: MissingRule },
): Sensitivity | Unavailable {
  if (trials.length === 0) return declareUnavailable("no-tasks");
  const nMissing = trials.filter(isMissing).length;
  const nUnknown = trials.filter(({ exclusion }) => exclusion === "unknown").length;
  const recorded = computeMeanInterval(groupByTask(trials), { missing });
  const leaveOut = (isOut: (trial: SensitivityTrial) => boolean): ScoreReading => {
    const kept = trials.filter((trial) => !isOut(trial));
    const nMoved = trials.length - kept.length;
    if (nMoved === 0) return { result: recorded, nMoved };
    const result =
      kept.length === 0
        ? declareUnavailable("no-values")
        : computeMeanInterval(groupByTask(kept), { missing });
    return { result, nMoved };
  };
  const leaveOutEnded = (isOut: (trial: SensitivityTrial) => boolean): ScoreReading | PendingReading =>
    nUnknown > 0 ? { result: declareUnavailable("ends-unknown"), nMoved: null } : leaveOut(isOut);
  const isShare = trials.every((trial) => isMissing(trial) || isInside(trial.value));
  const fill = (end: 0 | 1): ScoreReading => {
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
  };
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
