import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { readCost } from "@/lib/core/domain/spending";
import { sumTokens, type TrialRecord } from "@/lib/core/domain/trial";
import type { TrialSort } from "@/lib/core/fields/trials.fields";

import { type Column, orNull, real } from "./table";

/** Numbers of one trial that `trials` has columns for. */
const VALUES = {
  costUsd: readCost,
  nTokens: ({ tokens }) => sumTokens(tokens),
  durationMs: ({ time }) => computeDurationMs(time),
  startedMs: ({ time }) => time.startedAt?.epochMs ?? null,
} as const satisfies Readonly<Record<string, (trial: TrialRecord) => number | null>>;

type ByValue<Held> = Readonly<Record<keyof typeof VALUES, Held>>;

/** Sort keys: columns of `trials`, and values that `selectAllTrials` computes. */
export const TRIAL_ORDERS: Readonly<Record<TrialSort, readonly string[]>> = {
  task: ["trials.taskPosition", "trials.groupKey", "trials.attempt"],
  agent: ["trials.groupKey"],
  outcome: ["trials.outcome"],
  exception: ["trials.exceptionType"],
  reward: ["shownReward"],
  cost: ["trials.costUsd"],
  duration: ["trials.durationMs"],
  tokens: ["trials.nTokens"],
  steps: ["nSteps"],
  errors: ["nErrors"],
  started: ["trials.startedMs"],
};

export const VALUE_COLUMNS = mapValues((): Column<number | null> => orNull(real()));

export function readTrialValues(trial: TrialRecord): ByValue<number | null> {
  return mapValues((read) => read(trial));
}

function mapValues<Held>(write: (read: (trial: TrialRecord) => number | null) => Held): ByValue<Held> {
  return Object.fromEntries(
    Object.entries(VALUES).map(([name, read]) => [name, write(read)]),
  ) as ByValue<Held>; // Each of its keys.
}
