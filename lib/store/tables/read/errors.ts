import { type ExpressionBuilder, sql } from "kysely";

import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";
import { NEWEST_FIRST, containsText, countRows, isAmong, inOrder } from "./query";

/**
 * The reward of a trial with an exception. `partial` is any other reward: between 0 and 1, NaN, or several keys without a
 * headline.
 */
type RewardBeside = "none" | "zero" | "partial" | "one";

export type ExceptionTally = Awaited<ReturnType<typeof readExceptionTallies>>[number];

/** Counts exceptions of all finished trials. `text` must occur in type or message. */
export async function readExceptionTallies(store: IndexStore, text = "") {
  const rows = await store.db
    .selectFrom("trials")
    .select(({ fn }) => [
      "jobRowId",
      "groupKey",
      "exceptionType as type",
      "exceptionCause as cause",
      sql<RewardBeside>`case when ${sql.ref("nRewardKeys")} = 0 then 'none' when reward is null then 'partial'
        when reward <= 0 then 'zero' when reward >= 1 then 'one' else 'partial' end`.as("beside"),
      sql<number>`case when outcome = 'passed' then 1 else 0 end`.as("passed"),
      fn.countAll<number>().as("count"),
    ])
    .where((where) => hasException(store, where, { text, type: null, jobRowIds: null, groupKeys: null }))
    .groupBy(["exceptionType", "exceptionCause", "jobRowId", "groupKey", "beside", "passed"])
    .execute();
  return rows.map(({ type, cause, passed, ...tally }) => ({
    ...tally,
    type: type ?? "",
    cause: cause ?? "other",
    hasPassed: passed === 1,
  }));
}

/** Selects finished trials with an exception. Null and an empty text mean any. */
interface ExceptionSelection {
  readonly type: string | null;
  readonly jobRowIds: readonly number[] | null;
  readonly groupKeys: readonly string[] | null;
  readonly text: string;
}

function hasException(
  store: IndexStore,
  where: ExpressionBuilder<IndexTables, "trials">,
  { type, jobRowIds, groupKeys, text }: ExceptionSelection,
) {
  const said = sql`${sql.ref("trials.exceptionType")} || ' ' || coalesce(${sql.ref("trials.exceptionMessage")}, '')`;
  return where.and([
    where("trials.exceptionType", "is not", null),
    where("trials.state", "=", "finished"),
    ...(type === null ? [] : [where("trials.exceptionType", "=", type)]),
    ...(jobRowIds === null ? [] : [isAmong(store, "trials.jobRowId", jobRowIds)]),
    ...(groupKeys === null ? [] : [isAmong(store, "trials.groupKey", groupKeys)]),
    ...(text === "" ? [] : [containsText(said, text)]),
  ]);
}

/** Returns the most frequent message, cut to 1,000 characters (null without one), and the number of distinct messages. */
export async function readExceptionMessages(store: IndexStore, selection: ExceptionSelection) {
  const said = sql<string>`trim(${sql.ref("trials.exceptionMessage")})`;
  const messages = store.db
    .selectFrom("trials")
    .select(({ fn }) => [said.as("message"), fn.countAll<number>().as("n")])
    .where((where) => hasException(store, where, selection))
    .where(said, "!=", "")
    .groupBy("message");
  const [commonest] = await messages.orderBy("n", "desc").orderBy("message").limit(1).execute();
  const nMessages = await countRows(store.db.selectFrom(messages.as("messages")));
  return { message: commonest?.message.trim() ?? null, nMessages };
}

export async function readExceptionTrials(store: IndexStore, selection: ExceptionSelection, limit: number) {
  return store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select(["trials.jobRowId", "jobs.key as jobKey", "trials.key", "trials.groupKey", "trials.taskName"])
    .select(["trials.attempt", "trials.exceptionStep as stepName", "trials.outcome", "trials.durationMs"])
    .where((where) => hasException(store, where as never, selection))
    .orderBy(inOrder(NEWEST_FIRST, "trials.position"))
    .limit(limit)
    .execute();
}

/** Counts trials of a job by their own exception, which `harbor jobs resume` reads, unlike exceptions of steps. */
export async function readOwnExceptions({ db }: IndexStore, jobRowId: number) {
  const rows = await db
    .selectFrom("trials")
    .select(({ fn, eb }) => [
      "exceptionType as type",
      fn.countAll<number>().as("nTrials"),
      fn.sum<number>(eb.case().when("outcome", "=", "passed").then(1).else(0).end()).as("nPassed"),
    ])
    .where("jobRowId", "=", jobRowId)
    .where("exceptionType", "is not", null)
    .where("exceptionStep", "is", null)
    .where("state", "=", "finished")
    .groupBy("exceptionType")
    .execute();
  return rows.map(({ type, ...counts }) => ({ type: type ?? "", ...counts }));
}
