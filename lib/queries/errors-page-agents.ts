import "server-only";

import { classifyCause, EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import type { ExceptionCause } from "@/lib/domain/exception-cause";
import { computeMeanInterval, computeWilsonInterval } from "@/lib/stats";
import type { MeanInterval, RateInterval, Unavailable } from "@/lib/stats";
import { type IndexStore, readRewardTallies } from "@/lib/store";

import { getForGeneration } from "./catalog";
import { getErrorsScope } from "./errors-page";
import type { Contender, ErrorsFilter, ErrorsScope } from "./errors-page";

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

/** Trials whose rewards are read at a time. */
const MOST_AT_ONCE = 50_000;

/** Exceptions and missing rewards by contender, over the chosen jobs and agents. */
export async function getErrorsByAgent(filter: ErrorsFilter): Promise<ErrorsByAgent> {
  const scope = await getErrorsScope(filter);
  const name = JSON.stringify(["score effects", filter.jobs.toSorted(), filter.agents.toSorted()]);
  const effects = await getForGeneration(name, (store) => readScoreEffects(store, scope));
  return { agents: groupErrorsByAgent(scope), effects };
}

/** Exceptions of a scope by contender. */
export function groupErrorsByAgent({
  contenders,
  tallies,
  contenderOf,
}: ErrorsScope): readonly AgentErrors[] {
  const byContender = Map.groupBy(tallies, contenderOf);
  return contenders.map((contender) => {
    const causes = {
      limit: 0,
      agent: 0,
      provider: 0,
      infrastructure: 0,
      verifier: 0,
      cancelled: 0,
      other: 0,
    };
    let nErrors = 0;
    for (const { type, count } of byContender.get(contender.name) ?? []) {
      causes[classifyCause(type)] += count;
      nErrors += count;
    }
    return { contender, rate: computeWilsonInterval(nErrors, contender.nTrials), causes };
  });
}

/** Causes that occur at all, in the order of the causes. */
export function listCauses(agents: readonly AgentErrors[]): readonly ExceptionCause[] {
  return EXCEPTION_CAUSES.filter((cause) => agents.some(({ causes }) => causes[cause] > 0));
}

/** Rewards by task; null is a missing one. */
type TaskRewards = Map<string, (number | null)[]>;

/** What missing rewards can do to the means of a scope's contenders. Reads rewards only of those that miss one. */
export async function readScoreEffects(
  store: IndexStore,
  scope: ErrorsScope,
): Promise<readonly ScoreEffect[]> {
  const missing = new Map<string, TaskRewards>();
  for (const group of scope.totals) {
    if (group.nRewarded < group.nFinished) missing.set(scope.contenderOf(group), new Map());
  }
  await collectRewards(store, scope, missing);
  return scope.contenders.flatMap((contender) => {
    const tasks = missing.get(contender.name);
    return tasks === undefined ? [] : [toScoreEffect(contender, tasks)];
  });
}

async function collectRewards(
  store: IndexStore,
  { totals, contenderOf, jobById }: ErrorsScope,
  missing: ReadonlyMap<string, TaskRewards>,
): Promise<void> {
  const wanted = totals.filter((group) => missing.has(contenderOf(group)));
  const sources = new Map(wanted.map(({ jobId, groupKey, source }) => [`${jobId} ${groupKey}`, source]));
  for (const jobIds of divideJobs(wanted)) {
    for (const { jobId, groupKey, taskName, reward, count } of await readRewardTallies(store, jobIds)) {
      const source = sources.get(`${jobId} ${groupKey}`);
      const tasks = missing.get(contenderOf({ jobId, groupKey }));
      if (source === undefined || tasks === undefined) continue;
      // The same task name in two data sets or jobs without one is two tasks.
      const task = `${source ?? jobById.get(jobId)?.key ?? ""} ${taskName}`;
      const values = tasks.get(task) ?? [];
      tasks.set(task, values);
      for (let index = 0; index < count; index++) values.push(reward);
    }
  }
}

/** Ids of jobs in parts of about {@link MOST_AT_ONCE} trials, so that an index of any size is read in little memory. */
function divideJobs(
  groups: readonly { readonly jobId: number; readonly nFinished: number }[],
): readonly (readonly number[])[] {
  const parts: number[][] = [];
  let nTrials = Infinity;
  for (const [jobId, own] of Map.groupBy(groups, (group) => group.jobId)) {
    const n = own.reduce((sum, { nFinished }) => sum + nFinished, 0);
    if (nTrials + n > MOST_AT_ONCE) {
      parts.push([]);
      nTrials = 0;
    }
    parts.at(-1)?.push(jobId);
    nTrials += n;
  }
  return parts;
}

function toScoreEffect(contender: Contender, rewards: TaskRewards): ScoreEffect {
  const tasks = [...rewards].map(([task, values]) => ({ task, values }));
  const filled = tasks.map(({ task, values }) => ({ task, values: values.map((value) => value ?? 1) }));
  return {
    contender,
    nMissing: tasks.reduce((sum, { values }) => sum + values.filter((value) => value === null).length, 0),
    asScored: computeMeanInterval(tasks, { missing: "zero" }),
    leftOut: computeMeanInterval(tasks, { missing: "exclude" }),
    asOne: computeMeanInterval(filled, { missing: "zero" }),
  };
}
