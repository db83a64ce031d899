import { z } from "zod";

import type { RecordedStats } from "@/lib/domain/job";
import type { PyValue } from "@/lib/scoring";

import { type FieldProblem, type LenientParse, parseLeniently } from "./lenient-parse";
import { toPlainValue } from "./plain-value";
import { parseRecordedStats } from "./recorded-stats";

const text = z.string().nullish();
// Hosted runs write an agent's name or version as a number.
const label = z.union([z.string(), z.number()]).nullish();

const jobResultSchema = z.object({ id: text, started_at: text, updated_at: text, finished_at: text });

/** A job's result.json: its own fields, its stats, and the trials that a hand or an abort left inside it. */
export interface JobResultFile {
  readonly head: z.infer<typeof jobResultSchema>;
  readonly recorded: RecordedStats;
  readonly trialResults: readonly PyValue[];
  readonly problems: readonly FieldProblem[];
}

/** Reads a job's result.json from its exact tree. @see harbor 0.13.1 src/harbor/models/job/result.py */
export function parseJobResult(result: ReadonlyMap<string, PyValue>): JobResultFile {
  const plain = toPlainValue(new Map([...result].filter(([key]) => key !== "stats" && key !== "status")));
  const head = parseLeniently(jobResultSchema, plain);
  const { stats, problems } = parseRecordedStats(result);
  const embedded = result.get("trial_results");
  return {
    head: head.value ?? {},
    recorded: stats,
    trialResults: Array.isArray(embedded) ? embedded : [],
    problems: [...head.problems, ...problems],
  };
}

/** How an agent is named in any config or lock; what identifies it before it has run. */
export const agentConfigSchema = z.object({ name: label, import_path: text, model_name: text });

/** Where a trial's or job's config says that it was made from another. */
const sourceReference = { type: text, path: text };
const retrySchema = z.object({ max_retries: z.number().int().min(0).nullish() }).nullish();

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
  // Where older Harbor kept it.
  orchestrator: z.object({ retry: retrySchema }).nullish(),
});

/** The parts of a job's config.json that figures depend on. */
export type JobConfigFile = z.infer<typeof jobConfigSchema>;

/** Reads a job's config.json; fields that Harbor left at their default are absent since 0.22. */
export function parseJobConfig(config: PyValue): LenientParse<JobConfigFile> {
  return parseLeniently(jobConfigSchema, toPlainValue(config));
}

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

const trialLockSchema = z.object({ task: taskLockSchema, source_trial: lockedSourceSchema });

/** The task versions in a trial's lock.json. */
export type TrialLockFile = z.infer<typeof trialLockSchema>;
export type TaskLockFile = z.infer<typeof taskLockSchema>;

/** Reads the task versions of a trial's lock.json. @see harbor 0.24.0 src/harbor/models/job/lock.py#TrialLock */
export function parseTrialLock(lock: PyValue): LenientParse<TrialLockFile> {
  return parseLeniently(trialLockSchema, toPlainValue(lock));
}

const jobLockSchema = z.object({
  created_at: text,
  harbor: z.object({ version: label }).nullish(),
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
export function parseJobLock(lock: PyValue): LenientParse<JobLockFile> {
  return parseLeniently(jobLockSchema, toPlainValue(lock));
}
