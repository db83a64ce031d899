import {
  type JobBundle,
  type JobRecord,
  NO_STATS,
  NOTHING_STATED,
  type RecordedGroup,
} from "@/lib/core/domain/job";
import {
  BARE_STEP,
  BARE_TRIAL,
  NO_POLICY,
  NO_REWARD_FILES,
  type StepRecord,
  type Trial,
} from "@/lib/core/domain/trial";
import { evalsKey, type PyNumber, type RewardDict } from "@/lib/core/scoring";

/** Milliseconds since 1970-01-01 of the first trial's start in these bundles. */
const START_MS = Date.UTC(2026, 0, 5);

/** A time so many seconds after the bundles' first trial. */
export function atSecond(second: number): NonNullable<Trial["time"]["startedAt"]> {
  const epochMs = START_MS + second * 1000;
  return { text: new Date(epochMs).toISOString(), epochMs, zoned: true };
}

export function rewards(entries: Readonly<Record<string, PyNumber>>): RewardDict {
  return new Map(Object.entries(entries));
}

/** A finished trial of the group `orca__m1__d1` that agrees with its reward file. */
export function buildTrial(name: string, reward: PyNumber | null, over: Partial<Trial> = {}): Trial {
  const dict = "rewards" in over ? (over.rewards ?? null) : reward === null ? null : rewards({ reward });
  const { agent = "orca", model = "m1", source = "d1" } = over;
  return {
    ...BARE_TRIAL,
    key: `key-${name}`,
    folder: `job/${name}`,
    id: name,
    jobUuid: "job-1",
    trialName: name,
    taskName: "task",
    source,
    agent,
    recordedModel: model,
    groupKey: evalsKey({ agent, model, source }),
    model,
    attempt: 1,
    state: "finished",
    outcome: "passed",
    rewards: dict,
    isRewardValid: dict !== null && dict.size > 0,
    ...(dict === null
      ? NO_REWARD_FILES
      : { rewardFile: { kind: "read", file: "reward.json", rewards: dict } }),
    ...over,
  };
}

export function buildStep(
  stepName: string,
  dict: RewardDict | null,
  over: Partial<StepRecord> = {},
): StepRecord {
  return {
    ...BARE_STEP,
    stepName,
    hasVerifierResult: dict !== null,
    rewards: dict,
    ...(dict === null
      ? NO_REWARD_FILES
      : { rewardFile: { kind: "read", file: "reward.json", rewards: dict } }),
    ...over,
  };
}

export function buildException(type: string): NonNullable<Trial["exception"]> {
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
  trials: readonly Trial[],
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
