import "server-only";
import { boundName } from "@/lib/core/domain/text-bounder";

import {
  type Attempts,
  countReviews,
  describeFailures,
  ENOUGH_JUDGMENTS,
  type Finding,
  type JudgmentOf,
} from "./findings";
import type { OracleTask } from "./oracle-tasks";
import type { Failure } from "./parts";

/** A fix would score as the same agents do at other tasks. Other attempts at the task are only its passes. */
export function listBrokenTasks(
  oracleTasks: readonly OracleTask[],
  failures: readonly Failure[],
  attempts: Attempts,
  judgmentOf: JudgmentOf,
): readonly Finding[] {
  const byTask = Map.groupBy(failures, ({ task }) => task);
  return oracleTasks.flatMap((oracle) => {
    const { tasks, version } = oracle;
    const own = [...tasks]
      .flatMap((task) => byTask.get(task) ?? [])
      .filter(({ taskDigest }) => taskDigest === null || version === null || taskDigest === version);
    if (own.length === 0) return [];
    const counted = own.filter(({ isFinished }) => isFinished);
    const bases = [...Map.groupBy(counted, ({ agentModel }) => agentModel)].map(([agentModel, some]) => ({
      nTrials: some.length,
      ...attempts.getElsewhere(agentModel, tasks),
    }));
    const recorded = counted.reduce((sum, { lost }) => sum + 1 - lost, 0);
    return {
      // A new version of the task is a new finding.
      ...describeTask(`broken ${oracle.dataset} ${oracle.taskName} ${version ?? ""}`, own),
      kind: "broken" as const,
      failureClass: "task_broken" as const,
      oracle,
      win: attempts.computeWin(bases, recorded),
      bases: { nSame: 0, nOthers: 0, nElsewhere: counted.length, nReviewed: 0 },
      reviews: countReviews(own, judgmentOf),
    };
  });
}

/**
 * Lists tasks whose verifier reviewers call too strict: they passed a failed trial, or said so. The finding has all trials of the
 * task with a class of such a trial. A fix would pass the share that reviewers did: of judged trials, or of all if most of enough
 * judgments agree.
 */
export function listStrictVerifiers(
  failures: readonly Failure[],
  attempts: Attempts,
  judgmentOf: JudgmentOf,
  isCalledStrict: (failure: Failure) => boolean,
): readonly Finding[] {
  const isSaid = (failure: Failure) => judgmentOf(failure) === "pass" || isCalledStrict(failure);
  const said = failures.filter(isSaid);
  const byTask = Map.groupBy(failures, ({ task }) => task);
  return [...Map.groupBy(said, ({ task }) => task)].map(([task, called]) => {
    const classes = new Set(called.map(({ failureClass }) => failureClass));
    const own = (byTask.get(task) ?? []).filter(({ failureClass }) => classes.has(failureClass));
    const judged = own.filter((failure) => isSaid(failure) || judgmentOf(failure) === "fail");
    const isOfAll = judged.length >= ENOUGH_JUDGMENTS && called.length * 2 > judged.length;
    const counted = (isOfAll ? own : judged).filter(({ isFinished }) => isFinished);
    const recorded = counted.reduce((sum, { lost }) => sum + 1 - lost, 0);
    const basis = { nTrials: counted.length, n: judged.length, reward: called.length };
    return {
      ...describeTask(`strict ${task}`, own),
      kind: "strict" as const,
      failureClass: "verifier" as const,
      strict: { nJudged: judged.length, nSaid: called.length },
      win: attempts.computeWin(counted.length === 0 ? [] : [basis], recorded),
      bases: { nSame: 0, nOthers: 0, nElsewhere: 0, nReviewed: counted.length },
      reviews: countReviews(own, judgmentOf),
    };
  });
}

function describeTask(key: string, own: readonly Failure[]) {
  return { key: boundName(key), ...describeFailures(own), clusterKey: null, only: null };
}
