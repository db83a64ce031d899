import { type ExpressionBuilder, sql } from "kysely";

import type { ExceptionCause } from "@/lib/domain/exception-cause";
import type { Outcome } from "@/lib/domain/trial";

import { isAmong } from "./among";
import type { IndexStore } from "../open-store";
import { containsText } from "./groups";
import type { IndexTables } from "../schema/tables";

/** A job as lists of jobs name it. */
export interface ListedJob {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  /** False while its trials are not read yet. */
  readonly isRead: boolean;
}

/** All jobs, newest first, then by name. */
export async function readListedJobs({ db }: IndexStore): Promise<readonly ListedJob[]> {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.source_id")
    .select(["jobs.id", "jobs.key", "jobs.name", "sources.state"])
    .orderBy(sql`jobs.when_ms desc nulls last`)
    .orderBy("jobs.name_sort")
    .orderBy("jobs.id")
    .execute();
  return rows.map(({ id, key, name, state }) => ({ id, key, name, isRead: state !== "listed" }));
}

/** Finished trials of one group of one job. */
export interface GroupTotals {
  readonly jobId: number;
  readonly groupKey: string;
  readonly agent: string;
  readonly model: string | null;
  readonly source: string | null;
  readonly nFinished: number;
  /** Of these, trials with a headline reward that is a number. */
  readonly nRewarded: number;
}

/** Finished trials of every group that has any. Linear in the number of trials, through an index alone. */
export async function readGroupTotals({ db }: IndexStore): Promise<readonly GroupTotals[]> {
  const counts = await db
    .selectFrom("trials")
    .select((select) => [
      "job_id",
      "group_key",
      select.fn.countAll<number>().as("nFinished"),
      select.fn.count<number>("reward").as("nRewarded"),
    ])
    .where("state", "=", "finished")
    .groupBy(["job_id", "group_key"])
    .execute();
  const groups = await db
    .selectFrom("groups")
    .select(["job_id", "key", "agent", "model", "source"])
    .execute();
  const named = new Map(groups.map((group) => [`${group.job_id} ${group.key}`, group]));
  return counts.map(({ job_id: jobId, group_key: groupKey, nFinished, nRewarded }) => {
    // Trials that name another job belong to no group of this one, and a key cannot be taken apart.
    const { agent, model, source } = named.get(`${jobId} ${groupKey}`) ?? {
      agent: groupKey,
      model: null,
      source: null,
    };
    return { jobId, groupKey, agent, model, source, nFinished, nRewarded };
  });
}

/** Which reward stood beside an exception. `partial` is any other reward: between 0 and 1, NaN, or several keys without a headline. */
export type RewardBeside = "none" | "zero" | "partial" | "one";

/** Finished trials of one group with one exception type of one cause, one kind of reward beside it and one verdict. */
export interface ExceptionTally {
  readonly jobId: number;
  readonly groupKey: string;
  readonly type: string;
  readonly cause: ExceptionCause;
  readonly beside: RewardBeside;
  readonly hasPassed: boolean;
  readonly count: number;
}

/** Exceptions of all finished trials by group, type and reward; `text` must occur in type or message. */
export async function readExceptionTallies(store: IndexStore, text = ""): Promise<readonly ExceptionTally[]> {
  const rows = await store.db
    .selectFrom("trials")
    .select([
      "job_id",
      "group_key",
      "exception_type",
      "exception_cause",
      sql<RewardBeside>`case when n_reward_keys = 0 then 'none' when reward is null then 'partial'
        when reward <= 0 then 'zero' when reward >= 1 then 'one' else 'partial' end`.as("beside"),
      sql<number>`case when outcome = 'passed' then 1 else 0 end`.as("passed"),
    ])
    .select((select) => select.fn.countAll<number>().as("count"))
    .where((where) => hasException(store, where, { text, type: null, jobIds: null, groupKeys: null }))
    .groupBy(["exception_type", "exception_cause", "job_id", "group_key", "beside", "passed"])
    .execute();
  return rows.map((row) => ({
    jobId: row.job_id,
    groupKey: row.group_key,
    type: row.exception_type ?? "",
    cause: (row.exception_cause ?? "other") as ExceptionCause, // The indexer writes members of the closed list.
    beside: row.beside,
    hasPassed: row.passed === 1,
    count: row.count,
  }));
}

/** Which finished trials with an exception. Null and an empty text mean any. */
export interface ExceptionSelection {
  readonly type: string | null;
  readonly jobIds: readonly number[] | null;
  readonly groupKeys: readonly string[] | null;
  /** Occurs in type or message. */
  readonly text: string;
}

function hasException(
  store: IndexStore,
  where: ExpressionBuilder<IndexTables, "trials">,
  { type, jobIds, groupKeys, text }: ExceptionSelection,
) {
  const said = sql<string>`trials.exception_type || ' ' || coalesce(trials.exception_message, '')`;
  return where.and([
    where("trials.exception_type", "is not", null),
    where("trials.state", "=", "finished"),
    ...(type === null ? [] : [where("trials.exception_type", "=", type)]),
    ...(jobIds === null ? [] : [isAmong(store, "trials.job_id", jobIds)]),
    ...(groupKeys === null ? [] : [isAmong(store, "trials.group_key", groupKeys)]),
    ...(text === "" ? [] : [containsText(said, text)]),
  ]);
}

/** What exceptions say. */
export interface ExceptionMessages {
  /** The commonest that says anything, at most its first 1000 characters; null when none does. */
  readonly message: string | null;
  readonly nMessages: number;
}

/** The commonest message of the selected exceptions, and how many different ones there are. */
export async function readExceptionMessages(
  store: IndexStore,
  selection: ExceptionSelection,
): Promise<ExceptionMessages> {
  const said = sql<string>`trim(trials.exception_message)`;
  const messages = store.db
    .selectFrom("trials")
    .select((select) => [said.as("message"), select.fn.countAll<number>().as("n")])
    .where((where) => hasException(store, where, selection))
    .where(said, "!=", "")
    .groupBy("message");
  const [commonest] = await messages.orderBy("n", "desc").orderBy("message").limit(1).execute();
  const { n } = await store.db
    .selectFrom(messages.as("messages"))
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return { message: commonest?.message.trim() ?? null, nMessages: n };
}

/** A trial with an exception, as a short list names it. */
export interface ExceptionTrial {
  readonly jobId: number;
  readonly jobKey: string;
  readonly key: string;
  readonly groupKey: string;
  readonly taskName: string;
  readonly attempt: number;
  /** Step that raised the exception; null when the trial itself records it. */
  readonly stepName: string | null;
  readonly outcome: Outcome;
  readonly durationMs: number | null;
}

/** The first of the selected trials, newest job first, then in directory order. */
export async function readExceptionTrials(
  store: IndexStore,
  selection: ExceptionSelection,
  limit: number,
): Promise<readonly ExceptionTrial[]> {
  const rows = await store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.job_id")
    .select(["trials.job_id", "jobs.key as job_key", "trials.key", "trials.group_key", "trials.task_name"])
    .select(["trials.attempt", "trials.exception_step", "trials.outcome", "trials.duration_ms"])
    .where((where) => hasException(store, where as never, selection))
    .orderBy(sql`jobs.when_ms desc nulls last`)
    .orderBy("jobs.name_sort")
    .orderBy("jobs.id")
    .orderBy("trials.position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    jobId: row.job_id,
    jobKey: row.job_key,
    key: row.key,
    groupKey: row.group_key,
    taskName: row.task_name,
    attempt: row.attempt,
    stepName: row.exception_step,
    // The indexer writes members of the closed list.
    outcome: row.outcome as Outcome, // The indexer writes members of the closed list.
    durationMs: row.duration_ms,
  }));
}

/** How many finished trials of one group got one headline reward at one task; null is none, which is not 0. */
export interface RewardTally {
  readonly jobId: number;
  readonly groupKey: string;
  readonly taskName: string;
  readonly reward: number | null;
  readonly count: number;
}

/**
 * Headline rewards of the finished trials of all jobs whose ids lie from `first` to `last`, by group and task. Read from
 * an index alone and in its order, which is what the columns of the grouping are named in.
 */
export async function readRewardTallies(
  { db }: IndexStore,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly RewardTally[]> {
  return db
    .selectFrom("trials")
    .select((select) => [
      "job_id as jobId",
      "group_key as groupKey",
      "task_name as taskName",
      "reward",
      select.fn.countAll<number>().as("count"),
    ])
    .where("job_id", ">=", first)
    .where("job_id", "<=", last)
    .where("state", "=", "finished")
    .groupBy(["job_id", "group_key", "task_name", "state", "reward"])
    .execute();
}
