import "server-only";

import { classifyCause, EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import type { ExceptionCause } from "@/lib/domain/exception-cause";
import { selectHeadlineReward } from "@/lib/domain/trial";
import { computeMeanInterval, computeWilsonInterval } from "@/lib/stats";
import type { MeanInterval, RateInterval, TaskValues, Unavailable } from "@/lib/stats";

import { getErrorsScope } from "./errors-page";
import type { Contender, ErrorsFilter, ErrorsScope, ScopedTrial } from "./errors-page";

/** How often one contender's trials ended with an exception, and with which causes. */
export interface AgentErrors {
  readonly contender: Contender;
  readonly rate: RateInterval | Unavailable;
  readonly causes: Readonly<Record<ExceptionCause, number>>;
}

/** What missing rewards can do to one contender's mean reward. */
export interface ScoreEffect {
  readonly contender: Contender;
  readonly nMissing: number;
  /** Missing counts 0, as Harbor scores it. */
  readonly asScored: MeanInterval | Unavailable;
  readonly leftOut: MeanInterval | Unavailable;
  readonly asOne: MeanInterval | Unavailable;
}

/** The second part of the errors page: contenders. */
export interface ErrorsByAgent {
  /** Most exceptions first; contenders without any are included, since theirs is a rate too. */
  readonly agents: readonly AgentErrors[];
  /** Only contenders with a missing reward. */
  readonly effects: readonly ScoreEffect[];
}

/** Exceptions and missing rewards by contender, over the chosen jobs and agents. */
export async function getErrorsByAgent(filter: ErrorsFilter): Promise<ErrorsByAgent> {
  return groupErrorsByAgent(await getErrorsScope(filter));
}

/** The contenders of a scope. */
export function groupErrorsByAgent(scope: ErrorsScope): ErrorsByAgent {
  const byContender = Map.groupBy(scope.trials, ({ contender }) => contender);
  const own = scope.contenders.map((contender) => ({
    contender,
    trials: byContender.get(contender.name) ?? [],
  }));
  return {
    agents: own.map(({ contender, trials }) => toAgentErrors(contender, trials)),
    effects: own
      .map(({ contender, trials }) => toScoreEffect(contender, trials))
      .filter(({ nMissing }) => nMissing > 0),
  };
}

function toAgentErrors(contender: Contender, trials: readonly ScopedTrial[]): AgentErrors {
  const types = trials.flatMap(({ trial }) => trial.exception?.type ?? []);
  const causes = { limit: 0, agent: 0, provider: 0, infrastructure: 0, verifier: 0, cancelled: 0, other: 0 };
  for (const type of types) causes[classifyCause(type)]++;
  return { contender, rate: computeWilsonInterval(types.length, trials.length), causes };
}

/** Causes that occur at all, in the order of the causes. */
export function listCauses(agents: readonly AgentErrors[]): readonly ExceptionCause[] {
  return EXCEPTION_CAUSES.filter((cause) => agents.some(({ causes }) => causes[cause] > 0));
}

function toScoreEffect(contender: Contender, trials: readonly ScopedTrial[]): ScoreEffect {
  // The same task name in two data sets or jobs without one is two tasks.
  const byTask = Map.groupBy(
    trials,
    ({ entry, trial }) => `${trial.source ?? entry.job.key} ${trial.taskName}`,
  );
  const tasks = [...byTask].map(([task, own]): TaskValues => ({ task, values: own.map(readReward) }));
  const filled = tasks.map(({ task, values }) => ({ task, values: values.map((value) => value ?? 1) }));
  return {
    contender,
    nMissing: tasks.flatMap(({ values }) => values).filter((value) => value === null).length,
    asScored: computeMeanInterval(tasks, { missing: "zero" }),
    leftOut: computeMeanInterval(tasks, { missing: "exclude" }),
    asOne: computeMeanInterval(filled, { missing: "zero" }),
  };
}

function readReward({ trial }: ScopedTrial): number | null {
  const headline = selectHeadlineReward(trial.rewards);
  const reward = headline === null ? null : Number(headline.value);
  return reward === null || Number.isNaN(reward) ? null : reward;
}
