import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { selectHeadlineReward, type TrialRecord } from "@/lib/domain/trial";
import { evalsKey } from "@/lib/scoring";

/** A trial of a job with what its tables sort and filter by, computed once for each version of the job. */
export interface TrialRow {
  readonly trial: TrialRecord;
  readonly groupKey: string;
  readonly durationMs: number | null;
  /** Input and output tokens together; null when neither is reported. */
  readonly nTokens: number | null;
  /** Task, trial, exception in lower case, for the text filter. */
  readonly haystack: string;
}

/** The rows of a job in directory order, and by evals group, running and missing trials included. */
export interface TrialRows {
  readonly all: readonly TrialRow[];
  readonly byGroup: ReadonlyMap<string, readonly TrialRow[]>;
}

const known = new WeakMap<JobEntry, TrialRows>();

/** The rows of a job. */
export function getTrialRows(entry: JobEntry): TrialRows {
  const cached = known.get(entry);
  if (cached !== undefined) return cached;
  const all = entry.trials.map(toRow);
  const rows = { all, byGroup: Map.groupBy(all, (row) => row.groupKey) };
  known.set(entry, rows);
  return rows;
}

function toRow(trial: TrialRecord): TrialRow {
  const { inputTokens, outputTokens } = trial.tokens;
  return {
    trial,
    groupKey: evalsKey(trial),
    durationMs: computeDurationMs(trial.time),
    nTokens: inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0),
    haystack: `${trial.taskName}\n${trial.trialName}\n${trial.exception?.type ?? ""}`.toLowerCase(),
  };
}

/** The reward that a table shows for a key; null is the headline. Undefined when the trial has no such reward. */
export function readReward(trial: TrialRecord, key: string | null): bigint | number | boolean | undefined {
  return key === null ? selectHeadlineReward(trial.rewards)?.value : trial.rewards?.get(key);
}
