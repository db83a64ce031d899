import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import type { TaskValues } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** Why a trial has no value: the machinery failed (`infra`), it was stopped at a limit (`timeout`), or anything else. */
export type MissingCause = "infra" | "timeout" | "other";

export interface TrialValue {
  readonly task: string;
  readonly value: number | null;
  /** Only asked of a trial without a value. */
  readonly cause: MissingCause;
}

/**
 * What missing values could stand for. `as-scored`: 0. `infra-excluded`, `timeouts-excluded`: those are left out, others
 * stay 0. `missing-excluded`: all are left out. `lowest`, `highest`: all are the lowest or highest value there can be.
 */
export type MissingScenarioName =
  | "as-scored"
  | "infra-excluded"
  | "timeouts-excluded"
  | "missing-excluded"
  | "lowest"
  | "highest";

export interface MissingScenario {
  readonly name: MissingScenarioName;
  readonly result: MeanInterval | Unavailable;
  /** Trials that are left out or get another value than as scored. */
  readonly nMoved: number;
}

/** A mean under every reading of missing values, and how many there are of each kind. */
export interface MissingScenarios {
  readonly kind: "computed";
  readonly nTrials: number;
  readonly nTasks: number;
  readonly nMissing: Readonly<Record<MissingCause, number>>;
  readonly scenarios: readonly MissingScenario[];
}

/** A value that leaves the trial out. */
const OUT = null;

/**
 * How far missing values could move a mean: six readings in the order of {@link MissingScenarioName}; `no-tasks` without
 * trials.
 * @param options.range - the lowest and highest value there can be, 0 and 1 unless given
 * @see Manski, "Partial Identification of Probability Distributions" (2003), chapter 1, bounds
 */
export function computeMissingScenarios(
  trials: readonly TrialValue[],
  options: { readonly range?: { readonly low: number; readonly high: number } } = {},
): MissingScenarios | Unavailable {
  if (trials.length === 0) return declareUnavailable("no-tasks");
  const { low, high } = options.range ?? { low: 0, high: 1 };
  const fill = (
    name: MissingScenarioName,
    replace: (cause: MissingCause) => number | null,
  ): MissingScenario => ({
    name,
    result: computeMeanInterval(groupByTask(trials, replace), { missing: "exclude" }),
    nMoved: trials.filter((trial) => isMissing(trial) && replace(trial.cause) !== 0).length,
  });
  const count = (cause: MissingCause) =>
    trials.filter((trial) => isMissing(trial) && trial.cause === cause).length;
  return {
    kind: "computed",
    nTrials: trials.length,
    nTasks: new Set(trials.map(({ task }) => task)).size,
    nMissing: { infra: count("infra"), timeout: count("timeout"), other: count("other") },
    scenarios: [
      fill("as-scored", () => 0),
      fill("infra-excluded", (cause) => (cause === "infra" ? OUT : 0)),
      fill("timeouts-excluded", (cause) => (cause === "timeout" ? OUT : 0)),
      fill("missing-excluded", () => OUT),
      fill("lowest", () => low),
      fill("highest", () => high),
    ],
  };
}

function isMissing({ value }: TrialValue): boolean {
  return value === null || Number.isNaN(value);
}

function groupByTask(
  trials: readonly TrialValue[],
  replace: (cause: MissingCause) => number | null,
): readonly TaskValues[] {
  return [...Map.groupBy(trials, ({ task }) => task)].map(([task, own]) => ({
    task,
    values: own.map((trial) => (isMissing(trial) ? replace(trial.cause) : trial.value)),
  }));
}
