import { aggregateRewards, computeJobStats, evalsKey, passAtKByEvals } from "@/lib/core/scoring";
import type { AgentUsage, JobStatsTrial, PassAtKTrial, RewardDict } from "@/lib/core/scoring";

import { formatNaive } from "./clock";
import type { Json } from "./json-text";
import type { JobRecord, TrialRecord, Usage } from "./record";

type Fields = Record<string, Json>;

function toUsage(usage: Usage | null): AgentUsage | null {
  if (usage === null) return null;
  return {
    inputTokens: usage.input,
    cacheTokens: usage.cache,
    outputTokens: usage.output,
    costUsd: usage.costUsd,
  };
}

function toStatsTrial(job: JobRecord, trial: TrialRecord): JobStatsTrial {
  return {
    agent: trial.agent.name,
    model: trial.agent.model,
    source: job.dataset.name,
    trialName: trial.name,
    rewards: trial.rewards,
    exceptionType: trial.exception?.type ?? null,
    usage: toUsage(trial.usage),
    stepUsages: (trial.steps ?? []).map((step) => toUsage(step.usage)),
  };
}

function toPassTrial(job: JobRecord, trial: TrialRecord): PassAtKTrial {
  return {
    taskName: trial.task,
    agent: trial.agent.name,
    model: trial.agent.model,
    source: job.dataset.name,
    rewards: trial.rewards === null ? null : new Map(trial.rewards),
  };
}

function groupRewards(job: JobRecord, trials: readonly TrialRecord[]): Map<string, (RewardDict | null)[]> {
  const groups = new Map<string, (RewardDict | null)[]>();
  for (const trial of trials) {
    const key = evalsKey(toStatsTrial(job, trial));
    const rewards = trial.rewards === null ? null : new Map(trial.rewards);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [rewards]);
    else group.push(rewards);
  }
  return groups;
}

function metricFields(job: JobRecord, rewards: readonly (RewardDict | null)[]): Json {
  const result = aggregateRewards("mean", [...rewards], job.summation);
  if (!result.ok) return [];
  return [
    new Map(
      [...result.value].map(([key, value]) => [key, typeof value === "boolean" ? BigInt(value) : value]),
    ),
  ];
}

function toCount(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

function evalFields(job: JobRecord, complete: readonly TrialRecord[]): Map<string, Json> {
  const stats = computeJobStats(complete.map((trial) => toStatsTrial(job, trial)));
  const rewards = groupRewards(job, complete);
  const passes =
    job.finishedAt === null
      ? new Map<string, Map<number, number>>()
      : passAtKByEvals(
          complete.map((trial) => toPassTrial(job, trial)),
          job.summation,
        );
  return new Map(
    [...stats.evals].map(([key, group]) => {
      const passAtK = new Map([...(passes.get(key) ?? [])].map(([k, value]) => [String(k), value]));
      const fields: Fields = {
        n_trials: BigInt(group.nTrials),
        n_errors: BigInt(group.nErrors),
        metrics: metricFields(job, rewards.get(key) ?? []),
        ...(job.flavour === "legacy" ? {} : { pass_at_k: passAtK }),
        reward_stats: group.rewardStats,
        exception_stats: group.exceptionStats,
      };
      return [key, fields];
    }),
  );
}

/**
 * The job's result.json with every figure computed by `lib/core/scoring` from the trials, as the runner would have recorded it.
 *
 * @returns the fields in Harbor's order; the legacy flavour has the old counters only
 */
export function prepareJobResult(job: JobRecord): Fields {
  const complete = job.trials.filter((trial) => trial.state === "complete");
  const running = job.trials.filter((trial) => trial.state === "running").length;
  const stats = computeJobStats(complete.map((trial) => toStatsTrial(job, trial)));
  const evals = evalFields(job, complete);
  const finished = job.finishedAt === null ? null : formatNaive(job.finishedAt, job.offsetMinutes);
  const head: Fields = { id: job.id, started_at: formatNaive(job.startedAt, job.offsetMinutes) };
  if (job.flavour === "legacy") {
    return {
      ...head,
      finished_at: finished,
      n_total_trials: BigInt(job.trials.length),
      stats: { n_trials: BigInt(complete.length), n_errors: BigInt(stats.nErroredTrials), evals },
    };
  }
  const live = job.finishedAt === null ? running : 0;
  return {
    ...head,
    updated_at: formatNaive(job.updatedAt, job.offsetMinutes),
    finished_at: finished,
    n_total_trials: BigInt(job.trials.length),
    stats: {
      n_completed_trials: BigInt(complete.length),
      n_errored_trials: BigInt(stats.nErroredTrials),
      n_running_trials: BigInt(live),
      n_pending_trials: BigInt(job.trials.length - complete.length - live),
      n_cancelled_trials: BigInt(stats.nCancelledTrials),
      n_retries: BigInt(job.retries),
      evals,
      n_input_tokens: toCount(stats.inputTokens),
      n_cache_tokens: toCount(stats.cacheTokens),
      n_output_tokens: toCount(stats.outputTokens),
      cost_usd: stats.costUsd,
    },
  };
}
