import type { TrialRecord } from "@/lib/core/domain/trial";

import type { MemoryBudget } from "../memory-budget";
import type { StringPool } from "../string-pool";
import { type Common, COMMON, HeldTrial, NONE, type Own, type Rare } from "./held-trial";
import { TrialBatch, type TrialDetails } from "./trial-batch";
import type { RawRecord, TrialReading, WholeReading } from "./trial-record";

const NO_ISSUES: TrialReading["issues"] = [];

type HeldFiles = Pick<TrialDetails, "configured" | "stamp">;

const NO_FILES: HeldFiles = { configured: null, stamp: "" };

export class TrialHolder {
  private readonly pool: StringPool;
  private batch = new TrialBatch();
  private latest: readonly Common[] = [];

  constructor(pool: StringPool) {
    this.pool = pool;
  }

  hold(record: RawRecord, { configured, stamp }: HeldFiles = NO_FILES): HeldTrial {
    const { pool } = this;
    const { exception, phases, resultDigest, time, tokens } = record;
    const details: TrialDetails = {
      phases,
      resultDigest,
      exception: exception && { message: exception.message, traceback: exception.traceback },
      times: [time.startedAt?.text ?? null, time.finishedAt?.text ?? null],
      configured,
      stamp,
    };
    const own: Own = {
      folder: record.folder,
      rewardFile: pool.shareRewardFile(record.rewardFile),
      id: record.id,
      trialName: record.trialName,
      // Texts and settings from the index are not shared yet.
      taskName: pool.shareText(record.taskName),
      taskDigest: pool.share(record.taskDigest),
      rewards: pool.shareRewards(record.rewards),
      ...UNPLACED,
    };
    if (this.batch.isFull) this.batch = new TrialBatch();
    const place = this.batch.add(details, time, tokens);
    return new HeldTrial(own, this.shareCommon(record), listRare(record), this.batch, place);
  }

  holdReading(reading: WholeReading, budget: MemoryBudget): TrialReading {
    const { record, issues, probes } = reading;
    return {
      record: this.hold(record, reading),
      budgetBytes: budget.measure(reading),
      issues: issues.length === 0 ? NO_ISSUES : issues,
      probes,
    };
  }

  holdTrial(trial: TrialRecord): HeldTrial {
    const { key, attempt, outcome, groupKey, isRewardValid } = trial;
    return this.hold(trial).with({ key, attempt, outcome, groupKey, isRewardValid });
  }

  private shareCommon(record: RawRecord): Common {
    const { jobUuid, source, agent, agentVersion, model, recordedModel, provider, state } = record;
    const settings = record.settings && this.pool.shareSettings(record.settings);
    const common: Common = {
      ...{ jobUuid, source, agent, agentVersion, model, recordedModel, provider, state, settings },
      recordedValidity: record.recordedValidity,
      environment: this.pool.share(record.environment),
    };
    const known = this.latest.find((one) => COMMON.every((name) => one[name] === common[name]));
    if (known === undefined) this.latest = [common, ...this.latest.slice(0, MOST_LATEST - 1)];
    return known ?? common;
  }
}

/** Alternating agents, models and settings; a longer search would cost more than it saves. */
const MOST_LATEST = 32;

const UNPLACED = {
  key: "",
  attempt: 0,
  outcome: "unscored",
  groupKey: "",
  isRewardValid: false,
} as const;

function listRare(record: RawRecord): Rare {
  const { otherRewardFile, ledger, rewardsProblem, exception } = record;
  const { traceTokens, simulatedUser, steps, sourceTrial } = record;
  const rare: Rare = {
    otherRewardFile,
    ledger,
    rewardsProblem,
    exception: exception && {
      type: exception.type,
      occurredAt: exception.occurredAt,
      policyOverride: exception.policyOverride,
      configuredOverride: exception.configuredOverride,
      recordedPolicy: exception.recordedPolicy,
    },
    traceTokens,
    simulatedUser,
    steps,
    sourceTrial,
  };
  return Object.values(rare).every((value) => value === null) ? NONE : rare;
}
