import {
  type JobBundle,
  type JobRecord,
  NO_STATS,
  NOTHING_STATED,
  type RecordedGroup,
} from "@/lib/core/domain/job";
import { NO_POLICY, type StepRecord, type TrialRecord } from "@/lib/core/domain/trial";
import { evalsKey, type PyNumber, type RewardDict } from "@/lib/core/scoring";

const NO_TOKENS = { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd: null };

/** Milliseconds since 1970-01-01 of the first trial's start in these bundles. */
const START_MS = Date.UTC(2026, 0, 5);

/** A time so many seconds after the bundles' first trial. */
export function atSecond(second: number): NonNullable<TrialRecord["time"]["startedAt"]> {
  const epochMs = START_MS + second * 1000;
  return { text: new Date(epochMs).toISOString(), epochMs, zoned: true };
}

export function rewards(entries: Readonly<Record<string, PyNumber>>): RewardDict {
  return new Map(Object.entries(entries));
}

/** A finished trial of the group `orca__m1__d1` that agrees with its reward file. */
export function buildTrial(
  name: string,
  reward: PyNumber | null,
  over: Partial<TrialRecord> = {},
): TrialRecord {
  const dict = "rewards" in over ? (over.rewards ?? null) : reward === null ? null : rewards({ reward });
  const { agent = "orca", model = "m1", source = "d1" } = over;
  return {
    key: `key-${name}`,
    folder: `job/${name}`,
    ledger: null,
    id: name,
    jobUuid: "job-1",
    trialName: name,
    taskName: "task",
    taskDigest: null,
    source,
    agent,
    agentVersion: null,
    recordedModel: model,
    groupKey: evalsKey({ agent, model, source }),
    model,
    provider: null,
    attempt: 1,
    state: "finished",
    outcome: "passed",
    rewards: dict,
    rewardsProblem: null,
    recordedValidity: null,
    isRewardValid: dict !== null && dict.size > 0,
    rewardFile: dict === null ? { kind: "absent" } : { kind: "read", file: "reward.json", rewards: dict },
    otherRewardFile: null,
    exception: null,
    time: { startedAt: null, finishedAt: null },
    phases: { environmentSetup: null, agentSetup: null, agentExecution: null, verifier: null },
    tokens: NO_TOKENS,
    traceTokens: null,
    simulatedUser: null,
    settings: null,
    environment: null,
    steps: null,
    sourceTrial: null,
    resultDigest: null,
    ...over,
  };
}

export function buildStep(
  stepName: string,
  dict: RewardDict | null,
  over: Partial<StepRecord> = {},
): StepRecord {
  return {
    stepName,
    hasVerifierResult: dict !== null,
    rewards: dict,
    rewardFile: dict === null ? { kind: "absent" } : { kind: "read", file: "reward.json", rewards: dict },
    otherRewardFile: null,
    exception: null,
    agentExecution: null,
    verifier: null,
    tokens: NO_TOKENS,
    ...over,
  };
}

export function buildException(type: string): NonNullable<TrialRecord["exception"]> {
  return { type, message: "", traceback: null, occurredAt: null, ...NO_POLICY };
}

export function buildGroup(over: Partial<RecordedGroup> = {}): RecordedGroup {
  return {
    key: "orca__m1__d1",
    nTrials: null,
    nErrors: null,
    metrics: [],
    passAtK: new Map(),
    rewardStats: null,
    exceptionStats: null,
    ...over,
  };
}

/** A finished job with one metric, without a plan, counters or result bytes. */
export function buildBundle(
  trials: readonly TrialRecord[],
  groups: readonly RecordedGroup[],
  over: Partial<JobRecord> = {},
): JobBundle {
  const job: JobRecord = {
    key: "job",
    name: "job",
    root: 0,
    folder: "job",
    kind: "harbor",
    purpose: "benchmark",
    uuid: "job-1",
    state: "finished",
    time: { startedAt: null, finishedAt: null },
    updatedAt: null,
    ...NOTHING_STATED,
    recorded: { ...NO_STATS, groups },
    ...over,
  };
  return { job, trials, issues: [], recordedJudgments: [] };
}
