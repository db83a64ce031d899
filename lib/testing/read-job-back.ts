import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import {
  aggregateRewards,
  computeJobStats,
  evalsKey,
  parsePythonJson,
  passAtKByEvals,
} from "@/lib/core/scoring";
import type { JobStatsTrial, PyValue, RewardDict, Summation } from "@/lib/core/scoring";

/** A trial from its own result.json, with only the data that job figures need. */
interface TrialOnDisk extends JobStatsTrial {
  readonly taskName: string;
  readonly startedAt: string;
  readonly rewards: RewardDict | null;
}

/** The member `key` of a parsed JSON object, null for anything else. */
export function member(value: PyValue | undefined, ...keys: readonly string[]): PyValue {
  let at: PyValue = value ?? null;
  for (const key of keys) at = at instanceof Map ? (at.get(key) ?? null) : null;
  return at;
}

function text(value: PyValue): string {
  return typeof value === "string" ? value : "";
}

function numberOrNull(value: PyValue): number | null {
  return typeof value === "bigint" || typeof value === "number" ? Number(value) : null;
}

function rewardDict(value: PyValue): RewardDict | null {
  if (!(value instanceof Map)) return null;
  const pairs = [...value].flatMap(([key, item]) =>
    typeof item === "number" || typeof item === "bigint" ? [[key, item] as const] : [],
  );
  return new Map(pairs);
}

function usageOf(value: PyValue): JobStatsTrial["usage"] {
  if (!(value instanceof Map)) return null;
  const figure = (key: string): number | null => numberOrNull(member(value, key));
  return {
    inputTokens: figure("n_input_tokens"),
    cacheTokens: figure("n_cache_tokens"),
    outputTokens: figure("n_output_tokens"),
    costUsd: figure("cost_usd"),
  };
}

/** A file of a job parsed as Python would parse it. */
export function readJson(...path: readonly string[]): PyValue {
  return parsePythonJson(readFileSync(join(...path), "utf8"));
}

function toTrial(result: PyValue): TrialOnDisk {
  const steps = member(result, "step_results");
  const model = member(result, "agent_info", "model_info", "name");
  const source = member(result, "source");
  const exception = member(result, "exception_info", "exception_type");
  return {
    taskName: text(member(result, "task_name")),
    trialName: text(member(result, "trial_name")),
    startedAt: text(member(result, "started_at")),
    agent: text(member(result, "agent_info", "name")),
    model: typeof model === "string" ? model : null,
    source: typeof source === "string" ? source : null,
    rewards: rewardDict(member(result, "verifier_result", "rewards")),
    exceptionType: typeof exception === "string" ? exception : null,
    usage: usageOf(member(result, "agent_result")),
    stepUsages: Array.isArray(steps) ? steps.map((step) => usageOf(member(step, "agent_result"))) : [],
  };
}

/** Every trial of a job that has a readable result, in the order they started, which is the order of the plan. */
export function readTrials(job: string): TrialOnDisk[] {
  const folders = readdirSync(job, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const trials = folders.flatMap((entry) => {
    try {
      return [toTrial(readJson(job, entry.name, "result.json"))];
    } catch {
      return [];
    }
  });
  return trials.sort((x, y) => (x.startedAt < y.startedAt ? -1 : 1));
}

/** Figures of a job recomputed from its trial folders, laid out like `stats.evals` of result.json. */
export function recomputeEvals(
  trials: readonly TrialOnDisk[],
  finished: boolean,
  summation: Summation = "cpython-3.12",
): Map<string, PyValue> {
  const passes = finished ? passAtKByEvals(trials, summation) : new Map<string, Map<number, number>>();
  return new Map(
    [...computeJobStats(trials).evals].map(([key, group]) => {
      const metric = aggregateRewards(
        "mean",
        trials.filter((trial) => evalsKey(trial) === key).map((trial) => trial.rewards),
        summation,
      );
      const rewardStats = new Map(
        [...group.rewardStats].map(([name, values]) => [
          name,
          new Map([...values].map(([value, names]) => [value, [...names]])),
        ]),
      );
      const entry = new Map<string, PyValue>([
        ["n_trials", BigInt(group.nTrials)],
        ["n_errors", BigInt(group.nErrors)],
        ["metrics", metric.ok ? [new Map(metric.value)] : []],
        ["pass_at_k", new Map([...(passes.get(key) ?? [])].map(([k, value]) => [String(k), value]))],
        ["reward_stats", rewardStats],
        ["exception_stats", new Map([...group.exceptionStats].map(([name, names]) => [name, [...names]]))],
      ]);
      return [key, entry];
    }),
  );
}
