import type { ErrorPolicy, PolicyOverride, RewardDict, ScoringRule } from "@/lib/scoring";

import type { ClockInterval, ClockTime, Moment } from "./clock-time";
import { isAgentTimeout } from "./exception-cause";
import type { RecordedJudgment } from "./judgment";

/** `running`: no result yet, and the job is alive. `missing`: no result, and the job is over. */
export type TrialState = "finished" | "running" | "missing" | "unreadable";

/**
 * What became of a trial, for marks and counts. Exactly one per trial, decided by {@link classifyOutcome}:
 * `invalid`: rewarded, and Harbor left the reward out of every figure, as it does since 0.26 after some exceptions; else
 * a reward of 1 or more is `passed` whatever exception stands beside it; below that an exception decides
 * (`timeout` for the agent's own, `cancelled`, `errored`); without one, 0 or less is `failed` and anything between is `partial`.
 * `unscored`: a finished trial with neither a usable reward nor an exception.
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

/** An exception that Harbor recorded for a trial or step. `message` may be empty, as Harbor writes it for cancelled trials. */
export interface TrialException {
  readonly type: string;
  readonly message: string;
  readonly traceback: string | null;
  readonly occurredAt: ClockTime | null;
  /** Flags that the exception records as overridden; null if none. */
  readonly policyOverride: PolicyOverride | null;
  /** Flags that the trial's config overrides for this type; null if none. */
  readonly configuredOverride: PolicyOverride | null;
  /** The policy as the file states it, which is recomputed and compared; null before Harbor 0.26. */
  readonly recordedPolicy: ErrorPolicy | null;
}

/** The policy of an exception that Harbor recorded before 0.26, or did not record. */
export const NO_POLICY = { policyOverride: null, configuredOverride: null, recordedPolicy: null } as const;

/** Token and cost totals as the agent reported them. Null is "not reported" and is never 0. */
export interface TokenUsage {
  /** Includes cached tokens by Harbor's definition, though some agents report them apart. */
  readonly inputTokens: number | null;
  readonly cacheTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars. */
  readonly costUsd: number | null;
}

/** What the verifier's reward files say, read again from disk. */
export type RewardFileReading =
  | { readonly kind: "absent" }
  | {
      readonly kind: "read";
      readonly file: "reward.json" | "reward.txt";
      readonly rewards: RewardDict | null;
      /** The verifier ended without an error of its own, and result.json has no rewards. */
      readonly isUnrecorded?: true;
    }
  | {
      readonly kind: "error";
      readonly file: "reward.json" | "reward.txt";
      readonly reasonCode: string;
      readonly message: string;
    };

/** The four phases of a trial in the order they run. Null when a phase was not reached. */
export interface TrialPhases {
  readonly environmentSetup: ClockInterval | null;
  readonly agentSetup: ClockInterval | null;
  readonly agentExecution: ClockInterval | null;
  readonly verifier: ClockInterval | null;
}

/** One step of a multi-step trial. `hasVerifierResult` false means that step was not verified, which is not a reward of 0. */
export interface StepRecord {
  readonly stepName: string;
  readonly hasVerifierResult: boolean;
  readonly rewards: RewardDict | null;
  readonly rewardFile: RewardFileReading;
  /** See {@link TrialRecord.otherRewardFile}. */
  readonly otherRewardFile: RewardFileReading | null;
  readonly exception: TrialException | null;
  readonly agentExecution: ClockInterval | null;
  readonly verifier: ClockInterval | null;
  readonly tokens: TokenUsage;
}

/** A verifier's or reviewer's classification of a failure. Categories are free text. */
export interface ErrorTag {
  readonly category: string;
  readonly description: string | null;
  readonly source: "mechanical" | "human" | "judge";
}

/** What the record of a ledger states of its trial beside what every trial has. */
export interface LedgerFacts {
  /** Version of the record's shape; null when the record cannot be read. */
  readonly version: 1 | 2 | null;
  /** The run whose manifest names experiment, agent and dataset; null in version 1, whose records name them. */
  readonly runId: string | null;
  /** Attempt as stated, from 1; null when it is not. */
  readonly attempt: number | null;
  /** `execution_status`, or in version 1 the status of the agent's output, as written; null when not stated. */
  readonly status: string | null;
  /** Annotations inside the record's evaluation, in file order. */
  readonly annotations: readonly RecordedJudgment[];
}

/** The program that played the user of a trial, and what it used. */
export interface SimulatedUser {
  /** Name in the config; null when it states none. */
  readonly agent: string | null;
  /** Model as the config names it, with its provider; null when it states none. */
  readonly model: string | null;
  /** What Harbor records as the trial's tokens and cost: those of the simulated user, not of the agent it talked to. */
  readonly tokens: TokenUsage;
}

/** One setting of an agent as its config states it, such as `kwargs.reasoning_effort` and `"high"`. */
export interface AgentSetting {
  readonly name: string;
  /** JSON with sorted keys; of a long value the beginning and a hash. */
  readonly value: string;
}

/** Versions of a task as a lock states them; a verifier is a part of its task, so these tell verifiers apart. */
export interface TaskVersion {
  /** The version that the task gives itself; null when it has none. */
  readonly version: string | null;
  /** Digest of the task's files, without the name of its algorithm; null when not stated. */
  readonly digest: string | null;
}

/** Whether two versions are of the same files; without both digests the stated versions decide. */
export function sameTask(a: TaskVersion, b: TaskVersion): boolean {
  return a.digest === null || b.digest === null ? a.version === b.version : a.digest === b.digest;
}

/**
 * The trial whose rollout a regraded trial verified again, as the regraded trial's files state it; tokens and cost are
 * copies.
 * @see harbor 0.24.0 src/harbor/models/trial/config.py#SourceTrialConfig
 */
export interface SourceTrial {
  /** Id of the source trial. */
  readonly id: string | null;
  /** The last two parts of its recorded path: the folders of its job and of itself; null for a source from the Hub. */
  readonly jobName: string | null;
  readonly trialName: string | null;
  readonly isFromHub: boolean;
  /** The task, and with it the verifier, of the source and of the regraded trial; null when no lock states it. */
  readonly sourceTask: TaskVersion | null;
  readonly ownTask: TaskVersion | null;
}

/** One trial as read from its folder, or from its record in a ledger. Pure data: nothing here is derived from other trials, except `attempt`. */
export interface TrialRecord {
  /** URL key, unique within its job. */
  readonly key: string;
  /**
   * Its folder below its root, or its record file where `ledger` is not null; empty when it is only known from a lock or
   * stats.
   */
  readonly folder: string;
  /** Null for a trial that Harbor wrote. */
  readonly ledger: LedgerFacts | null;
  /** UUID in result.json, `trial_id` of a ledger's record, not unique across folders; null without a readable result. */
  readonly id: string | null;
  /** `config.job_id`, when recorded. */
  readonly jobUuid: string | null;
  readonly trialName: string;
  readonly taskName: string;
  /** Digest of the task's files (`task_checksum`), the right key for "same task" across jobs. */
  readonly taskDigest: string | null;
  /** Dataset name; null for an ad hoc task. */
  readonly source: string | null;
  readonly agent: string;
  readonly agentVersion: string | null;
  /** Key of its evals group, spelled as its job's result.json spells it: older Harbor wrote `/` as `-`. */
  readonly groupKey: string;
  /** Model name without its provider; one that only the config names is marked, see `markConfigured`. */
  readonly model: string | null;
  /** Model name in Harbor's key of the evals group: null where the agent records none, whatever the config names. */
  readonly recordedModel: string | null;
  readonly provider: string | null;
  /** 1-based position among the trials of the same task and evals group, in job order. */
  readonly attempt: number;
  readonly state: TrialState;
  readonly outcome: Outcome;
  /** Rewards in result.json; null means no verifier result, which is not a reward of 0. */
  readonly rewards: RewardDict | null;
  /**
   * `reward_valid` as result.json states it; `absent` where the file is of a schema that always has it and does not; null
   * where the file is older.
   */
  readonly recordedValidity: "valid" | "invalid" | "absent" | null;
  /** True if Harbor 0.26 would count the rewards, see `isRewardValid`. Older jobs have it too. */
  readonly isRewardValid: boolean;
  /** Why `rewards` could not be taken from result.json although they are there, in words; null when fine. */
  readonly rewardsProblem: string | null;
  /** The reward file that counts: reward.json before reward.txt, up to Harbor 0.6.6 the other way round. */
  readonly rewardFile: RewardFileReading;
  /** The second reward file, where both are there; Harbor did not read it. */
  readonly otherRewardFile: RewardFileReading | null;
  readonly exception: TrialException | null;
  readonly time: ClockInterval;
  readonly phases: TrialPhases;
  /** The agent's; of a trial with a simulated user what the files state of the agent it talked to. */
  readonly tokens: TokenUsage;
  /** Tokens that the trajectory counts where the result states a cost of 0 and no tokens; null everywhere else. */
  readonly traceTokens: number | null;
  /** Null for a trial in which no program played the user. */
  readonly simulatedUser: SimulatedUser | null;
  /** What the trial's config sets of its agent, by name; null when no config of it can be read. */
  readonly settings: readonly AgentSetting[] | null;
  /** What the trial's config records of its environment, see `readEnvironment` of lib/schema; null without a config. */
  readonly environment: string | null;
  /** Null for a single-step trial. */
  readonly steps: readonly StepRecord[] | null;
  /** Null for a trial that was run. */
  readonly sourceTrial: SourceTrial | null;
  /** See `TrialFingerprint.result`. */
  readonly resultDigest: string | null;
}

/** What is computed over the trials of a job is computed from: a trial without what only its own row and pages show. */
export interface ScoredTrial extends Omit<TrialRecord, "phases" | "resultDigest" | "exception" | "time"> {
  readonly exception: Omit<TrialException, "message" | "traceback"> | null;
  readonly time: ClockInterval<Moment>;
}

/** The reward that headlines a trial: its only key, else the key `reward`, else null (several keys and none named so). */
export function selectHeadlineReward(
  rewards: RewardDict | null,
): { readonly key: string; readonly value: bigint | number | boolean } | null {
  if (rewards === null || rewards.size === 0) return null;
  const key = rewards.size === 1 ? rewards.keys().next().value : "reward";
  const value = key === undefined ? undefined : rewards.get(key);
  return key === undefined || value === undefined ? null : { key, value };
}

/** Prompt and completion tokens together; null when neither is reported. */
export function sumTokens({
  inputTokens,
  outputTokens,
}: Pick<TokenUsage, "inputTokens" | "outputTokens">): number | null {
  return inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
}

/**
 * Returns whether a finished trial is an operand of a group's figures. Up to 0.25 Harbor counts each, one without a reward as
 * 0. Since 0.26 only valid rewards count. A ledger's own mean is over evaluated trials.
 */
export function countsUnder(
  { ledger, rewards, isRewardValid }: Pick<TrialRecord, "ledger" | "rewards" | "isRewardValid">,
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
  /** True if Harbor left the rewards out of its figures. */
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

/** Returns the usage that Harbor recorded and summed: of the program that it ran, the simulated user where there is one. */
export function selectRecordedUsage(trial: Pick<TrialRecord, "tokens" | "simulatedUser">): TokenUsage {
  return trial.simulatedUser?.tokens ?? trial.tokens;
}
