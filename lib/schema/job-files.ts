import { z } from "zod";

import type { PyValue } from "@/lib/scoring";

import { lenientParserOf, parseLeniently } from "./lenient-parse";
import { toPlainValue } from "./plain-value";
import { parseRecordedStats } from "./recorded-stats";

const text = z.string().nullish();
// Hosted runs write an agent's name or version as a number.
const label = z.union([z.string(), z.number()]).nullish();

const jobResultSchema = z.object({ id: text, started_at: text, updated_at: text, finished_at: text });

/**
 * Reads a job's result.json from its exact tree: its own fields, its stats, and the trials that a hand or an abort left
 * inside it.
 * @see harbor 0.13.1 src/harbor/models/job/result.py
 */
export function parseJobResult(result: ReadonlyMap<string, PyValue>) {
  const plain = toPlainValue(new Map([...result].filter(([key]) => key !== "stats" && key !== "status")));
  const head = parseLeniently(jobResultSchema, plain);
  const { stats: recorded, problems } = parseRecordedStats(result);
  const embedded = result.get("trial_results");
  const trialResults: readonly PyValue[] = Array.isArray(embedded) ? embedded : [];
  return { head: head.value ?? {}, recorded, trialResults, problems: [...head.problems, ...problems] };
}

/** How an agent is named in any config or lock; what identifies it before it has run. */
export const agentConfigSchema = z.object({ name: label, import_path: text, model_name: text });

/** Where a trial's or job's config says that it was made from another. */
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
  // Where older Harbor kept it.
  orchestrator: z.object({ retry: retrySchema, n_concurrent_trials: concurrency }).nullish(),
});

/** The parts of a job's config.json that figures depend on. */
export type JobConfigFile = z.infer<typeof jobConfigSchema>;

/** Reads a job's config.json; fields that Harbor left at their default are absent since 0.22. */
export const parseJobConfig = lenientParserOf(toPlainValue, jobConfigSchema);

/** How often an attempt may be retried by a job's config; Harbor's default is never. */
export function readMaxRetries({ retry, orchestrator }: JobConfigFile): number {
  return retry?.max_retries ?? orchestrator?.retry?.max_retries ?? 0;
}

/** Whether a job's metrics may come from a dataset of a registry, or from a job it starts from. */
export function mayBringMetrics({ datasets, source_jobs: sources }: JobConfigFile): boolean {
  return (
    (sources ?? []).length > 0 || (datasets ?? []).some(({ path, repo }) => path == null || repo != null)
  );
}

const taskLockSchema = z.object({ name: text, path: text, digest: text, version: text }).nullish();

/** `source_trial` of a trial's config; a trial's lock states the source's task beside it. */
export const sourceTrialSchema = z.object({ ...sourceReference, trial_id: text }).nullish();
const lockedSourceSchema = z.object({ ...sourceReference, trial_id: text, task: taskLockSchema }).nullish();

export type TaskLockFile = z.infer<typeof taskLockSchema>;

/** Reads the task versions of a trial's lock.json. @see harbor 0.24.0 src/harbor/models/job/lock.py#TrialLock */
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

/** The plan and the versions in a job's lock.json. */
export type JobLockFile = z.infer<typeof jobLockSchema>;

/** Reads a job's lock.json of any schema version. */
export const parseJobLock = lenientParserOf(toPlainValue, jobLockSchema);
