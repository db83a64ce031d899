import {
  type Expression,
  type JoinBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";

import { toColumnText } from "@/lib/database";
import { type ListPage, type ListRange, placeInList } from "@/lib/domain/list-page";

import type { IndexStore } from "../open-store";
import { type IndexTables, type Stored, TABLES } from "../schema/tables";

/**
 * A condition: the column is one of any number of values. They travel as one parameter, because a statement has room for
 * 32,766 of them on SQLite and for 65,535 on PostgreSQL, and more trials than that may be behind one figure.
 */
export function isAmong({ engine }: IndexStore, column: string, values: Iterable<string> | Iterable<number>) {
  const list = Array.from<string | number, string | number>(values, (value) =>
    typeof value === "string" ? toColumnText(value) : value,
  );
  const ref = sql.ref(column);
  return engine === "sqlite"
    ? sql<SqlBool>`(${ref} in (select value from json_each(${JSON.stringify(list)})))`
    : sql<SqlBool>`(${ref} = any(${sql.val(list)}))`;
}

/** The job with a row id, some jobs, or all of them (null). */
export type JobScope = number | readonly number[] | null;

/** A condition: the row is of these jobs. */
export function isOfJobs(store: IndexStore, column: string, jobs: JobScope) {
  if (jobs === null) return sql<SqlBool>`1 = 1`;
  return typeof jobs === "number" ? sql<SqlBool>`${sql.ref(column)} = ${jobs}` : isAmong(store, column, jobs);
}

/** Where a row is among those of all jobs. */
export interface RowPlace {
  readonly jobRowId: number;
  readonly position: number;
}

/** A condition: the row, of any job, is at one of these places. Any number of them, as in {@link isAmong}. */
export function isAt({ engine }: IndexStore, table: string, places: readonly RowPlace[]) {
  const columns = sql`${sql.ref(`${table}.jobRowId`)}, ${sql.ref(`${table}.position`)}`;
  const jobs = places.map(({ jobRowId }) => jobRowId);
  const positions = places.map(({ position }) => position);
  return isPairAmong(engine, columns, jobs, positions, sql`bigint[]`);
}

/** Keys of trials by row id of their job. */
export type TrialKeys = ReadonlyMap<number, ReadonlySet<string>>;

export function groupKeys(rows: readonly { readonly jobRowId: number; readonly key: string }[]): TrialKeys {
  const byJob = Map.groupBy(rows, ({ jobRowId }) => jobRowId);
  return new Map(Array.from(byJob, ([jobRowId, own]) => [jobRowId, new Set(own.map(({ key }) => key))]));
}

/** A condition: the row, of any job, has one of these keys there. */
export function hasKey({ engine }: IndexStore, table: string, keys: TrialKeys) {
  const pairs = Array.from(keys, ([jobRowId, own]) =>
    Array.from(own, (key) => [jobRowId, toColumnText(key)] as const),
  ).flat();
  const columns = sql`${sql.ref(`${table}.jobRowId`)}, ${sql.ref(`${table}.key`)}`;
  const jobs = pairs.map(([jobRowId]) => jobRowId);
  const texts = pairs.map(([, key]) => key);
  return isPairAmong(engine, columns, jobs, texts, sql`text[]`);
}

/** A condition: the row of a trial is of one of these evals groups. Any number of them, as in {@link isAmong}. */
export function isOfGroups(
  { engine }: IndexStore,
  table: string,
  groups: readonly { readonly jobRowId: number; readonly key: string }[],
) {
  const columns = sql`${sql.ref(`${table}.jobRowId`)}, ${sql.ref(`${table}.groupKey`)}`;
  const jobs = groups.map(({ jobRowId }) => jobRowId);
  const keys = groups.map(({ key }) => toColumnText(key));
  return isPairAmong(engine, columns, jobs, keys, sql`text[]`);
}

function isPairAmong(
  engine: IndexStore["engine"],
  columns: RawBuilder<unknown>,
  jobs: readonly number[],
  others: readonly (string | number)[],
  type: RawBuilder<unknown>,
) {
  if (engine === "postgres")
    return sql<SqlBool>`((${columns}) in (select * from unnest(${sql.val(jobs)}::bigint[], ${sql.val(others)}::${type})))`;
  const list = JSON.stringify(jobs.map((job, at) => [job, others[at]]));
  return sql<SqlBool>`((${columns}) in (select value ->> 0, value ->> 1 from json_each(${list})))`;
}

/** `column` contains `text`, which is in lower case as the column is; `%` and `_` mean themselves. */
export function contains(column: string, text: string) {
  return sql<SqlBool>`${sql.ref(column)} like ${`%${escapeLike(toColumnText(text))}%`} escape '\\'`;
}

/** `text` occurs in `column`, whatever the case of ASCII letters: both engines fold those and no others. */
export function containsText(column: Expression<unknown>, text: string) {
  const folded = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return sql<SqlBool>`lower(${column}) like ${`%${escapeLike(toColumnText(folded))}%`} escape '\\'`;
}

/** A text as a pattern of `like` that means it alone. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** For a join: rows of two tables that are about the same trial. */
export function atSamePlace(one: string, other: string) {
  return <Tables, Names extends keyof Tables>(join: JoinBuilder<Tables, Names>) =>
    join
      .onRef(`${one}.jobRowId` as never, "=", `${other}.jobRowId` as never)
      .onRef(`${one}.position` as never, "=", `${other}.position` as never);
}

/** Jobs in the order of lists: newest first, then by name. */
export const NEWEST_FIRST = sql`${sql.ref("jobs.whenMs")} desc nulls last, ${sql.ref("jobs.nameSort")}, ${sql.ref("jobs.id")}`;

/** One column of an order. Unknown values (null) come last whichever way it runs. */
export interface SortKey {
  /** Column, with its table where the query joins several. */
  readonly column: string;
  readonly descending?: boolean;
}

// Queries differ in their tables and columns, and every one of them is ordered and cut in this one way.
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely has no type for "any select over these tables"
export type AnySelect<Row> = SelectQueryBuilder<IndexTables, any, Row>;

/**
 * Reads one page of an ordered list; the last one where the list is not that long.
 *
 * @param list - filtered and neither ordered nor cut. It selects little, since the rows before the page are sorted too: of
 *   100,000 trials the last page takes 85 ms by position alone and 500 ms with all columns
 * @param order - ends with a column that no two rows share, so that every row has a place
 */
export async function readListPage<Row>(
  list: AnySelect<Row>,
  order: readonly SortKey[],
  range: ListRange,
): Promise<ListPage<Row>> {
  const place = placeInList(range, await countRows(list));
  const rows = await orderList(list, order).limit(range.limit).offset(place.nBefore).execute();
  return { rows, ...place };
}

/**
 * The same in one statement, for a list whose conditions cost more than its rows: they are looked at once, and not once to
 * count and once to read.
 */
export async function readPageAtOnce<Row>(
  { db }: IndexStore,
  list: AnySelect<Row>,
  order: readonly SortKey[],
  range: ListRange,
): Promise<ListPage<Row>> {
  const keys = order.map(({ column }, at) => sql.ref(column).as(`order${String(at)}`));
  const sorted = order.map(
    ({ descending }, at) =>
      sql`${sql.ref(`order${String(at)}`)} ${descending === true ? sql`desc` : sql`asc`} nulls last`,
  );
  const { rows } = await sql<Row & { readonly nMatching: number }>`
    with list as materialized ${list.select(keys)}
    select *, (select count(*) from list) as ${sql.ref("nMatching")} from list
    order by ${sql.join(sorted)} limit ${range.limit} offset ${range.from}`.execute(db);
  const [first] = rows;
  // Nothing is found, or the list is not that long.
  if (first === undefined && range.from > 0) return readListPage(list, order, range);
  return { rows, ...placeInList(range, first?.nMatching ?? 0) };
}

export async function countRows<Row>(list: AnySelect<Row>): Promise<number> {
  const counted = list.clearSelect().select(({ fn }) => fn.countAll<number>().as("n"));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** The list in its order, or from its end to its beginning. */
export function orderList<Row>(
  list: AnySelect<Row>,
  order: readonly SortKey[],
  isBackwards = false,
): AnySelect<Row> {
  return order.reduce((query, { column, descending = false }) => {
    const way = descending === isBackwards ? sql`asc` : sql`desc`;
    // Where there is no null, saying where they go would only keep an index from being used.
    const nulls = isNeverNull(column) ? sql`` : isBackwards ? sql` nulls first` : sql` nulls last`;
    return query.orderBy(sql`${sql.ref(column)} ${way}${nulls}`);
  }, list);
}

/** Whether a column, with its table or without, always holds a value. */
export function isNeverNull(column: string): boolean {
  return NOT_NULL.has(column.slice(column.indexOf(".") + 1));
}

/** Columns that always hold a value; tables that share a name mean the same by it. Computed columns may be unknown. */
const NOT_NULL = new Set(
  Object.values(TABLES).flatMap(({ columns }) =>
    Object.entries(columns).flatMap(([name, { isNullable }]) => (isNullable ? [] : [name])),
  ),
);

/** Rows of a job in the order of `positions`, which are at most a thousand; those that are gone are left out. */
export async function readRowsAt<Name extends "tasks" | "figures">(
  { db }: IndexStore,
  table: Name,
  jobRowId: number,
  positions: readonly number[],
): Promise<readonly Stored<Name>[]> {
  if (positions.length === 0) return [];
  const rows = await db
    .selectFrom<"tasks" | "figures">(table)
    .selectAll()
    .where("jobRowId", "=", jobRowId)
    .where("position", "in", positions)
    .execute();
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return positions.flatMap((position) => byPosition.get(position) ?? []) as unknown as Stored<Name>[]; // Of the one table.
}
