import type { TrialException, TrialRecord } from "@/lib/domain/trial";

import { DeflatedTexts } from "../deflated-texts";
import type { StringPool } from "../string-pool";
import type { MemoryBudget } from "../memory-budget";
import type { HeldRecord, HeldTrial, RawRecord, TrialReading, WholeReading } from "./trial-record";

type Details = Pick<TrialRecord, "phases" | "resultDigest"> & {
  readonly exception: Pick<TrialException, "message" | "traceback"> | null;
};

const NO_ISSUES: TrialReading["issues"] = [];

/** Makes trials small for as long as all trials of a job are held. */
export class TrialHolder {
  private readonly pool: StringPool;
  private readonly texts = new DeflatedTexts();

  constructor(pool: StringPool) {
    this.pool = pool;
  }

  /** Every field by name: an object that is made by adding fields to another takes several times as much. */
  hold(record: RawRecord): HeldRecord {
    const { pool } = this;
    const { exception, phases, resultDigest } = record;
    const details: Details = {
      phases,
      resultDigest,
      exception: exception && { message: exception.message, traceback: exception.traceback },
    };
    return {
      folder: record.folder,
      rewardFile: pool.shareRewardFile(record.rewardFile),
      otherRewardFile: record.otherRewardFile,
      ledger: record.ledger,
      id: record.id,
      jobUuid: record.jobUuid,
      trialName: record.trialName,
      taskName: record.taskName,
      taskDigest: record.taskDigest,
      source: record.source,
      agent: record.agent,
      agentVersion: record.agentVersion,
      model: record.model,
      provider: record.provider,
      state: record.state,
      rewards: pool.shareRewards(record.rewards),
      rewardsProblem: record.rewardsProblem,
      exception: exception && { type: exception.type, occurredAt: exception.occurredAt },
      time: record.time,
      tokens: record.tokens,
      simulatedUser: record.simulatedUser,
      settings: record.settings,
      steps: record.steps,
      sourceTrial: record.sourceTrial,
      details: this.texts.add(JSON.stringify(details)),
    };
  }

  /** The same of a reading. @param budget - measures what it takes of memory before it is made small */
  holdReading(reading: WholeReading, budget: MemoryBudget): TrialReading {
    const { record, configured, issues, probes, stamp } = reading;
    return {
      record: this.hold(record),
      budgetBytes: budget.measure(reading),
      configured: { ...configured, agent: this.pool.share(configured.agent) },
      issues: issues.length === 0 ? NO_ISSUES : issues,
      probes,
      stamp,
    };
  }

  /** The same of a trial whose place in its job is known. */
  holdTrial(trial: TrialRecord): HeldTrial {
    const { key, attempt, outcome, groupKey } = trial;
    return { ...this.hold(trial), key, attempt, outcome, groupKey };
  }
}

/** The trial with all that its files say. */
export function completeTrial({ details, ...trial }: HeldTrial): TrialRecord {
  const { exception, phases, resultDigest } = JSON.parse(details.read()) as Details; // As `hold` wrote it.
  return {
    ...trial,
    exception: trial.exception && {
      type: trial.exception.type,
      message: exception?.message ?? "",
      traceback: exception?.traceback ?? null,
      occurredAt: trial.exception.occurredAt,
    },
    phases,
    resultDigest,
  };
}
