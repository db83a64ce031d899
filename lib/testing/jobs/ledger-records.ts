import type { Json } from "../json-text";

/** The experiment of the sample ledger. */
export const EXPERIMENT = "voltage-drop-panel";
/** The folder of its records. */
export const FOLDER = `ledger/${EXPERIMENT}`;
/** The task that its reviewers disagree about. */
export const SUBMAIN = "electrical/voltage-drop/submain";
const LIGHTING = "electrical/voltage-drop/lighting";

/** A JSON object of a ledger's file. */
export type Fields = Readonly<Record<string, Json>>;

/** The id of the run of a model. */
export function describeRun(model: string): string {
  return `${EXPERIMENT}:tool_loop:${model}:local`;
}

const SOUND = { output_parseable: true, schema_valid: true, verifier_completed: true, errors: [] };

function evaluate(reward: number, breakdown: Fields | null, over: Fields = {}): Fields {
  return {
    reward,
    validity: SOUND,
    breakdown,
    error_taxonomy: null,
    confidence: null,
    annotations: null,
    ...over,
  };
}

function score(value: number, evidence: string): Fields {
  return { score: value, max_score: 1.0, evidence };
}

interface Run {
  readonly task: string;
  readonly model: string;
  readonly attempt: bigint;
  /** Minutes into the afternoon of the sample, and seconds that it took. */
  readonly at: number;
  readonly seconds: number;
  readonly status?: "completed" | "failed" | "cancelled";
  readonly error?: string;
  readonly evaluation: Fields | null;
}

function formatMoment(minutes: number, seconds = 0): string {
  return new Date(Date.UTC(2026, 9, 6, 13, minutes, seconds)).toISOString().replace(".000Z", "Z");
}

function nameTrial({ task, model, attempt }: Run): string {
  return `${task.split("/").at(-1) ?? ""}-${model.split("-")[0] ?? ""}-${String(attempt)}`;
}

function prepareSecond(run: Run): Fields {
  const { task, model, attempt, at, seconds, status = "completed", error, evaluation } = run;
  const isEnded = status === "completed";
  return {
    schema_version: 2n,
    trial_id: nameTrial(run),
    run_id: describeRun(model),
    task_id: task,
    attempt,
    execution_status: status,
    evaluation_status: evaluation !== null ? "completed" : isEnded ? "pending" : "not_requested",
    evidence_status: "not_required",
    started_at: formatMoment(at),
    completed_at: formatMoment(at, seconds),
    input: {
      instruction: "Compute the voltage drop and say whether 2.5 % is kept.",
      task_revision: "task-2c9e",
      task_kind: "artifact",
      visibility: "public",
      system_prompt: null,
      input_files: null,
    },
    output: isEnded || error !== undefined ? prepareOutput(error ?? null) : null,
    evaluation,
    timing: {
      total_seconds: seconds,
      agent_seconds: seconds - 6,
      setup_seconds: 4.0,
      verification_seconds: 2.0,
    },
    cost: prepareCost(seconds),
    authority_evidence: [],
    provider_evidence: null,
    extension_refs: [],
  };
}

function prepareOutput(error: string | null): Fields {
  return {
    agent_output: {
      status: error === null ? "completed" : "failed",
      output_path: "/workspace/output.jsonl",
      output_format: "jsonl",
      error_message: error,
    },
    raw_output: null,
    conversation: null,
    trajectory: null,
    agent_result: null,
    artifacts: [],
    terminated: false,
    truncated: false,
    final_reason: null,
  };
}

function prepareCost(seconds: number): Fields {
  return {
    model_calls: null,
    tokens_in: BigInt(seconds * 1200),
    tokens_out: BigInt(seconds * 90),
    cache_read_tokens: null,
    cache_write_tokens: null,
    estimated_cost_usd: (seconds * 23) / 10_000,
  };
}

const UNIT_MISMATCH = {
  category: "unit mismatch",
  description: "Kilovolts were read as volts.",
  source: "mechanical",
};

/** Records of version 2 by trial: passed, partial, not evaluated, failed, refused output, cancelled. */
export function listSecondRecords(): (readonly [trialId: string, record: Fields])[] {
  const meridian = { model: "meridian-4.5", task: SUBMAIN };
  const halyard = { model: "halyard-2", task: SUBMAIN };
  return [
    { ...meridian, attempt: 1n, at: 0, seconds: 64, evaluation: evaluate(1.0, gradeSubmain(1, 1)) },
    { ...meridian, attempt: 2n, at: 3, seconds: 71, evaluation: evaluateDisputed() },
    {
      ...meridian,
      task: LIGHTING,
      attempt: 1n,
      at: 6,
      seconds: 118,
      evaluation: evaluate(0.5, { circuit_l1: 1.0, circuit_l2: 0.0, method: 0.5 }),
    },
    { ...meridian, task: LIGHTING, attempt: 2n, at: 10, seconds: 102, evaluation: null },
    {
      ...meridian,
      task: LIGHTING,
      attempt: 3n,
      at: 14,
      seconds: 600,
      status: "failed" as const,
      error: "AgentTimeoutError: no answer within 600 s",
      evaluation: null,
    },
    {
      ...halyard,
      attempt: 2n,
      at: 2,
      seconds: 55,
      evaluation: evaluate(0.0, null, {
        validity: {
          output_parseable: false,
          schema_valid: false,
          verifier_completed: true,
          errors: ["output.jsonl, line 1: a closing brace is missing"],
        },
        error_taxonomy: [{ category: "broken output", description: null, source: "mechanical" }],
      }),
    },
    { ...halyard, attempt: 3n, at: 5, seconds: 9, status: "cancelled" as const, evaluation: null },
  ].map((run) => [nameTrial(run), prepareSecond(run)] as const);
}

function gradeSubmain(volts: number, percent: number): Fields {
  return {
    voltage_drop_v: score(volts, volts === 1 ? "7.31 V, reference 7.31 V" : "7.24 V, within 2 % of 7.31 V"),
    voltage_drop_pct: score(percent, "1.83 %, reference 1.83 %"),
    compliance: score(1.0, "complies"),
  };
}

function evaluateDisputed(): Fields {
  return evaluate(0.93, gradeSubmain(0.79, 1), {
    error_taxonomy: [UNIT_MISMATCH],
    confidence: {
      annotator_count: 2n,
      inter_rater_agreement: 0.5,
      confidence_interval: null,
      confidence_method: "human_review_consensus",
    },
    annotations: [
      {
        reviewer_id: "m.okafor",
        reviewer_discipline: "electrical",
        timestamp: "2026-10-06T15:20:00Z",
        judgment: "fail",
        categories: ["unit mismatch"],
        notes: "The table mixes V and kV.",
      },
    ],
  });
}

/** Records of version 1 name their agent and their files themselves. */
/** Records of version 1 by trial. */
export function listFirstRecords(): (readonly [trialId: string, record: Fields])[] {
  return [
    prepareFirst("submain-halyard-1", SUBMAIN, 0, 47, evaluate(0.25, gradeSubmain(0.25, 0.25)), true),
    prepareFirst(
      "lighting-halyard-1",
      LIGHTING,
      8,
      83,
      evaluate(1.0, { circuit_l1: 1.0, circuit_l2: 1.0, method: 1.0 }),
      false,
    ),
  ];
}

function prepareFirst(
  trialId: string,
  task: string,
  at: number,
  seconds: number,
  evaluation: Fields,
  hasFiles: boolean,
): readonly [trialId: string, record: Fields] {
  const files = `${FOLDER}/_files/${trialId}`;
  const record = {
    trial_id: trialId,
    experiment_id: EXPERIMENT,
    dataset_id: "au-core@v1",
    timestamp: formatMoment(at),
    task: { task_id: task, task_revision: "task-2c9e" },
    agent: {
      adapter: "tool_loop",
      model: "halyard-2",
      adapter_revision: "adapter-7f31",
      configuration: { max_turns: 20n },
    },
    environment: {
      runtime_image: "example/task-image:latest",
      compute_backend: "local",
      tool_versions: null,
    },
    inputs: { instruction: "Compute the voltage drop.", system_prompt: null, input_files: null },
    outputs: {
      agent_output: {
        status: "completed",
        output_path: hasFiles ? `${files}/output.md` : "/workspace/output.md",
        output_format: "md",
        error_message: null,
      },
      raw_output_path: hasFiles ? `${files}/output.md` : "/workspace/output.md",
      conversation_path: hasFiles ? `${files}/conversation.jsonl` : "/workspace/conversation.jsonl",
      trajectory_path: null,
      agent_result: null,
    },
    evaluation,
    timing: {
      total_seconds: seconds,
      agent_seconds: seconds - 5,
      setup_seconds: null,
      verification_seconds: null,
    },
    cost: prepareCost(seconds),
    adaptation: null,
    completeness: "partial",
  };
  return [trialId, record];
}
