import type { ClockInterval, ClockTime } from "@/lib/domain/clock-time";
import type {
  LedgerFacts,
  Outcome,
  RewardFileReading,
  SimulatedUser,
  SourceTrial,
  StepRecord,
  TokenUsage,
  TrialException,
  TrialRecord,
  TrialState,
} from "@/lib/domain/trial";
import { evalsKey, type RewardDict } from "@/lib/scoring";

import { decodeValue, encodeValue, type Json } from "./codec";

/**
 * A trial's record as text: its fields in a fixed order without their names, which are most of the bytes otherwise. There
 * is one of these a trial, so that both its size and its cost count. Change `DERIVE_VERSION` with it.
 */
export function encodeTrial(trial: TrialRecord): Json<TrialRecord> {
  const { environmentSetup, agentSetup, agentExecution, verifier } = trial.phases;
  const fields: StoredTrial = [
    trial.key,
    trial.folder,
    trial.id,
    trial.jobId,
    trial.trialName,
    trial.taskName,
    trial.taskDigest,
    trial.source,
    trial.agent,
    trial.agentVersion,
    trial.model,
    trial.provider,
    trial.attempt,
    trial.state,
    trial.outcome,
    packRewards(trial.rewards),
    trial.rewardsProblem,
    packRewardFile(trial.rewardFile),
    packException(trial.exception),
    packInterval(trial.time),
    packInterval(environmentSetup),
    packInterval(agentSetup),
    packInterval(agentExecution),
    packInterval(verifier),
    packTokens(trial.tokens),
    trial.steps?.map(packStep) ?? null,
    trial.ledger === null ? 0 : packLedger(trial.ledger),
    trial.groupKey === evalsKey(trial) ? null : trial.groupKey,
    packRewardFile(trial.otherRewardFile ?? ABSENT),
    trial.sourceTrial ?? 0,
    packUser(trial.simulatedUser),
    packSettings(trial.settings),
  ];
  return JSON.stringify(fields) as Json<TrialRecord>;
}

/** The record that {@link encodeTrial} made a text of. */
export function decodeTrial(text: Json<TrialRecord>): TrialRecord {
  const fields = JSON.parse(text) as StoredTrial; // This version of the code wrote it.
  const [key, folder, id, jobId, trialName, taskName, taskDigest, source, agent, agentVersion] = fields;
  const [, , , , , , , , , , model, provider, attempt, state, outcome] = fields;
  return {
    key,
    folder,
    id,
    jobId,
    trialName,
    taskName,
    taskDigest,
    source,
    agent,
    agentVersion,
    model,
    provider,
    attempt,
    state,
    outcome,
    rewards: unpackRewards(fields[15]),
    rewardsProblem: fields[16],
    rewardFile: unpackRewardFile(fields[17]),
    exception: unpackException(fields[18]),
    time: unpackInterval(fields[19]) ?? NO_TIME,
    phases: {
      environmentSetup: unpackInterval(fields[20]),
      agentSetup: unpackInterval(fields[21]),
      agentExecution: unpackInterval(fields[22]),
      verifier: unpackInterval(fields[23]),
    },
    tokens: unpackTokens(fields[24]),
    steps: fields[25]?.map(unpackStep) ?? null,
    ledger: fields[26] === 0 ? null : unpackLedger(fields[26]),
    groupKey: fields[27] ?? evalsKey({ agent, model, source }),
    otherRewardFile: unpackOtherFile(fields[28]),
    sourceTrial: fields[29] === 0 ? null : fields[29],
    simulatedUser: unpackUser(fields[30]),
    settings: unpackSettings(fields[31]),
  };
}

type Text = string | null;
type TrialNames = readonly [string, Text, Text, Text, number, TrialState, Outcome];
/** Text, milliseconds since 1970-01-01, 1 when it carries a zone. */
type StoredTime = readonly [string, number, 0 | 1] | null;
type StoredInterval = readonly [StoredTime, StoredTime] | null;
/** Numbers that JSON has no text for are tagged, see the codec of all other values. */
type StoredNumber = number | string | null;
type StoredTokens = readonly [StoredNumber, StoredNumber, StoredNumber, StoredNumber] | 0;
/** A finite double of the only key `reward` as it is; anything else as its encoded text. */
type StoredRewards = number | string | null;
type StoredRewardFile =
  | 0
  | readonly ["read", string, StoredRewards]
  | readonly ["error", string, string, string];
type StoredException = readonly [string, string, Text, StoredTime] | null;
type StoredStep = readonly [
  string,
  boolean,
  StoredRewards,
  StoredRewardFile,
  StoredException,
  StoredInterval,
  StoredInterval,
  StoredTokens,
  StoredRewardFile,
];
/** Annotations hold texts, times and lists of texts only, which JSON keeps as they are. */
type StoredLedger = readonly [LedgerFacts["version"], Text, StoredNumber, Text, LedgerFacts["annotations"]];
type StoredUser = readonly [Text, Text, StoredTokens] | 0;
/** Names and values one after the other. */
type StoredSettings = readonly string[] | null;
type StoredTrial = readonly [
  string,
  string,
  Text,
  Text,
  string,
  string,
  Text,
  Text,
  ...TrialNames,
  StoredRewards,
  Text,
  StoredRewardFile,
  StoredException,
  StoredInterval,
  StoredInterval,
  StoredInterval,
  StoredInterval,
  StoredInterval,
  StoredTokens,
  readonly StoredStep[] | null,
  StoredLedger | 0,
  Text,
  StoredRewardFile,
  /** Texts and booleans only, which JSON keeps as they are. */
  SourceTrial | 0,
  StoredUser,
  StoredSettings,
];

const ABSENT: RewardFileReading = { kind: "absent" };
const NO_TIME: ClockInterval = { startedAt: null, finishedAt: null };
const NO_TOKENS: TokenUsage = { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd: null };

function packTime(time: ClockTime | null): StoredTime {
  return time === null ? null : [time.text, time.epochMs, time.zoned ? 1 : 0];
}

function unpackTime(stored: StoredTime): ClockTime | null {
  return stored === null ? null : { text: stored[0], epochMs: stored[1], zoned: stored[2] === 1 };
}

function packInterval(interval: ClockInterval | null): StoredInterval {
  return interval === null ? null : [packTime(interval.startedAt), packTime(interval.finishedAt)];
}

function unpackInterval(stored: StoredInterval): ClockInterval | null {
  return stored === null ? null : { startedAt: unpackTime(stored[0]), finishedAt: unpackTime(stored[1]) };
}

function packNumber(value: number | null): StoredNumber {
  return value === null || (Number.isFinite(value) && !Object.is(value, -0)) ? value : encodeValue(value);
}

function unpackNumber(stored: StoredNumber): number | null {
  return typeof stored === "string" ? decodeValue(stored as Json<number>) : stored;
}

function packTokens({ inputTokens, cacheTokens, outputTokens, costUsd }: TokenUsage): StoredTokens {
  if (inputTokens === null && cacheTokens === null && outputTokens === null && costUsd === null) return 0;
  return [packNumber(inputTokens), packNumber(cacheTokens), packNumber(outputTokens), packNumber(costUsd)];
}

function unpackTokens(stored: StoredTokens): TokenUsage {
  if (stored === 0) return NO_TOKENS;
  const [inputTokens, cacheTokens, outputTokens, costUsd] = stored;
  return {
    inputTokens: unpackNumber(inputTokens),
    cacheTokens: unpackNumber(cacheTokens),
    outputTokens: unpackNumber(outputTokens),
    costUsd: unpackNumber(costUsd),
  };
}

function packRewards(rewards: RewardDict | null): StoredRewards {
  if (rewards === null) return null;
  const sole = rewards.size === 1 ? rewards.get("reward") : undefined;
  return typeof sole === "number" && Number.isFinite(sole) && !Object.is(sole, -0)
    ? sole
    : encodeValue(rewards);
}

function unpackRewards(stored: StoredRewards): RewardDict | null {
  if (stored === null) return null;
  return typeof stored === "number" ? new Map([["reward", stored]]) : decodeValue(stored as Json<RewardDict>);
}

function packRewardFile(reading: RewardFileReading): StoredRewardFile {
  if (reading.kind === "absent") return 0;
  return reading.kind === "read"
    ? ["read", reading.file, packRewards(reading.rewards)]
    : ["error", reading.file, reading.reasonCode, reading.message];
}

function unpackRewardFile(stored: StoredRewardFile): RewardFileReading {
  if (stored === 0) return ABSENT;
  const file = stored[1] === "reward.json" ? "reward.json" : "reward.txt";
  if (stored[0] === "read") return { kind: "read", file, rewards: unpackRewards(stored[2]) };
  return { kind: "error", file, reasonCode: stored[2], message: stored[3] };
}

function unpackOtherFile(stored: StoredRewardFile): RewardFileReading | null {
  return stored === 0 ? null : unpackRewardFile(stored);
}

function packException(exception: TrialException | null): StoredException {
  if (exception === null) return null;
  const { type, message, traceback, occurredAt } = exception;
  return [type, message, traceback, packTime(occurredAt)];
}

function unpackException(stored: StoredException): TrialException | null {
  if (stored === null) return null;
  const [type, message, traceback, occurredAt] = stored;
  return { type, message, traceback, occurredAt: unpackTime(occurredAt) };
}

function packLedger({ version, runId, attempt, status, annotations }: LedgerFacts): StoredLedger {
  return [version, runId, packNumber(attempt), status, annotations];
}

function unpackLedger([version, runId, attempt, status, annotations]: StoredLedger): LedgerFacts {
  return { version, runId, attempt: unpackNumber(attempt), status, annotations };
}

function packUser(user: SimulatedUser | null): StoredUser {
  return user === null ? 0 : [user.agent, user.model, packTokens(user.tokens)];
}

function unpackUser(stored: StoredUser): SimulatedUser | null {
  if (stored === 0) return null;
  const [agent, model, tokens] = stored;
  return { agent, model, tokens: unpackTokens(tokens) };
}

function packSettings(settings: TrialRecord["settings"]): StoredSettings {
  return settings?.flatMap(({ name, value }) => [name, value]) ?? null;
}

function unpackSettings(stored: StoredSettings): TrialRecord["settings"] {
  if (stored === null) return null;
  return Array.from({ length: stored.length / 2 }, (_, index) => ({
    name: stored[2 * index] ?? "",
    value: stored[2 * index + 1] ?? "",
  }));
}

function packStep(step: StepRecord): StoredStep {
  return [
    step.stepName,
    step.hasVerifierResult,
    packRewards(step.rewards),
    packRewardFile(step.rewardFile),
    packException(step.exception),
    packInterval(step.agentExecution),
    packInterval(step.verifier),
    packTokens(step.tokens),
    packRewardFile(step.otherRewardFile ?? ABSENT),
  ];
}

function unpackStep(stored: StoredStep): StepRecord {
  const [stepName, hasVerifierResult, rewards, rewardFile, exception, agentExecution, verifier, tokens] =
    stored;
  const otherRewardFile = unpackOtherFile(stored[8]);
  return {
    stepName,
    hasVerifierResult,
    rewards: unpackRewards(rewards),
    rewardFile: unpackRewardFile(rewardFile),
    otherRewardFile,
    exception: unpackException(exception),
    agentExecution: unpackInterval(agentExecution),
    verifier: unpackInterval(verifier),
    tokens: unpackTokens(tokens),
  };
}
