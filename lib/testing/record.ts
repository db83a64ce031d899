import type { Micros } from "./clock";
import type { Json } from "./json-text";

/** The Harbor version that wrote a job: the old schema of 2025, the 0.13.1 full dumps or the 0.22 trimmed ones. */
export type Flavour = "legacy" | "0.13.1" | "0.22.0";

/** An agent as a job configures it; `model` is null for agents without one. */
export interface AgentSpec {
  readonly name: string;
  readonly version: string;
  readonly provider: string | null;
  readonly model: string | null;
}

/** A started and finished phase of a trial. */
export interface Span {
  readonly from: Micros;
  readonly to: Micros;
}

/** Token counts and cost of one agent run; `input` includes `cache`. Null fields were not reported. */
export interface Usage {
  readonly input: number | null;
  readonly cache: number | null;
  readonly output: number | null;
  readonly costUsd: number | null;
  readonly metadata?: Json;
}

/** The failure of a trial. */
export interface ExceptionRecord {
  readonly type: string;
  readonly message: string;
  readonly traceback: string;
  readonly at: Micros;
}

/** Rewards by key; `number` is a Python float, `bigint` an int. */
export type Rewards = ReadonlyMap<string, number | bigint>;

/** One executed step of a multi-step trial. */
export interface StepRecord {
  readonly name: string;
  readonly usage: Usage | null;
  readonly rewards: Rewards | null;
  readonly exception: ExceptionRecord | null;
  readonly agent: Span | null;
  readonly verifier: Span | null;
}

/** A file below a trial or job folder; the path uses forward slashes. */
export interface SampleFile {
  readonly path: string;
  readonly content: string | Buffer;
}

/** `complete` has a result.json; `running` and `abandoned` only a config.json; `pending` has no folder at all. */
type TrialState = "complete" | "running" | "abandoned" | "pending";

/** One trial, as far as the generator knows it. Spans are null for phases that were not reached. */
export interface TrialRecord {
  readonly id: string;
  readonly name: string;
  readonly task: string;
  readonly attempt: number;
  readonly agent: AgentSpec;
  readonly state: TrialState;
  readonly span: Span;
  readonly environmentSetup: Span | null;
  readonly agentSetup: Span | null;
  readonly agentExecution: Span | null;
  readonly verifier: Span | null;
  readonly usage: Usage | null;
  readonly rewards: Rewards | null;
  readonly exception: ExceptionRecord | null;
  readonly steps: readonly StepRecord[] | null;
  readonly files: readonly SampleFile[];
  readonly log: string;
}

/** The source of a job's tasks. */
export interface DatasetSpec {
  readonly name: string | null;
  readonly version: string | null;
  readonly gitUrl: string | null;
  readonly commit: string | null;
}

/** One job: its configuration, its trials in the order Harbor plans them, and its state. */
export interface JobRecord {
  readonly id: string;
  readonly name: string;
  readonly flavour: Flavour;
  readonly dataset: DatasetSpec;
  readonly tasks: readonly string[];
  readonly agents: readonly AgentSpec[];
  readonly attempts: number;
  readonly concurrent: number;
  readonly maxRetries: number;
  readonly startedAt: Micros;
  readonly updatedAt: Micros;
  /** Null while the job runs, and after an interruption. */
  readonly finishedAt: Micros | null;
  /** Wall clock of the machine that ran the job, minutes east of UTC. */
  readonly offsetMinutes: number;
  /** Attempts that were deleted and run again. */
  readonly retries: number;
  readonly trials: readonly TrialRecord[];
  readonly summation: "cpython-3.12" | "sequential";
  readonly log: string;
  readonly files: readonly SampleFile[];
}
