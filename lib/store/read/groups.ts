import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";

import type { ListPage, ListRange } from "@/lib/domain/list-page";

import { readListPage, type SortKey } from "./list-page";
import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

/** Which group of which job. */
export interface GroupPlace {
  readonly jobId: number;
  readonly key: string;
}

/** Which groups of all jobs. */
export interface GroupSelection {
  /** Each occurs in the job's name, the agent, model, dataset or a task; none is no filter. */
  readonly words: readonly string[];
  readonly except: readonly GroupPlace[];
}

/** A page of groups, and how many there are without the selection. */
export interface GroupsReading extends ListPage<GroupPlace> {
  readonly nGroups: number;
}

const ORDER: readonly SortKey[] = [
  { column: "jobs.when_ms", descending: true },
  { column: "jobs.name_sort", descending: false },
  { column: "jobs.id", descending: false },
  { column: "groups.position", descending: false },
];

/** One page of the groups that fit, newest job first, groups in the order of their job. */
export async function readGroups(
  { db }: IndexStore,
  selection: GroupSelection,
  range: ListRange,
): Promise<GroupsReading> {
  const list = db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.job_id")
    // What only writes reports about others is no candidate for a comparison.
    .where("jobs.purpose", "=", "benchmark")
    .where((where) => matches(where, selection));
  const page = await readListPage(list.select(["jobs.id", "groups.key"]), ORDER, range);
  const all = await db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.job_id")
    .where("jobs.purpose", "=", "benchmark")
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return { ...page, rows: page.rows.map(({ id, key }) => ({ jobId: id, key })), nGroups: all.n };
}

type GroupsJoined = ExpressionBuilder<IndexTables, "groups" | "jobs">;

function matches(where: GroupsJoined, { words, except }: GroupSelection) {
  const named = words.map((word) =>
    where.or([
      ...(["jobs.name", "groups.agent", "groups.model", "groups.source"] as const).map((column) =>
        containsText(sql.ref(column), word),
      ),
      // A group without a dataset is listed as one of ad hoc tasks.
      ...("adhoc".includes(word.toLowerCase()) ? [where("groups.source", "is", null)] : []),
      where.exists(
        where
          .selectFrom("trials")
          .select("trials.position")
          .whereRef("trials.job_id", "=", "groups.job_id")
          .whereRef("trials.group_key", "=", "groups.key")
          .where(containsText(sql.ref("trials.task_name"), word)),
      ),
    ]),
  );
  const others = except.map(({ jobId, key }) =>
    where.not(where.and([where("groups.job_id", "=", jobId), where("groups.key", "=", key)])),
  );
  return where.and([...named, ...others]);
}

/** `text` occurs in `column`, whatever the case of ASCII letters: both engines fold those and no others. */
export function containsText(column: Expression<string>, text: string) {
  const folded = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = `%${folded.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`;
}

/** Ids of the jobs that have one of these keys now. */
export async function readJobIds({ db }: IndexStore, keys: readonly string[]): Promise<readonly number[]> {
  if (keys.length === 0) return [];
  const rows = await db.selectFrom("jobs").select("id").where("key", "in", keys).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/**
 * How many tasks of each group every one of `others` has too, in the order of `groups`; 0 for a group that is gone.
 *
 * @param others - at least one
 */
export async function countCommonTasks(
  { db }: IndexStore,
  groups: readonly GroupPlace[],
  others: readonly GroupPlace[],
): Promise<readonly number[]> {
  if (groups.length === 0) return [];
  const rows = await db
    .selectFrom("groups")
    .select((select) => {
      let shared = select
        .selectFrom("trials")
        .select((inner) => inner.fn.count<number>("trials.task_name").distinct().as("n"))
        .whereRef("trials.job_id", "=", "groups.job_id")
        .whereRef("trials.group_key", "=", "groups.key");
      for (const { jobId, key } of others) {
        shared = shared.where("trials.task_name", "in", (inner) =>
          inner
            .selectFrom("trials as other")
            .select("other.task_name")
            .where("other.job_id", "=", jobId)
            .where((where) =>
              where.or([where("other.group_key", "=", key), where("other.setup_key", "=", key)]),
            ),
        );
      }
      return ["groups.job_id", "groups.key", shared.as("n")];
    })
    .where((where) =>
      where.or(
        groups.map(({ jobId, key }) =>
          where.and([where("groups.job_id", "=", jobId), where("groups.key", "=", key)]),
        ),
      ),
    )
    .execute();
  const counts = new Map(rows.map((row) => [`${row.job_id} ${row.key}`, row.n ?? 0]));
  return groups.map(({ jobId, key }) => counts.get(`${jobId} ${key}`) ?? 0);
}

/** Recorded figures of a group that something can be compared with, and how many of them are exact. */
export async function countGroupFigures(
  { db }: IndexStore,
  { jobId, key }: GroupPlace,
): Promise<{ readonly nFigures: number; readonly nExact: number }> {
  const rows = await db
    .selectFrom("figures")
    .select((select) => ["verdict", select.fn.countAll<number>().as("n")])
    .where("job_id", "=", jobId)
    .where("group_key", "=", key)
    .where("verdict", "!=", "not-recorded")
    .groupBy("verdict")
    .execute();
  return {
    nFigures: rows.reduce((sum, { n }) => sum + n, 0),
    nExact: rows.find(({ verdict }) => verdict === "exact")?.n ?? 0,
  };
}

/** Jobs that were found and whose trials are not read yet. */
export async function countUnreadJobs({ db }: IndexStore): Promise<number> {
  const { n } = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.source_id")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("sources.state", "=", "listed")
    .executeTakeFirstOrThrow();
  return n;
}
