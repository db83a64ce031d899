import type { JobState } from "./job";

/**
 * What states how many trials a job was to have. `lock`: the plan in lock.json. `total`: `n_total_trials` in result.json.
 * `names`: the trial names in the lists of result.json, where they are more than that. `config`: the tasks, agents and
 * attempts that config.json asks for.
 */
export type PlanSource = "lock" | "total" | "names" | "config";

/** How many trials a job was to have, a whole number of at least 0, and what states it. */
export interface PlannedTrials {
  readonly count: number;
  readonly source: PlanSource;
}

/** What each source does with the number, so that the number can follow: `result.json counts 89`. */
export const PLAN_SOURCE_WORDS: Readonly<Record<PlanSource, string>> = {
  lock: "lock.json plans",
  total: "result.json counts",
  names: "result.json names",
  config: "config.json asks for",
};

/** Trials that a job was to have and that are not here: 0 when all are here or nothing states how many it was to have. */
export function countAbsentTrials(planned: PlannedTrials | null, nTrials: number): number {
  return Math.max(0, (planned?.count ?? 0) - nTrials);
}

/** Whether every planned trial is known to have begun: only a job that ended begins all, and a listed name began. */
export function haveAllBegun({ source }: PlannedTrials, state: JobState): boolean {
  return state === "finished" || source === "names";
}
