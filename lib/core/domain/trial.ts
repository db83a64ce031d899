import type { ErrorPolicy, PolicyOverride, RewardDict, ScoringRule } from "@/lib/core/scoring";

import type { ClockInterval, ClockTime } from "./clock-time";
import { isAgentTimeout } from "./exception-cause";
import type { RecordedJudgment } from "./judgment";

/** `running`: no result yet, and the job is alive. `missing`: no result, and the job is over. */
export type TrialState = "finished" | "running" | "missing" | "unreadable";

/**
 * Outcome of a trial, for marks and counts; decided by {@link classifyOutcome}. `invalid`: rewarded, and Harbor left the reward
 * out of every figure, as it does since 0.26 after some exceptions. Else a reward of 1 or more is `passed`, even with an
 * exception. Below that an exception decides (`timeout` for the agent's own, `cancelled`, `errored`). Without one, 0 or less is
 * `failed` and anything between is `partial`. `unscored`: finished with neither a usable reward nor an exception.
 */
export const OUTCOMES = [
  "passed",
  "partial",
  "failed",
  "errored",
  "timeout",
  "cancelled",
  "invalid",
  "running",
  "missing",
  "unreadable",
  "unscored",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Ended without a pass. `unscored` is left out: several rewards without a headline are neither. */
export const NOT_PASSED = [
  "failed",
  "timeout",
  "errored",
  "cancelled",
  "invalid",
  "unreadable",
  "partial",
] as const satisfies readonly Outcome[];

/** The order in which charts draw outcomes. */
export const WORST_FIRST: readonly Outcome[] = [...NOT_PASSED, "unscored", "missing", "running", "passed"];

/** `message` may be empty, as Harbor writes it for cancelled trials. */
export interface TrialException {
  readonly type: string;
  readonly message: string;
  readonly traceback: string | null;
  readonly occurredAt: ClockTime | null;
  readonly policyOverride: PolicyOverride | null;
  readonly configuredOverride: PolicyOverride | null;
  /** The policy in the file, which is recomputed and compared; null before Harbor 0.26. */
  readonly recordedPolicy: ErrorPolicy | null;
}

export const NO_POLICY = { policyOverride: null, configuredOverride: null, recordedPolicy: null } as const;

/** As the agent reported them. Null is "not reported" and is never 0. */
export interface TokenUsage {
  /** Includes cached tokens by Harbor's definition, though some agents report them separately. */
  readonly inputTokens: number | null;
  readonly cacheTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export type RewardFileReading =
  | { readonly kind: "absent" }
  | {
      readonly kind: "read";
      readonly file: "reward.json" | "reward.txt";
      readonly rewards: RewardDict | null;
      readonly isUnrecorded?: true;
    }
  | {
      readonly kind: "error";
      readonly file: "reward.json" | "reward.txt";
      readonly reasonCode: string;
      readonly message: string;
    };

export interface TrialPhases {
  readonly environmentSetup: ClockInterval | null;
  readonly agentSetup: ClockInterval | null;
  readonly agentExecution: ClockInterval | null;
  readonly verifier: ClockInterval | null;
}

/** `hasVerifierResult` is false if the step was not verified, which is not a reward of 0. */
export interface StepRecord {
  readonly stepName: string;
  readonly hasVerifierResult: boolean;
  readonly rewards: RewardDict | null;
  readonly rewardFile: RewardFileReading;
  readonly otherRewardFile: RewardFileReading | null;
  readonly exception: TrialException | null;
  readonly agentExecution: ClockInterval | null;
  readonly verifier: ClockInterval | null;
  readonly tokens: TokenUsage;
}

export interface ErrorTag {
  readonly category: string;
  readonly description: string | null;
  readonly source: "mechanical" | "human" | "judge";
}

interface LedgerFacts {
  readonly version: 1 | 2 | null;
  /** Run whose manifest names experiment, agent and dataset; null in version 1, whose records name them. */
  readonly runId: string | null;
  readonly attempt: number | null;
  readonly status: string | null;
  readonly annotations: readonly RecordedJudgment[];
}

export interface SimulatedUser {
  readonly agent: string | null;
  readonly model: string | null;
  /** Harbor records these as the trial's tokens and cost. They are the simulated user's, not the tested agent's. */
  readonly tokens: TokenUsage;
}

export interface AgentSetting {
  readonly name: string;
  /** JSON with sorted keys; of a long value the beginning and a hash. */
  readonly value: string;
}

/** From a lock. A verifier is a part of its task, so these identify verifiers too. */
export interface TaskVersion {
  readonly version: string | null;
  readonly digest: string | null;
}

/** True for the same files; without both digests the recorded versions decide. */
export function sameTask(a: TaskVersion, b: TaskVersion): boolean {
  return a.digest === null || b.digest === null ? a.version === b.version : a.digest === b.digest;
}

/**
 * The trial whose rollout a regraded trial verified again, from the regraded trial's files. Tokens and cost are copies.
 * @see harbor 0.24.0 src/harbor/models/trial/config.py#SourceTrialConfig
 */
export interface SourceTrial {
  readonly id: string | null;
  readonly jobName: string | null;
  readonly trialName: string | null;
  readonly isFromHub: boolean;
  /** Task, and with it verifier, of the source and of the regraded trial; null if no lock records it. */
  readonly sourceTask: TaskVersion | null;
  readonly ownTask: TaskVersion | null;
}

/** One trial from its folder or its ledger record. Nothing is derived from other trials, except `attempt`. */
export interface Trial {
  /** URL key, unique within its job. */
  readonly key: string;
  /** Its folder below its root, or its record file if `ledger` is set; empty if only a lock or stats name it. */
  readonly folder: string;
  readonly ledger: LedgerFacts | null;
  /** UUID in result.json, or `trial_id` of a ledger's record. Not unique across folders; null without a readable result. */
  readonly id: string | null;
  readonly jobUuid: string | null;
  readonly trialName: string;
  readonly taskName: string;
  /** `task_checksum`, the right key for "same task" across jobs. */
  readonly taskDigest: string | null;
  readonly source: string | null;
  readonly agent: string;
  readonly agentVersion: string | null;
  /** Spelled as in its job's result.json: older Harbor wrote `/` as `-`. */
  readonly groupKey: string;
  /** Without its provider; one that only the config names is marked, see `markConfigured`. */
  readonly model: string | null;
  /** Model in Harbor's key of the evals group. Null if the agent records none, even if the config names one. */
  readonly recordedModel: string | null;
  readonly provider: string | null;
  /** 1-based among the trials of the same task and evals group, in job order. */
  readonly attempt: number;
  readonly state: TrialState;
  readonly outcome: Outcome;
  /** Rewards in result.json; null means no verifier result, which is not a reward of 0. */
  readonly rewards: RewardDict | null;
  /** `reward_valid` in result.json. `absent`: left out by a schema that always has it; null: the file is older. */
  readonly recordedValidity: "valid" | "invalid" | "absent" | null;
  /** True if Harbor 0.26 would count the rewards, see `isRewardValid`. Older jobs have it too. */
  readonly isRewardValid: boolean;
  readonly rewardsProblem: string | null;
  /** The reward file that counts: reward.json before reward.txt, up to Harbor 0.6.6 the other way round. */
  readonly rewardFile: RewardFileReading;
  readonly otherRewardFile: RewardFileReading | null;
  readonly exception: TrialException | null;
  readonly time: ClockInterval;
  readonly phases: TrialPhases;
  /** The agent's. With a simulated user, what the files record of the agent it talked to. */
  readonly tokens: TokenUsage;
  /** Tokens in the trajectory if the result records a cost of 0 and no tokens; else null. */
  readonly traceTokens: number | null;
  readonly simulatedUser: SimulatedUser | null;
  /** From the trial's config, by name; null if no config of it can be read. */
  readonly settings: readonly AgentSetting[] | null;
  readonly environment: string | null;
  readonly steps: readonly StepRecord[] | null;
  readonly sourceTrial: SourceTrial | null;
  readonly resultDigest: string | null;
}

export const NO_TOKENS: TokenUsage = {
  inputTokens: null,
  cacheTokens: null,
  outputTokens: null,
  costUsd: null,
};
export const NO_REWARD_FILES: Pick<Trial, "rewardFile" | "otherRewardFile"> = {
  rewardFile: { kind: "absent" },
  otherRewardFile: null,
};

export const BARE_STEP: StepRecord = {
  stepName: "",
  hasVerifierResult: false,
  rewards: null,
  ...NO_REWARD_FILES,
  exception: null,
  agentExecution: null,
  verifier: null,
  tokens: NO_TOKENS,
};

/** A trial without any known value, with every field. */
export const BARE_TRIAL: Trial = {
  folder: "",
  ...NO_REWARD_FILES,
  ledger: null,
  id: null,
  jobUuid: null,
  trialName: "",
  taskName: "",
  taskDigest: null,
  source: null,
  agent: "unknown",
  agentVersion: null,
  model: null,
  recordedModel: null,
  provider: null,
  state: "missing",
  rewards: null,
  rewardsProblem: null,
  recordedValidity: null,
  isRewardValid: false,
  exception: null,
  time: { startedAt: null, finishedAt: null },
  tokens: NO_TOKENS,
  traceTokens: null,
  simulatedUser: null,
  settings: null,
  environment: null,
  steps: null,
  sourceTrial: null,
  groupKey: "",
  key: "",
  attempt: 0,
  outcome: "unscored",
  phases: { environmentSetup: null, agentSetup: null, agentExecution: null, verifier: null },
  resultDigest: null,
};

/** Content of a trial's files, without its place in the job. */
export type TrialFiles = Omit<Trial, "key" | "attempt" | "outcome" | "groupKey" | "isRewardValid">;

/** Returns the names of a multi-step trial's steps in run order; null for a single-step trial. */
export function listStepNames({ steps }: Pick<Trial, "steps">): readonly string[] | null {
  return steps?.map(({ stepName }) => stepName) ?? null;
}

/** Returns the reward of the only key, else of the key `reward`; null for several keys without it. */
export function selectHeadlineReward(
  rewards: RewardDict | null,
): { readonly key: string; readonly value: bigint | number | boolean } | null {
  if (rewards === null || rewards.size === 0) return null;
  const key = rewards.size === 1 ? rewards.keys().next().value : "reward";
  const value = key === undefined ? undefined : rewards.get(key);
  return key === undefined || value === undefined ? null : { key, value };
}

/** Returns prompt plus completion tokens; null if neither is reported. */
export function sumTokens({
  inputTokens,
  outputTokens,
}: Pick<TokenUsage, "inputTokens" | "outputTokens">): number | null {
  return inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
}

/**
 * True if a finished trial is an operand of a group's figures. Up to 0.25 Harbor counts each, one without a reward as 0. Since
 * 0.26 only valid rewards count. A ledger's own mean is over evaluated trials.
 */
export function countsUnder(
  { ledger, rewards, isRewardValid }: Pick<Trial, "ledger" | "rewards" | "isRewardValid">,
  rule: ScoringRule,
): boolean {
  if (ledger !== null) return rewards !== null;
  return rule === "harbor-0.25" || isRewardValid;
}

/** See {@link Outcome} for the rule. NaN rewards count as `unscored` unless an exception decides. */
export function classifyOutcome(trial: {
  readonly state: TrialState;
  readonly rewards: RewardDict | null;
  readonly exceptionType: string | null;
  readonly isLeftOut?: boolean;
}): Outcome {
  if (trial.state !== "finished") return trial.state;
  if (trial.isLeftOut === true && trial.rewards !== null && trial.rewards.size > 0) return "invalid";
  const headline = selectHeadlineReward(trial.rewards);
  const reward = headline === null ? null : Number(headline.value);
  if (reward !== null && reward >= 1) return "passed";
  if (trial.exceptionType !== null) return classifyException(trial.exceptionType);
  if (reward === null || Number.isNaN(reward)) return "unscored";
  return reward <= 0 ? "failed" : "partial";
}

function classifyException(type: string): Outcome {
  if (isAgentTimeout(type)) return "timeout";
  return /^cancell?ed/i.test(type) ? "cancelled" : "errored";
}

/** Returns the usage that Harbor recorded and summed: the simulated user's, if there is one. */
export function selectRecordedUsage(trial: Pick<Trial, "tokens" | "simulatedUser">): TokenUsage {
  return trial.simulatedUser?.tokens ?? trial.tokens;
}
