import { z } from "zod";

import { type LenientParse, parseLeniently } from "./lenient-parse";
import { copyPlainValue } from "./plain-value";

function stated<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

const text = stated(z.string());
const count = stated(z.number().min(0));
const filled = z.string().refine((value) => value.trim() !== "", "must not be blank");

function block<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, z.object(shape));
}

const agentSchema = block({ adapter: text, model: text, adapter_revision: text });
const agentOutput = block({ status: text, output_path: text, error_message: text });

/** `failed`, `cancelled` and `invalid` ended without a usable run. */
const EXECUTION_STATUSES = ["planned", "running", "completed", "failed", "cancelled", "invalid"] as const;

const either = {
  trial_id: filled,
  timing: block({
    total_seconds: count,
    agent_seconds: count,
    setup_seconds: count,
    verification_seconds: count,
  }),
  cost: block({ tokens_in: count, tokens_out: count, cache_read_tokens: count, estimated_cost_usd: count }),
};
const first = {
  experiment_id: text,
  dataset_id: text,
  timestamp: text,
  task: block({ task_id: text, task_revision: text }),
  agent: agentSchema,
  outputs: block({
    agent_output: agentOutput,
    raw_output_path: text,
    conversation_path: text,
    trajectory_path: text,
  }),
  completeness: text,
};
/** Version 2 leaves experiment, dataset and agent to the run's manifest. */
const second = {
  run_id: text,
  task_id: text,
  attempt: stated(z.number().int().min(1)),
  execution_status: stated(z.enum(EXECUTION_STATUSES)),
  evaluation_status: text,
  evidence_status: text,
  started_at: text,
  completed_at: text,
  input: block({ task_revision: text, visibility: text }),
  output: block({
    agent_output: agentOutput,
    final_reason: text,
    raw_output: z.unknown().optional(),
    conversation: z.unknown().optional(),
    trajectory: z.unknown().optional(),
  }),
};
const recordSchema = z.object({ ...either, ...first, ...second });

export type LedgerPathName = "output" | "raw output" | "conversation" | "trajectory";

/**
 * Requires only `trial_id`; rejects a `schema_version` above 2.
 * @see aec-bench 1a352856 contracts/trial_record.py, d5871e01 for version 1
 */
export function parseLedgerRecord(value: unknown): LenientParse<LedgerRecordFile> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("", "a trial record was expected, which is a JSON object");
  const { evaluation: _, ...rest } = Object.fromEntries(Object.entries(value));
  const version: unknown = rest["schema_version"] ?? 1;
  if (version !== 1 && version !== 2)
    return refuse("schema_version", `version ${JSON.stringify(version)} is not known; only 1 and 2 are read`);
  const own = { ...either, ...(version === 1 ? first : second) };
  const known = Object.fromEntries(Object.entries(rest).filter(([key]) => key in own));
  const { value: record, problems } = parseLeniently(recordSchema, copyPlainValue(known));
  return { value: record && prepareRecord(version, record), problems };
}

function refuse(field: string, detail: string): LenientParse<never> {
  return { value: null, problems: [{ field, detail }] };
}

/** A record of either version without its evaluation. Null means not stated; durations are in seconds. */
export type LedgerRecordFile = ReturnType<typeof prepareRecord>;

function prepareRecord(version: 1 | 2, record: z.infer<typeof recordSchema>) {
  const { task, input, output, outputs, timing, cost } = record;
  const agentOutput = version === 1 ? outputs.agent_output : output.agent_output;
  return {
    version,
    trialId: record.trial_id,
    experimentId: record.experiment_id,
    dataset: record.dataset_id,
    ...prepareAgent(record.agent),
    runId: record.run_id,
    taskId: record.task_id ?? task.task_id,
    taskRevision: input.task_revision ?? task.task_revision,
    attempt: record.attempt,
    executionStatus: record.execution_status,
    evaluationStatus: record.evaluation_status,
    evidenceStatus: record.evidence_status,
    outputStatus: agentOutput.status,
    errorMessage: agentOutput.error_message,
    finalReason: output.final_reason,
    startedAt: record.started_at ?? record.timestamp,
    completedAt: record.completed_at,
    visibility: input.visibility,
    completeness: record.completeness,
    paths: listPaths([
      ["output", agentOutput.output_path],
      ["raw output", output.raw_output ?? outputs.raw_output_path],
      ["conversation", output.conversation ?? outputs.conversation_path],
      ["trajectory", output.trajectory ?? outputs.trajectory_path],
    ]),
    timing: {
      total: timing.total_seconds,
      setup: timing.setup_seconds,
      agent: timing.agent_seconds,
      verification: timing.verification_seconds,
    },
    cost: {
      tokensIn: cost.tokens_in,
      tokensOut: cost.tokens_out,
      cacheRead: cost.cache_read_tokens,
      usd: cost.estimated_cost_usd,
    },
  };
}

function prepareAgent({ adapter, adapter_revision: adapterRevision, model }: z.infer<typeof agentSchema>) {
  return { adapter, adapterRevision, model };
}

/** Removes duplicates: the output is usually its own raw output. */
function listPaths(named: readonly (readonly [name: LedgerPathName, path: unknown])[]) {
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

/** Shared by all trials of a version 2 run. Null means not stated. */
export type LedgerManifestFile = ReturnType<typeof prepareManifest>;

function prepareManifest({ run_id, experiment_id, dataset, agent }: z.infer<typeof manifestSchema>) {
  return {
    runId: run_id,
    experimentId: experiment_id,
    dataset: typeof dataset === "string" ? dataset : (dataset?.dataset_id ?? dataset?.name ?? null),
    ...prepareAgent(agent),
  };
}

export function parseLedgerManifest(value: unknown): LenientParse<LedgerManifestFile> {
  const { value: manifest, problems } = parseLeniently(manifestSchema, copyPlainValue(value));
  return { value: manifest && prepareManifest(manifest), problems };
}
