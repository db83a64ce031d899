import type { IndexStore } from "../open-store";

/** Trials of one group of a job that ended with one type of exception. */
export interface ExceptionCount {
  readonly type: string;
  readonly groupKey: string;
  /** Part of the group with the same agent settings; null where the group is not divided. */
  readonly setupKey: string | null;
  readonly nTrials: number;
  /** Of these, trials that have a reward all the same, and that passed. */
  readonly nWithReward: number;
  readonly nPassed: number;
}

/** Exceptions of a job by type and group. */
export async function readExceptionCounts(
  { db }: IndexStore,
  jobId: number,
): Promise<readonly ExceptionCount[]> {
  const rows = await db
    .selectFrom("trials")
    .select((select) => [
      "exception_type",
      "group_key",
      "setup_key",
      select.fn.countAll<number>().as("nTrials"),
      select.fn
        .sum<number>(select.case().when("n_reward_keys", ">", 0).then(1).else(0).end())
        .as("nWithReward"),
      select.fn.sum<number>(select.case().when("outcome", "=", "passed").then(1).else(0).end()).as("nPassed"),
    ])
    .where("job_id", "=", jobId)
    .where("exception_type", "is not", null)
    .groupBy(["exception_type", "group_key", "setup_key"])
    .orderBy("exception_type")
    .orderBy("group_key")
    .orderBy("setup_key")
    .execute();
  return rows.map(({ exception_type: type, group_key: groupKey, setup_key: setupKey, ...counts }) => ({
    type: type ?? "",
    groupKey,
    setupKey,
    ...counts,
  }));
}

/** The first message of a job's exceptions that says anything, by type; a type without one is absent. */
export async function readFirstMessages(
  { db }: IndexStore,
  jobId: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("trials")
    .innerJoin(
      (inner) =>
        inner
          .selectFrom("trials")
          .select((select) => ["exception_type as type", select.fn.min<number>("position").as("first")])
          .where("job_id", "=", jobId)
          .where("exception_message", "!=", "")
          .groupBy("exception_type")
          .as("firsts"),
      (join) => join.onRef("firsts.first", "=", "trials.position"),
    )
    .select(["firsts.type", "trials.exception_message as message"])
    .where("trials.job_id", "=", jobId)
    .execute();
  return new Map(rows.map(({ type, message }) => [type ?? "", message ?? ""]));
}
