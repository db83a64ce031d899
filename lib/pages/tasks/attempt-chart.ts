import "server-only";
import {
  ATTEMPT_SPENT,
  type AttemptHeight,
  type AttemptSpent,
  prepareAttemptChart,
} from "@/lib/core/charts/attempt-chart";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatCost, formatCount, formatReward } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import type { TaskParams } from "@/lib/pages/tasks/address";
import { namePlace, type DatasetTrial } from "@/lib/store/tables";

import { listCounted, nameAgent } from "./counted";
import type { TaskPage } from "./page";

/** Fewer points show no shape. */
const LEAST_POINTS = 5;
/** Values further from 0 would flatten all others. */
const MOST_DRAWN = 1e12;
const MAX_POINTS = 200;

interface Measure {
  readonly field: string;
  readonly read: (trial: DatasetTrial) => number | null;
  readonly format: (value: number) => string;
}

const MEASURES: Readonly<Record<AttemptSpent | AttemptHeight, Measure>> = {
  cost: { field: "cost_usd", read: ({ costUsd }) => costUsd, format: formatCost },
  time: { field: "duration_ms", read: ({ durationMs }) => durationMs, format: formatDuration },
  steps: { field: "n_steps", read: ({ nSteps }) => nSteps, format: formatCount },
  reward: { field: "reward", read: ({ reward }) => reward, format: (value) => formatReward(value) },
};

export type AttemptChart = ReturnType<typeof draw>;

export function getAttemptChart(
  page: TaskPage,
  { spent: askedSpent, height: askedHeight }: Pick<TaskParams, "spent" | "height">,
) {
  const counted = listCounted(page);
  const select = (spent: AttemptSpent, height: AttemptHeight) =>
    counted.filter((trial) => isKnown(MEASURES[spent].read(trial)) && isKnown(MEASURES[height].read(trial)));
  const pairs = ATTEMPT_SPENT.flatMap((spent) =>
    listHeights(counted).map((height) => ({ spent, height, trials: select(spent, height) })),
  );
  if (pairs.every(({ trials }) => trials.length < LEAST_POINTS)) return null;
  const fitting = pairs.filter(
    ({ spent, height }) => spent === (askedSpent ?? spent) && height === (askedHeight ?? height),
  );
  const chosen = fitting.find(({ trials }) => trials.length >= LEAST_POINTS) ?? fitting[0];
  return chosen === undefined ? null : draw(page, chosen, counted.length);
}

/** Rewards other than pass and fail tell more than steps do. */
function listHeights(trials: readonly DatasetTrial[]): readonly AttemptHeight[] {
  const isPartial = trials.some(({ outcome }) => outcome === "partial");
  return isPartial ? ["reward", "steps"] : ["steps", "reward"];
}

function isKnown(value: number | null): value is number {
  return value !== null && Math.abs(value) <= MOST_DRAWN;
}

function draw(
  { agents }: TaskPage,
  { spent, height, trials }: { spent: AttemptSpent; height: AttemptHeight; trials: readonly DatasetTrial[] },
  nCounted: number,
) {
  const [x, y] = [MEASURES[spent], MEASURES[height]];
  const identities = new Map(agents.map((agent) => [nameAgent(agent), agent.identity]));
  const shown = trials.slice(0, MAX_POINTS);
  const rows = shown.map((trial) => {
    const { jobKey, jobName, key, agent, model, attempt, outcome } = trial;
    return {
      ...{ jobKey, jobName, key, agent, model, attempt, outcome },
      identity: identities.get(nameAgent(trial)) ?? 0,
      spent: x.format(x.read(trial) ?? 0),
      height: y.format(y.read(trial) ?? 0),
    };
  });
  const points = shown.map((trial, at) => ({
    id: namePlace(trial),
    identity: rows[at]?.identity ?? 0,
    spent: x.read(trial) ?? 0,
    height: y.read(trial) ?? 0,
    isPassed: trial.outcome === "passed",
    title: `${trial.agent}, attempt ${trial.attempt}, ${OUTCOME_WORDS[trial.outcome]}`,
  }));
  const head = ["job", "trial", "agent", "model", "outcome", x.field, y.field];
  const lines = shown.map((trial) => {
    const { jobName, key, agent, model, outcome } = trial;
    return [jobName, key, agent, model, outcome, x.read(trial), y.read(trial)];
  });
  return {
    spent,
    height,
    chart: trials.length < LEAST_POINTS ? null : prepareAttemptChart(points, spent, height),
    rows,
    nMore: trials.length - shown.length,
    nUnknown: nCounted - trials.length,
    csv: [head, ...lines].map(formatCsvLine).join(""),
  };
}
