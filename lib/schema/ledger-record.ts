import { z } from "zod";

import { type LenientParse, parseLeniently } from "./lenient-parse";
import { copyPlainValue } from "./plain-value";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const count = z
  .number()
  .min(0)
  .nullish()
  .transform((value) => value ?? null);
const filled = z.string().refine((value) => value.trim() !== "", "must not be blank");

const agentSchema = z.object({ adapter: text, model: text, adapter_revision: text }).nullish();
const agentOutputSchema = z.object({ status: text, output_path: text, error_message: text }).nullish();
const timingSchema = z
  .object({ total_seconds: count, agent_seconds: count, setup_seconds: count, verification_seconds: count })
  .nullish();
const costSchema = z
  .object({ tokens_in: count, tokens_out: count, cache_read_tokens: count, estimated_cost_usd: count })
  .nullish();

const firstSchema = z.object({
  trial_id: filled,
  experiment_id: text,
  dataset_id: text,
  timestamp: text,
  task: z.object({ task_id: text, task_revision: text }).nullish(),
  agent: agentSchema,
  outputs: z
    .object({
      agent_output: agentOutputSchema,
      raw_output_path: text,
      conversation_path: text,
      trajectory_path: text,
    })
    .nullish(),
  timing: timingSchema,
  cost: costSchema,
  completeness: text,
});

/** How far the run of a trial is; `failed`, `cancelled` and `invalid` ended without a usable run. */
export const EXECUTION_STATUSES = [
  "planned",
  "running",
  "completed",
  "failed",
  "cancelled",
  "invalid",
] as const;

const secondSchema = z.object({
  trial_id: filled,
  run_id: text,
  task_id: text,
  attempt: z.number().int().min(1).nullish(),
  execution_status: z.enum(EXECUTION_STATUSES).nullish(),
  evaluation_status: text,
  evidence_status: text,
  started_at: text,
  completed_at: text,
  input: z.object({ task_revision: text, visibility: text }).nullish(),
  output: z
    .object({
      agent_output: agentOutputSchema,
      final_reason: text,
      raw_output: z.unknown().optional(),
      conversation: z.unknown().optional(),
      trajectory: z.unknown().optional(),
    })
    .nullish(),
  timing: timingSchema,
  cost: costSchema,
});

/** A duration in seconds, or null where the record states none. */
export interface LedgerTiming {
  readonly total: number | null;
  readonly setup: number | null;
  readonly agent: number | null;
  readonly verification: number | null;
}

/** A record of either version without its evaluation, in one shape. Null is not stated. */
export interface LedgerRecordFile {
  readonly version: 1 | 2;
  readonly trialId: string;
  /** Version 1 only; version 2 leaves experiment, dataset and agent to the manifest of its run. */
  readonly experimentId: string | null;
  readonly dataset: string | null;
  readonly adapter: string | null;
  readonly adapterRevision: string | null;
  readonly model: string | null;
  readonly runId: string | null;
  readonly taskId: string | null;
  readonly taskRevision: string | null;
  readonly attempt: number | null;
  /** Version 2 only. */
  readonly executionStatus: (typeof EXECUTION_STATUSES)[number] | null;
  readonly evaluationStatus: string | null;
  readonly evidenceStatus: string | null;
  /** Of the agent's output: `completed`, `partial`, `failed` or `empty`, as written. */
  readonly outputStatus: string | null;
  readonly errorMessage: string | null;
  readonly finalReason: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly visibility: string | null;
  /** `complete` or `partial`, version 1 only. */
  readonly completeness: string | null;
  /** Files that the record names, as written. */
  readonly paths: readonly { readonly name: LedgerPathName; readonly path: string }[];
  readonly timing: LedgerTiming;
  readonly cost: {
    readonly tokensIn: number | null;
    readonly tokensOut: number | null;
    readonly cacheRead: number | null;
    readonly usd: number | null;
  };
}

/** What a file is that a record names. */
export type LedgerPathName = "output" | "raw output" | "conversation" | "trajectory";

/**
 * Reads one record of a ledger, its evaluation excepted: that is read by the evaluation contract. Only `trial_id` is
 * required; a `schema_version` other than 2 is refused, as the ledger's own reader refuses it.
 *
 * @param value - what JSON.parse gave; left as it is
 * @see aec-bench 1a352856 contracts/trial_record.py, d5871e01 for version 1
 */
export function parseLedgerRecord(value: unknown): LenientParse<LedgerRecordFile> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("", "a record of a trial was expected, which is a JSON object");
  const { evaluation: _, ...rest } = Object.fromEntries(Object.entries(value));
  const version: unknown = rest["schema_version"] ?? 1;
  if (version !== 1 && version !== 2)
    return refuse("schema_version", `version ${JSON.stringify(version)} is not known; 1 and 2 are read`);
  const plain = copyPlainValue(rest);
  if (version === 1) {
    const first = parseLeniently(firstSchema, plain);
    return { ...first, value: first.value === null ? null : fromFirst(first.value) };
  }
  const second = parseLeniently(secondSchema, plain);
  return { ...second, value: second.value === null ? null : fromSecond(second.value) };
}

function refuse(field: string, detail: string): LenientParse<never> {
  return { value: null, problems: [{ field, detail }] };
}

function fromFirst(record: z.infer<typeof firstSchema>): LedgerRecordFile {
  const { task, outputs } = record;
  return {
    version: 1,
    trialId: record.trial_id,
    experimentId: record.experiment_id,
    dataset: record.dataset_id,
    ...fromAgent(record.agent),
    runId: null,
    taskId: task?.task_id ?? null,
    taskRevision: task?.task_revision ?? null,
    attempt: null,
    executionStatus: null,
    evaluationStatus: null,
    evidenceStatus: null,
    ...fromOutput(outputs?.agent_output),
    finalReason: null,
    startedAt: record.timestamp,
    completedAt: null,
    visibility: null,
    completeness: record.completeness,
    paths: listPaths([
      ["output", outputs?.agent_output?.output_path],
      ["raw output", outputs?.raw_output_path],
      ["conversation", outputs?.conversation_path],
      ["trajectory", outputs?.trajectory_path],
    ]),
    timing: fromTiming(record.timing),
    cost: fromCost(record.cost),
  };
}

function fromSecond(record: z.infer<typeof secondSchema>): LedgerRecordFile {
  const { input, output } = record;
  return {
    version: 2,
    trialId: record.trial_id,
    experimentId: null,
    dataset: null,
    ...fromAgent(null),
    runId: record.run_id,
    taskId: record.task_id,
    taskRevision: input?.task_revision ?? null,
    attempt: record.attempt ?? null,
    executionStatus: record.execution_status ?? null,
    evaluationStatus: record.evaluation_status,
    evidenceStatus: record.evidence_status,
    ...fromOutput(output?.agent_output),
    finalReason: output?.final_reason ?? null,
    startedAt: record.started_at,
    completedAt: record.completed_at,
    visibility: input?.visibility ?? null,
    completeness: null,
    paths: listSecondPaths(output),
    timing: fromTiming(record.timing),
    cost: fromCost(record.cost),
  };
}

function fromAgent(agent: z.infer<typeof agentSchema>) {
  return {
    adapter: agent?.adapter ?? null,
    adapterRevision: agent?.adapter_revision ?? null,
    model: agent?.model ?? null,
  };
}

function fromOutput(output: z.infer<typeof agentOutputSchema>) {
  return { outputStatus: output?.status ?? null, errorMessage: output?.error_message ?? null };
}

function fromTiming(timing: z.infer<typeof timingSchema>): LedgerTiming {
  return {
    total: timing?.total_seconds ?? null,
    setup: timing?.setup_seconds ?? null,
    agent: timing?.agent_seconds ?? null,
    verification: timing?.verification_seconds ?? null,
  };
}

function fromCost(cost: z.infer<typeof costSchema>): LedgerRecordFile["cost"] {
  return {
    tokensIn: cost?.tokens_in ?? null,
    tokensOut: cost?.tokens_out ?? null,
    cacheRead: cost?.cache_read_tokens ?? null,
    usd: cost?.estimated_cost_usd ?? null,
  };
}

/** What is no path but a reference of another form is left to whoever opens the record. */
function listSecondPaths(output: z.infer<typeof secondSchema>["output"]): LedgerRecordFile["paths"] {
  return listPaths([
    ["output", output?.agent_output?.output_path],
    ["raw output", output?.raw_output],
    ["conversation", output?.conversation],
    ["trajectory", output?.trajectory],
  ]);
}

/** Each file once: the output is usually its own raw output. */
function listPaths(
  named: readonly (readonly [name: LedgerPathName, path: unknown])[],
): LedgerRecordFile["paths"] {
  const seen = new Set<string>();
  return named.flatMap(([name, path]) => {
    if (typeof path !== "string" || path === "" || seen.has(path)) return [];
    seen.add(path);
    return { name, path };
  });
}

const manifestSchema = z.object({
  run_id: text,
  experiment_id: text,
  dataset: z.union([z.string(), z.object({ dataset_id: text, name: text })]).nullish(),
  agent: agentSchema,
});

/** What all trials of one run of version 2 share. Null is not stated. */
export interface LedgerManifestFile {
  readonly runId: string | null;
  readonly experimentId: string | null;
  readonly dataset: string | null;
  readonly adapter: string | null;
  readonly adapterRevision: string | null;
  readonly model: string | null;
}

/** Reads the manifest of a run. @param value - what JSON.parse gave; left as it is */
export function parseLedgerManifest(value: unknown): LenientParse<LedgerManifestFile> {
  const { value: manifest, problems } = parseLeniently(manifestSchema, copyPlainValue(value));
  if (manifest === null) return { value: null, problems };
  const { dataset } = manifest;
  return {
    value: {
      runId: manifest.run_id,
      experimentId: manifest.experiment_id,
      dataset: typeof dataset === "string" ? dataset : (dataset?.dataset_id ?? dataset?.name ?? null),
      ...fromAgent(manifest.agent),
    },
    problems,
  };
}
