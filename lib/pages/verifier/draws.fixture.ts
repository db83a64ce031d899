import { nameAgentModel } from "@/lib/core/charts/identity";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { QueueSettings } from "@/lib/core/domain/review";
import type { QueueHead } from "@/lib/people/annotations";
import {
  type Draw,
  countAgents,
  findPart,
  type Member,
  nameMember,
  type Population,
  type ScopeTrial,
} from "@/lib/people/labels/draws";

/** A trial of the reference: verdicts of the verifier and of humans. */
export interface ReferenceTrial {
  readonly job: number;
  readonly key: string;
  readonly agent: string;
  readonly family: string;
  readonly passed: boolean;
  readonly human: boolean;
  readonly state: string;
  readonly queue?: number;
  readonly second?: boolean;
}

/** The list of the reference's trials. */
export function toPopulationOf(trials: readonly ReferenceTrial[]): Population {
  return new Map(
    trials.map(({ job, key, agent, family, passed }) => {
      const member: Member = {
        jobRowId: job,
        key,
        family,
        agent,
        model: null,
        groups: [agent],
        agentModel: nameAgentModel(agent, null),
        hasPassed: passed,
      };
      return [nameMember(member), member] as const;
    }),
  );
}

/** A trial of a queue or reviewer; without a judgment if not judged. */
export function toScopeTrial(
  { job, key, agent, family, passed }: ReferenceTrial,
  judgment: Judgment | null,
): ScopeTrial {
  const outcome = passed ? "passed" : "failed";
  const names = { taskName: `${family}-1`, trialName: key, jobName: `job ${String(job)}`, jobUuid: null };
  return {
    place: {
      ...names,
      jobRowId: job,
      position: 0,
      jobKey: `job-${String(job)}`,
      key,
      id: null,
      groupKey: agent,
      attempt: 1,
      state: "finished",
      outcome,
      reward: null,
      fingerprint: { result: null, trajectory: null },
    },
    subject: {
      ...names,
      trialId: null,
      rootLabel: "jobs",
      agent,
      model: null,
      outcomeSeen: outcome,
      rewardSeen: null,
    },
    labels: [],
    decision: null,
    state: judgment === null ? "todo" : "agreed",
    final: judgment,
    position: 0,
    nReviewers: 1,
  };
}

/** Settings of a queue sampled from a whole list. */
export function drawnFrom(population: Population, method: QueueSettings["method"]): QueueSettings {
  return {
    name: `Queue ${method}`,
    goal: "corrected-score",
    method,
    seed: 1,
    order: "random",
    source: "All trials",
    sourceHref: "/trials",
    reviewers: [],
    doubleShare: 0,
    hides: [],
    isOpenCoding: false,
    strata: countAgents(population.values()).flatMap(({ agent, model, nPassed, nFailed }) => [
      { agent, model, hasPassed: true, nTrials: nPassed, nDrawn: 0 },
      { agent, model, hasPassed: false, nTrials: nFailed, nDrawn: 0 },
    ]),
  };
}

/** A queue with its trials. */
export function toDraw(
  queueId: string,
  settings: QueueSettings,
  population: Population | null,
  trials: readonly ScopeTrial[],
  whole = population,
): Draw {
  const queue: QueueHead = { queueId, settings, createdAt: "", createdBy: "", isClosed: false };
  const part = population === null || whole === null ? null : findPart(population, whole);
  return { queue, trials, population, whole, part, problem: null };
}

/** The two queues of the reference, the newest first, and everything that was judged. */
export function readDraws(trials: readonly ReferenceTrial[], population: Population) {
  const judge = (trial: ReferenceTrial): Judgment => (trial.human ? "pass" : "fail");
  const first = trials
    .filter(({ queue }) => queue === 1)
    .map((trial) => {
      if (trial.state === "defer") return toScopeTrial(trial, "defer");
      return toScopeTrial(trial, trial.state === "label" && trial.second !== true ? judge(trial) : null);
    });
  const second = trials
    .filter((trial) => trial.second === true)
    .map((trial) => toScopeTrial(trial, judge(trial)));
  const judged = trials
    .filter(({ state }) => state === "label" || state === "defer" || state === "by-hand")
    .map((trial) => toScopeTrial(trial, trial.state === "defer" ? "defer" : judge(trial)));
  return {
    judged,
    draws: [
      toDraw("second", drawnFrom(population, "planned"), population, second),
      toDraw("first", drawnFrom(population, "stratified"), population, first),
    ],
  };
}
