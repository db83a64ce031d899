import { type ExpressionBuilder, sql } from "kysely";

import type { ListRange } from "@/lib/core/domain/list-page";

import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";
import {
  containsText,
  countRows,
  groupKeys,
  hasKey,
  isOfJobs,
  type JobScope,
  NEWEST_FIRST,
  readListPage,
  type SortKey,
  inOrder,
} from "./query";

export interface GroupPlace {
  readonly jobRowId: number;
  readonly key: string;
}

interface GroupSelection {
  /** Each word must occur in the job's name, the agent, model, dataset or a task; an empty list means no filter. */
  readonly words: readonly string[];
  readonly except: readonly GroupPlace[];
}

const ORDER: readonly SortKey[] = [
  { column: "jobs.whenMs", descending: true },
  { column: "jobs.nameSort" },
  { column: "jobs.id" },
  { column: "groups.position" },
];

export async function readGroups(store: IndexStore, selection: GroupSelection, range: ListRange) {
  const all = store.db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.jobRowId")
    // Report jobs are no candidates for a comparison.
    .where("jobs.purpose", "=", "benchmark");
  const list = all
    .where((where) => matches(store, where, selection))
    .select(["jobs.id as jobRowId", "groups.key"]);
  return { ...(await readListPage(list, ORDER, range)), nGroups: await countRows(all) };
}

type GroupsJoined = ExpressionBuilder<IndexTables, "groups" | "jobs">;

function matches(store: IndexStore, where: GroupsJoined, { words, except }: GroupSelection) {
  const named = words.map((word) =>
    where.or([
      ...(["jobs.name", "groups.agent", "groups.model", "groups.source"] as const).map((column) =>
        containsText(sql.ref(column), word),
      ),
      // Groups without a dataset are listed as ad hoc tasks.
      ...("adhoc".includes(word.toLowerCase()) ? [where("groups.source", "is", null)] : []),
      where.exists(
        where
          .selectFrom("trials")
          .select("trials.position")
          .whereRef("trials.jobRowId", "=", "groups.jobRowId")
          .whereRef("trials.groupKey", "=", "groups.key")
          .where(containsText(sql.ref("trials.taskName"), word)),
      ),
    ]),
  );
  return where.and([...named, where.not(hasKey(store, "groups", groupKeys(except)))]);
}

export async function readGroupNames({ db }: IndexStore) {
  return db
    .selectFrom("groups")
    .select(({ fn }) => ["key", fn.min("agent").as("agent"), fn.min("model").as("model")])
    .select(({ fn }) => fn.min("source").as("source"))
    .groupBy("key")
    .execute();
}

export async function readRunNames({ db }: IndexStore) {
  return db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.jobRowId")
    .where("jobs.purpose", "=", "benchmark")
    .select(["groups.jobRowId", "jobs.key as jobKey", "jobs.name as jobName", "groups.key"])
    .select(["groups.agent", "groups.model", "groups.source", "groups.nTrials"])
    .orderBy(inOrder(NEWEST_FIRST, "groups.position"))
    .execute();
}

export async function readJobIds({ db }: IndexStore, keys: readonly string[]): Promise<readonly number[]> {
  if (keys.length === 0) return [];
  const rows = await db.selectFrom("jobs").select("id").where("key", "in", keys).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/** Counts the tasks of each group that all `others` have too, in the order of `groups`; 0 for a group that is gone. */
export async function countCommonTasks(
  store: IndexStore,
  groups: readonly GroupPlace[],
  others: readonly GroupPlace[],
): Promise<readonly number[]> {
  const rows = await store.db
    .selectFrom("groups")
    .select((select) => {
      let shared = select
        .selectFrom("trials")
        .select((inner) => inner.fn.count<number>("trials.taskName").distinct().as("n"))
        .whereRef("trials.jobRowId", "=", "groups.jobRowId")
        .whereRef("trials.groupKey", "=", "groups.key");
      for (const { jobRowId, key } of others) {
        shared = shared.where("trials.taskName", "in", (inner) =>
          inner
            .selectFrom("trials as other")
            .select("other.taskName")
            .where("other.jobRowId", "=", jobRowId)
            .where((where) =>
              where.or([where("other.groupKey", "=", key), where("other.setupKey", "=", key)]),
            ),
        );
      }
      return ["groups.jobRowId", "groups.key", shared.as("n")];
    })
    .where(hasKey(store, "groups", groupKeys(groups)))
    .execute();
  const counts = new Map(rows.map((row) => [`${row.jobRowId} ${row.key}`, row.n ?? 0]));
  return groups.map(({ jobRowId, key }) => counts.get(`${jobRowId} ${key}`) ?? 0);
}

/** Counts recorded figures of a group that can be compared, and how many of them are exact. */
export async function countGroupFigures({ db }: IndexStore, { jobRowId, key }: GroupPlace) {
  const rows = await db
    .selectFrom("figures")
    .select((select) => ["verdict", select.fn.countAll<number>().as("n")])
    .where((where) => where.and({ jobRowId, groupKey: key }))
    .where("verdict", "!=", "not-recorded")
    .groupBy("verdict")
    .execute();
  return {
    nFigures: rows.reduce((sum, { n }) => sum + n, 0),
    nExact: rows.find(({ verdict }) => verdict === "exact")?.n ?? 0,
  };
}

export async function countUnreadJobs({ db }: IndexStore): Promise<number> {
  return countRows(
    db
      .selectFrom("jobs")
      .innerJoin("sources", "sources.id", "jobs.sourceId")
      .where("sources.state", "=", "listed"),
  );
}

export type GroupTotals = Awaited<ReturnType<typeof readGroupTotals>>[number];

/** Finished trials of every non-empty group. Linear in the trials, and reads only an index. */
export async function readGroupTotals(store: IndexStore) {
  const counts = await store.db
    .selectFrom("trials")
    .select(({ fn }) => ["jobRowId", "groupKey", fn.countAll<number>().as("nFinished")])
    .where("state", "=", "finished")
    .groupBy(["jobRowId", "groupKey"])
    .execute();
  const groups = await readJobGroups(store, null);
  const named = new Map(groups.map((group) => [`${group.jobRowId} ${group.key}`, group]));
  return counts.map((count) => {
    // Trials that name another job belong to no group of this one, and a key cannot be split.
    const { agent, model, source } = named.get(`${count.jobRowId} ${count.groupKey}`) ?? {
      agent: count.groupKey,
      model: null,
      source: null,
    };
    return { ...count, agent, model, source };
  });
}

export async function readJobGroups(store: IndexStore, jobs: JobScope) {
  return store.db
    .selectFrom("groups")
    .select(["jobRowId", "key", "agent", "model", "source"])
    .where(isOfJobs(store, "jobRowId", jobs))
    .orderBy(inOrder("jobRowId", "position"))
    .execute();
}

/**
 * Counts each headline reward (null for none) by group and task, over finished trials of jobs with ids from `first` to `last`.
 * Reads only an index, so the grouping names columns in its order.
 */
export async function readRewardTallies(
  { db }: IndexStore,
  { first, last }: { readonly first: number; readonly last: number },
) {
  return db
    .selectFrom("trials")
    .select((select) => [
      "jobRowId",
      "groupKey",
      "taskName",
      "reward",
      select.fn.countAll<number>().as("count"),
    ])
    .where("jobRowId", ">=", first)
    .where("jobRowId", "<=", last)
    .where("counts", "=", 1)
    .groupBy(["jobRowId", "groupKey", "taskName", "counts", "reward"])
    .execute();
}

/** Counts trials of a job that each scoring rule treats alike, by group, task and headline reward. */
export async function readRuleTallies({ db }: IndexStore, jobRowId: number) {
  const rows = await db
    .selectFrom("trials")
    .select(["groupKey", "taskName", "state", "rewardValid", "reward"])
    .select(({ fn }) => [
      sql<number>`case when ${sql.ref("nRewardKeys")} = 0 then 0 else 1 end`.as("hasReward"),
      fn.countAll<number>().as("count"),
    ])
    .where("jobRowId", "=", jobRowId)
    .groupBy(["groupKey", "taskName", "state", "rewardValid", "reward", "hasReward"])
    .execute();
  return rows.map(({ rewardValid, hasReward, ...tally }) => ({
    ...tally,
    isRewardValid: rewardValid === 1,
    hasReward: hasReward === 1,
  }));
}
