import type { Outcome } from "@/lib/domain/trial";

import { isAmong } from "./among";
import type { IndexStore } from "./open-store";

/** What a trial's judgments are found by, and where it stands. */
export interface TrialMark {
  readonly key: string;
  readonly id: string | null;
  /** `config.job_id`, when recorded. */
  readonly jobId: string | null;
  readonly trialName: string;
  readonly taskName: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly exceptionType: string | null;
}

const MARK_COLUMNS = [
  "position",
  "key",
  "uuid",
  "run_uuid",
  "trial_name",
  "task_name",
  "attempt",
  "outcome",
  "exception_type",
] as const;

/** The trials of a job that have one of the names, in directory order. */
export async function readTrialMarks(
  store: IndexStore,
  jobId: number,
  names: readonly string[],
): Promise<readonly TrialMark[]> {
  if (names.length === 0) return [];
  const rows = await store.db
    .selectFrom("trials")
    .select(MARK_COLUMNS)
    .where("job_id", "=", jobId)
    .where(isAmong(store, "trial_name", names))
    .orderBy("position")
    .execute();
  return rows.map(toMark);
}

/** The attempts at a trial's task, and the trials around it in the order of tasks and attempts. */
export interface TrialNeighbours {
  /** Of the same agent, model and source, itself among them. */
  readonly attempts: readonly TrialMark[];
  readonly previous: TrialMark | null;
  readonly next: TrialMark | null;
}

/** Neighbours of a trial among the trials of its agent, model and source. Reads a few rows, however large the job is. */
export async function readNeighbours(
  store: IndexStore,
  jobId: number,
  trial: {
    readonly groupKey: string;
    readonly agent: string;
    readonly taskName: string;
    readonly position: number;
  },
): Promise<TrialNeighbours> {
  const { taskName, position } = trial;
  const contender = store.db
    .selectFrom("trials")
    .select(MARK_COLUMNS)
    .where("job_id", "=", jobId)
    // The group's key names agent, model and source; the agent tells keys apart that read alike.
    .where("group_key", "=", trial.groupKey)
    .where("agent", "=", trial.agent);
  const attempts = await contender
    .where("task_name", "=", taskName)
    .orderBy("attempt")
    .orderBy("position")
    .execute();
  const here = attempts.findIndex((one) => one.position === position);
  const before = attempts[here - 1];
  const behind = attempts[here + 1];
  const previous =
    before ??
    (await contender
      .where("task_name", "<", taskName)
      .orderBy("task_name", "desc")
      .orderBy("attempt", "desc")
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst());
  const next =
    behind ??
    (await contender
      .where("task_name", ">", taskName)
      .orderBy("task_name")
      .orderBy("attempt")
      .orderBy("position")
      .limit(1)
      .executeTakeFirst());
  return {
    attempts: attempts.map(toMark),
    previous: previous === undefined ? null : toMark(previous),
    next: next === undefined ? null : toMark(next),
  };
}

interface StoredMark {
  readonly key: string;
  readonly uuid: string | null;
  readonly run_uuid: string | null;
  readonly trial_name: string;
  readonly task_name: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly exception_type: string | null;
}

function toMark(row: StoredMark): TrialMark {
  return {
    key: row.key,
    id: row.uuid,
    jobId: row.run_uuid,
    trialName: row.trial_name,
    taskName: row.task_name,
    attempt: row.attempt,
    outcome: row.outcome as Outcome, // The indexer writes members of the closed list.
    exceptionType: row.exception_type,
  };
}
