import "server-only";

import type { ErrorsFilter } from "@/lib/addresses/errors";

import { sumBy } from "@/lib/domain/sum-by";
import { EXCEPTION_CAUSES, type ExceptionCause } from "@/lib/domain/exception-cause";
import {
  computeMeanInterval,
  computeWilsonInterval,
  type MeanInterval,
  type RateInterval,
  type Unavailable,
} from "@/lib/stats";
import { type IndexStore, readRewardTallies } from "@/lib/store";

import { getCached } from "../shell/catalog";
import { type AgentModel, type ErrorsScope, getErrorsScope } from "./page";

/** How often one agent-model pair's trials ended with an exception, and with which causes. */
export interface AgentErrors {
  readonly agentModel: AgentModel;
  readonly rate: RateInterval | Unavailable;
  /** Trials by cause; one that ended none is absent. */
  readonly causes: ReadonlyMap<ExceptionCause, number>;
}

/** Effect of missing rewards on the mean of one agent-model pair. */
export interface ScoreEffect {
  readonly agentModel: AgentModel;
  readonly nMissing: number;
  /** Missing counts 0, as Harbor scores it. */
  readonly asScored: MeanInterval | Unavailable;
  readonly leftOut: MeanInterval | Unavailable;
  readonly asOne: MeanInterval | Unavailable;
}

/** Trials whose rewards are read at a time. */
const MOST_AT_ONCE = 50_000;

/** What missing rewards can do to the chosen agents' means in the chosen jobs; computed once for each generation. */
export async function getScoreEffects(filter: ErrorsFilter): Promise<readonly ScoreEffect[]> {
  const scope = await getErrorsScope(filter);
  const name = JSON.stringify(["score effects", filter.jobs.toSorted(), filter.agents.toSorted()]);
  return getCached(name, (store) => readScoreEffects(store, scope));
}

/** Exceptions of a scope by agent-model pair, most first; pairs without any are included with rate 0. */
export function groupErrorsByAgent({
  agentModels,
  tallies,
  agentModelOf,
}: ErrorsScope): readonly AgentErrors[] {
  const byAgentModel = Map.groupBy(tallies, agentModelOf);
  return agentModels.map((agentModel) => {
    const own = byAgentModel.get(agentModel.name) ?? [];
    const causes = sumBy(
      own,
      ({ cause }) => cause,
      ({ count }) => count,
    );
    const nErrors = own.reduce((sum, { count }) => sum + count, 0);
    return { agentModel, rate: computeWilsonInterval(nErrors, agentModel.nTrials), causes };
  });
}

/** Causes that occur at all, in the order of the causes. */
export function listCauses(agents: readonly AgentErrors[]): readonly ExceptionCause[] {
  return EXCEPTION_CAUSES.filter((cause) => agents.some(({ causes }) => causes.has(cause)));
}

/** Rewards by task; null is a missing one. */
type TaskRewards = Map<string, (number | null)[]>;

/** Effect of missing rewards on the means of agent-model pairs that lack one. */
export async function readScoreEffects(
  store: IndexStore,
  scope: ErrorsScope,
): Promise<readonly ScoreEffect[]> {
  const missing = new Map<string, TaskRewards>();
  for (const group of scope.totals) {
    if (group.nRewarded < group.nFinished) missing.set(scope.agentModelOf(group), new Map());
  }
  await collectRewards(store, scope, missing);
  return scope.agentModels.flatMap((agentModel) => {
    const tasks = missing.get(agentModel.name);
    return tasks === undefined ? [] : [toScoreEffect(agentModel, tasks)];
  });
}

async function collectRewards(
  store: IndexStore,
  { totals, agentModelOf, jobById }: ErrorsScope,
  missing: ReadonlyMap<string, TaskRewards>,
): Promise<void> {
  const wanted = totals.filter((group) => missing.has(agentModelOf(group)));
  const sources = new Map(
    wanted.map(({ jobRowId, groupKey, source }) => [`${jobRowId} ${groupKey}`, source]),
  );
  for (const range of divideJobs(wanted)) {
    for (const { jobRowId, groupKey, taskName, reward, count } of await readRewardTallies(store, range)) {
      const source = sources.get(`${jobRowId} ${groupKey}`);
      const tasks = missing.get(agentModelOf({ jobRowId, groupKey }));
      if (source === undefined || tasks === undefined) continue;
      // The same task name in two data sets or jobs without one is two tasks.
      const task = JSON.stringify([source, source === null ? jobById.get(jobRowId)?.key : null, taskName]);
      const values = tasks.get(task) ?? [];
      tasks.set(task, values);
      for (let index = 0; index < count; index++) values.push(reward);
    }
  }
}

/** Jobs that lie between two others are read with them up to this distance of their ids. */
const WIDEST_GAP = 16;

/** Ranges of job ids of about {@link MOST_AT_ONCE} trials, so that an index of any size is read in little memory. */
function divideJobs(
  groups: readonly { readonly jobRowId: number; readonly nFinished: number }[],
): readonly { readonly first: number; readonly last: number }[] {
  const ranges: { first: number; last: number; nTrials: number }[] = [];
  for (const { jobRowId, nFinished } of groups.toSorted((a, b) => a.jobRowId - b.jobRowId)) {
    const range = ranges.at(-1);
    const isClose = range !== undefined && jobRowId - range.last <= WIDEST_GAP;
    if (range?.last === jobRowId || (isClose && range.nTrials + nFinished <= MOST_AT_ONCE)) {
      range.last = jobRowId;
      range.nTrials += nFinished;
    } else ranges.push({ first: jobRowId, last: jobRowId, nTrials: nFinished });
  }
  return ranges;
}

function toScoreEffect(agentModel: AgentModel, rewards: TaskRewards): ScoreEffect {
  const tasks = [...rewards].map(([task, values]) => ({ task, values }));
  const filled = tasks.map(({ task, values }) => ({ task, values: values.map((value) => value ?? 1) }));
  return {
    agentModel,
    nMissing: tasks.reduce((sum, { values }) => sum + values.filter((value) => value === null).length, 0),
    asScored: computeMeanInterval(tasks, { missing: "zero" }),
    leftOut: computeMeanInterval(tasks, { missing: "exclude" }),
    asOne: computeMeanInterval(filled, { missing: "zero" }),
  };
}
