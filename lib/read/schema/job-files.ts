import { z } from "zod";

import type { PyValue } from "@/lib/core/scoring";

import { lenientParserOf, parseLeniently } from "./lenient-parse";
import { toPlainValue } from "./plain-value";
import { parseRecordedStats } from "./recorded-stats";

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
