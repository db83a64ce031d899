import { z } from "zod";

import {
  COUNTER_NAMES,
  type CounterName,
  type RecordedGroup,
  type RecordedStats,
  TOTAL_NAMES,
} from "@/lib/core/domain/job";
import type { PyValue } from "@/lib/core/scoring";

import { lenientParserOf, parseLeniently, type FieldProblem } from "./lenient-parse";
import { toPlainValue } from "./plain-value";

const text = z.string().nullish();
// Hosted runs write an agent's name or version as a number.
const label = z.union([z.string(), z.number()]).nullish();

const jobResultSchema = z.object({ id: text, started_at: text, updated_at: text, finished_at: text });

/** Includes trials left inside by an abort or a manual edit. @see harbor 0.13.1 src/harbor/models/job/result.py */
export function parseJobResult(result: ReadonlyMap<string, PyValue>) {
  const plain = toPlainValue(new Map([...result].filter(([key]) => key !== "stats" && key !== "status")));
  const head = parseLeniently(jobResultSchema, plain);
  const { stats: recorded, problems } = parseRecordedStats(result);
  const embedded = result.get("trial_results");
  const trialResults: readonly PyValue[] = Array.isArray(embedded) ? embedded : [];
  return { head: head.value ?? {}, recorded, trialResults, problems: [...head.problems, ...problems] };
}

export const agentConfigSchema = z.object({ name: label, import_path: text, model_name: text });

const sourceReference = { type: text, path: text };
const retrySchema = z.object({ max_retries: z.number().int().min(0).nullish() }).nullish();

const multiplier = z.number().nullish();
const concurrency = z.number().int().nullish();

const jobConfigSchema = z.object({
  job_name: label,
  n_attempts: z.number().int().min(1).nullish(),
  metrics: z.array(z.object({ type: z.string().nullish() })).nullish(),
  agents: z.array(z.unknown()).nullish(),
  tasks: z.array(z.object({ path: text, name: text })).nullish(),
  datasets: z.array(z.object({ path: text, repo: text })).nullish(),
  source_jobs: z
    .array(z.object({ ...sourceReference, action: z.enum(["regrade", "diff"]), job_id: text }))
    .nullish(),
  retry: retrySchema,
  n_concurrent_trials: concurrency,
  timeout_multiplier: multiplier,
  agent_timeout_multiplier: multiplier,
  verifier_timeout_multiplier: multiplier,
  agent_setup_timeout_multiplier: multiplier,
  environment_build_timeout_multiplier: multiplier,
  // Location in older Harbor versions.
  orchestrator: z.object({ retry: retrySchema, n_concurrent_trials: concurrency }).nullish(),
});

export type JobConfigFile = z.infer<typeof jobConfigSchema>;

/** Harbor omits default values since 0.22. */
export const parseJobConfig = lenientParserOf(toPlainValue, jobConfigSchema);

/** Returns the retry limit; Harbor's default is 0. */
export function readMaxRetries({ retry, orchestrator }: JobConfigFile): number {
  return retry?.max_retries ?? orchestrator?.retry?.max_retries ?? 0;
}

export function mayBringMetrics({ datasets, source_jobs: sources }: JobConfigFile): boolean {
  return (
    (sources ?? []).length > 0 || (datasets ?? []).some(({ path, repo }) => path == null || repo != null)
  );
}

const taskLockSchema = z.object({ name: text, path: text, digest: text, version: text }).nullish();

export const sourceTrialSchema = z.object({ ...sourceReference, trial_id: text }).nullish();
const lockedSourceSchema = z.object({ ...sourceReference, trial_id: text, task: taskLockSchema }).nullish();

export type TaskLockFile = z.infer<typeof taskLockSchema>;

/** @see harbor 0.24.0 src/harbor/models/job/lock.py#TrialLock */
export const parseTrialLock = lenientParserOf(
  toPlainValue,
  z.object({ task: taskLockSchema, source_trial: lockedSourceSchema }),
);

const jobLockSchema = z.object({
  created_at: text,
  harbor: z.object({ version: label, git_commit_hash: text }).nullish(),
  n_concurrent_trials: concurrency,
  trials: z
    .array(
      z.object({
        task: taskLockSchema,
        agent: agentConfigSchema.nullish(),
        source_trial: lockedSourceSchema,
      }),
    )
    .nullish(),
});

export type JobLockFile = z.infer<typeof jobLockSchema>;

export const parseJobLock = lenientParserOf(toPlainValue, jobLockSchema);

type Dict = ReadonlyMap<string, PyValue>;

/** Counter names that Harbor wrote until 0.6.1, by current name. */
const OLD_SPELLINGS: Partial<Record<CounterName, string>> = {
  n_completed_trials: "n_trials",
  n_errored_trials: "n_errors",
};

const EMPTY: Dict = new Map();

/** Keeps exact values and reports those of the wrong type. @see harbor 0.13.1 src/harbor/models/job/result.py, `JobStats` */
export function parseRecordedStats(result: Dict): {
  stats: RecordedStats;
  problems: readonly FieldProblem[];
} {
  const reader = new StatsReader();
  const stats = reader.readDict(result, "stats", "stats") ?? EMPTY;
  const status = reader.readDict(result, "status", "status") ?? EMPTY;
  const counters = new Map<CounterName, bigint>();
  for (const name of COUNTER_NAMES) {
    const count = reader.readCounter(stats, name) ?? reader.readCounter(status, name);
    if (count !== null) counters.set(name, count);
  }
  const hasOldSpelling = Object.entries(OLD_SPELLINGS).some(
    ([name, old]) => !stats.has(name) && stats.has(old),
  );
  const totals = new Map(
    TOTAL_NAMES.flatMap((name) => {
      const total = stats.get(name);
      return total === undefined ? [] : [[name, total] as const];
    }),
  );
  const evals = reader.readDict(stats, "evals", "stats.evals") ?? EMPTY;
  const groups = [...evals]
    .map(([key, value]) => reader.readGroup(key, value))
    .filter((group) => group !== null);
  return {
    stats: {
      schemaVersion: result.has("schema_version")
        ? (reader.readInt(result, "schema_version", "schema_version") ?? "unreadable")
        : null,
      nTotalTrials: reader.readInt(result, "n_total_trials", "n_total_trials"),
      counters,
      hasOldSpelling,
      totals,
      groups,
    },
    problems: reader.problems,
  };
}

class StatsReader {
  readonly problems: FieldProblem[] = [];

  readInt(from: Dict, key: string, field: string): bigint | null {
    const value = from.get(key);
    if (value === undefined || value === null) return null;
    if (typeof value === "bigint") return value;
    if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
    return this.refuse(field, "a whole number was expected");
  }

  readDict(from: Dict, key: string, field: string): Dict | null {
    const value = from.get(key);
    if (value === undefined || value === null) return null;
    return value instanceof Map ? value : this.refuse(field, "an object was expected");
  }

  readCounter(from: Dict, name: CounterName): bigint | null {
    const old = OLD_SPELLINGS[name];
    const count = this.readInt(from, name, `stats.${name}`);
    return count !== null || old === undefined ? count : this.readInt(from, old, `stats.${old}`);
  }

  readGroup(key: string, value: PyValue): RecordedGroup | null {
    const field = `stats.evals.${key}`;
    if (!(value instanceof Map)) return this.refuse(field, "an object was expected");
    return {
      key,
      nTrials: this.readInt(value, "n_trials", `${field}.n_trials`),
      nErrors: this.readInt(value, "n_errors", `${field}.n_errors`),
      metrics: this.readList(value, "metrics", `${field}.metrics`),
      passAtK: this.readDict(value, "pass_at_k", `${field}.pass_at_k`),
      rewardStats: this.readRewardStats(value, `${field}.reward_stats`),
      exceptionStats: this.readNameLists(value, "exception_stats", `${field}.exception_stats`),
    };
  }

  private readList(from: Dict, key: string, field: string): readonly PyValue[] {
    const value = from.get(key);
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.refuse(field, "a list was expected");
    return [];
  }

  private readRewardStats(from: Dict, field: string): RecordedGroup["rewardStats"] {
    const byKey = this.readDict(from, "reward_stats", field);
    if (byKey === null) return null;
    const stats = new Map<string, ReadonlyMap<string, readonly string[]>>();
    for (const key of byKey.keys()) {
      const lists = this.readNameLists(byKey, key, `${field}.${key}`);
      if (lists !== null) stats.set(key, lists);
    }
    return stats;
  }

  private readNameLists(
    from: Dict,
    key: string,
    field: string,
  ): ReadonlyMap<string, readonly string[]> | null {
    const lists = this.readDict(from, key, field);
    if (lists === null) return null;
    const names = new Map<string, readonly string[]>();
    for (const [name, list] of lists) {
      const texts = Array.isArray(list) ? list.filter((item) => typeof item === "string") : null;
      if (texts === null || !Array.isArray(list) || texts.length !== list.length) {
        this.refuse(`${field}.${name}`, "a list of trial names was expected");
      }
      if (texts !== null) names.set(name, texts);
    }
    return names;
  }

  private refuse(field: string, detail: string): null {
    this.problems.push({ field, detail });
    return null;
  }
}
