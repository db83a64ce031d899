import type { Outcome } from "@/lib/domain/trial";

import type { IndexStore } from "../open-store";

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

/** The attempts at a trial's task, and the trials around it in the order of tasks and attempts. */
export interface TrialNeighbours {
  /** Of the same agent, model and source, itself among them: 50 before it and 50 behind at most. */
  readonly attempts: readonly TrialMark[];
  readonly nAttempts: number;
  readonly previous: TrialMark | null;
  readonly next: TrialMark | null;
}

/** Attempts on either side of a trial that are listed: more than any job makes at a task. */
const MOST_BESIDE = 50;

/** Neighbours of a trial among the trials of its agent, model and source. Reads a few rows, however large the job is. */
export async function readNeighbours(
  store: IndexStore,
  jobId: number,
  trial: {
    readonly groupKey: string;
    readonly agent: string;
    readonly taskName: string;
    readonly attempt: number;
    readonly position: number;
  },
): Promise<TrialNeighbours> {
  const { taskName, attempt, position } = trial;
  const agentModel = store.db
    .selectFrom("trials")
    .select(MARK_COLUMNS)
    .where("job_id", "=", jobId)
    // The group's key names agent, model and source; the agent tells keys apart that read alike.
    .where("group_key", "=", trial.groupKey)
    .where("agent", "=", trial.agent);
  const same = agentModel.where("task_name", "=", taskName);
  const beside = (sign: "<" | ">=") =>
    same
      .where((where) =>
        where.or([
          where("attempt", sign === "<" ? "<" : ">", attempt),
          where.and([where("attempt", "=", attempt), where("position", sign, position)]),
        ]),
      )
      .orderBy("attempt", sign === "<" ? "desc" : "asc")
      .orderBy("position", sign === "<" ? "desc" : "asc")
      .limit(sign === "<" ? MOST_BESIDE : MOST_BESIDE + 1)
      .execute();
  const [earlier, later, { n }] = await Promise.all([
    beside("<"),
    beside(">="),
    same
      .clearSelect()
      .select((select) => select.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow(),
  ]);
  const before = earlier[0];
  const behind = later[1];
  const attempts = [...earlier.toReversed(), ...later];
  const ownPosition = store.db
    .selectFrom("trials")
    .select("task_position")
    .where("job_id", "=", jobId)
    .where("position", "=", position);
  const previous =
    before ??
    (await agentModel
      .where("task_position", "<", ownPosition)
      .orderBy("task_position", "desc")
      .orderBy("attempt", "desc")
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst());
  const next =
    behind ??
    (await agentModel
      .where("task_position", ">", ownPosition)
      .orderBy("task_position")
      .orderBy("attempt")
      .orderBy("position")
      .limit(1)
      .executeTakeFirst());
  return {
    attempts: attempts.map(toMark),
    nAttempts: n,
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
