import type { ClockInterval, ClockTime, Moment } from "@/lib/core/domain/clock-time";
import type { ScoredTrial, TokenUsage, TrialRecord } from "@/lib/core/domain/trial";

import type { TrialBatch, TrialDetails } from "./trial-batch";

export const COMMON = [
  "jobUuid",
  "source",
  "agent",
  "agentVersion",
  "model",
  "recordedModel",
  "provider",
  "state",
  "settings",
  "environment",
  "recordedValidity",
] as const;
export type Common = Pick<ScoredTrial, (typeof COMMON)[number]>;
export type Rare = Pick<
  ScoredTrial,
  | "otherRewardFile"
  | "ledger"
  | "rewardsProblem"
  | "exception"
  | "traceTokens"
  | "simulatedUser"
  | "steps"
  | "sourceTrial"
>;
export type Own = Pick<
  ScoredTrial,
  | "folder"
  | "rewardFile"
  | "id"
  | "trialName"
  | "taskName"
  | "taskDigest"
  | "rewards"
  | "key"
  | "attempt"
  | "outcome"
  | "groupKey"
  | "isRewardValid"
>;
type Changes = Partial<Common & Rare & Own>;

export const NONE: Rare = {
  otherRewardFile: null,
  ledger: null,
  rewardsProblem: null,
  exception: null,
  traceTokens: null,
  simulatedUser: null,
  steps: null,
  sourceTrial: null,
};

/** Compact form during a reading. Fields are not own properties: copy with {@link HeldTrial.with} or {@link completeTrial}. */
export class HeldTrial implements ScoredTrial {
  readonly folder: Own["folder"];
  readonly rewardFile: Own["rewardFile"];
  readonly id: Own["id"];
  readonly trialName: Own["trialName"];
  readonly taskName: Own["taskName"];
  readonly taskDigest: Own["taskDigest"];
  readonly rewards: Own["rewards"];
  readonly key: Own["key"];
  readonly attempt: Own["attempt"];
  readonly outcome: Own["outcome"];
  readonly groupKey: Own["groupKey"];
  readonly isRewardValid: Own["isRewardValid"];
  readonly #common: Common;
  readonly #rare: Rare;
  readonly #batch: TrialBatch;
  readonly #place: number;

  constructor(own: Own, common: Common, rare: Rare, batch: TrialBatch, place: number) {
    this.folder = own.folder;
    this.rewardFile = own.rewardFile;
    this.id = own.id;
    this.trialName = own.trialName;
    this.taskName = own.taskName;
    this.taskDigest = own.taskDigest;
    this.rewards = own.rewards;
    this.key = own.key;
    this.attempt = own.attempt;
    this.outcome = own.outcome;
    this.groupKey = own.groupKey;
    this.isRewardValid = own.isRewardValid;
    this.#common = common;
    this.#rare = rare;
    this.#batch = batch;
    this.#place = place;
  }

  get jobUuid() {
    return this.#common.jobUuid;
  }

  get source() {
    return this.#common.source;
  }

  get agent() {
    return this.#common.agent;
  }

  get agentVersion() {
    return this.#common.agentVersion;
  }

  get model() {
    return this.#common.model;
  }

  get recordedModel() {
    return this.#common.recordedModel;
  }

  get provider() {
    return this.#common.provider;
  }

  get state() {
    return this.#common.state;
  }

  get settings() {
    return this.#common.settings;
  }

  get environment() {
    return this.#common.environment;
  }

  get recordedValidity() {
    return this.#common.recordedValidity;
  }

  get otherRewardFile() {
    return this.#rare.otherRewardFile;
  }

  get ledger() {
    return this.#rare.ledger;
  }

  get rewardsProblem() {
    return this.#rare.rewardsProblem;
  }

  get exception() {
    return this.#rare.exception;
  }

  get traceTokens() {
    return this.#rare.traceTokens;
  }

  get simulatedUser() {
    return this.#rare.simulatedUser;
  }

  get steps() {
    return this.#rare.steps;
  }

  get sourceTrial() {
    return this.#rare.sourceTrial;
  }

  get time(): ScoredTrial["time"] {
    const [batch, place] = [this.#batch, this.#place];
    return { startedAt: batch.readMoment(place, 0), finishedAt: batch.readMoment(place, 1) };
  }

  get tokens(): TokenUsage {
    const [batch, place] = [this.#batch, this.#place];
    return {
      inputTokens: batch.readNumber(place, 2),
      cacheTokens: batch.readNumber(place, 3),
      outputTokens: batch.readNumber(place, 4),
      costUsd: batch.readNumber(place, 5),
    };
  }

  /** Slow unless trials are read in order. */
  get details(): TrialDetails {
    return this.#batch.readDetails(this.#place);
  }

  readTime(): ClockInterval {
    const { startedAt, finishedAt } = this.time;
    const [start = null, end = null] = this.details.times;
    return { startedAt: stateTime(startedAt, start), finishedAt: stateTime(finishedAt, end) };
  }

  with(changes: Changes): HeldTrial {
    const common = change(this.#common, changes);
    const rare = change(this.#rare, changes);
    return new HeldTrial({ ...(this as Own), ...changes }, common, rare, this.#batch, this.#place);
  }
}

function stateTime(moment: Moment | null, text: string | null): ClockTime | null {
  return moment && { text: text ?? "", epochMs: moment.epochMs, zoned: moment.zoned };
}

function change<Part extends Common | Rare>(part: Part, changes: Changes): Part {
  const changed = Object.entries(changes).filter(
    ([name, value]) => name in part && part[name as keyof Part] !== value,
  );
  return changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) };
}

export function completeTrial(trial: HeldTrial): TrialRecord {
  const { exception, phases, resultDigest } = trial.details;
  return {
    folder: trial.folder,
    rewardFile: trial.rewardFile,
    otherRewardFile: trial.otherRewardFile,
    ledger: trial.ledger,
    id: trial.id,
    jobUuid: trial.jobUuid,
    trialName: trial.trialName,
    taskName: trial.taskName,
    taskDigest: trial.taskDigest,
    source: trial.source,
    agent: trial.agent,
    agentVersion: trial.agentVersion,
    model: trial.model,
    recordedModel: trial.recordedModel,
    provider: trial.provider,
    state: trial.state,
    rewards: trial.rewards,
    rewardsProblem: trial.rewardsProblem,
    recordedValidity: trial.recordedValidity,
    isRewardValid: trial.isRewardValid,
    exception: trial.exception && {
      type: trial.exception.type,
      message: exception?.message ?? "",
      traceback: exception?.traceback ?? null,
      occurredAt: trial.exception.occurredAt,
      policyOverride: trial.exception.policyOverride,
      configuredOverride: trial.exception.configuredOverride,
      recordedPolicy: trial.exception.recordedPolicy,
    },
    time: trial.readTime(),
    tokens: trial.tokens,
    traceTokens: trial.traceTokens,
    simulatedUser: trial.simulatedUser,
    settings: trial.settings,
    environment: trial.environment,
    steps: trial.steps,
    sourceTrial: trial.sourceTrial,
    groupKey: trial.groupKey,
    key: trial.key,
    attempt: trial.attempt,
    outcome: trial.outcome,
    phases,
    resultDigest,
  };
}
