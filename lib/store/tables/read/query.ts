import {
  type RawBuilder,
  type Expression,
  type JoinBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";

import { type ListRange, placeInList } from "@/lib/core/domain/list-page";
import { isAmong, toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { type IndexTables, TABLES } from "../schema/tables";

export { isAmong };

export type JobScope = number | readonly number[] | null;

export function isOfJobs(store: IndexStore, column: string, jobs: JobScope) {
  if (jobs === null) return sql<SqlBool>`1 = 1`;
  return typeof jobs === "number" ? sql<SqlBool>`${sql.ref(column)} = ${jobs}` : isAmong(store, column, jobs);
}

export interface RowPlace {
  readonly jobRowId: number;
  readonly position: number;
}

export function isAt(store: IndexStore, table: string, places: readonly RowPlace[]) {
  const pairs = places.map(({ jobRowId, position }) => [jobRowId, position] as const);
  return isPairAmong(store, table, "position", pairs);
}

export type TrialKeys = ReadonlyMap<number, ReadonlySet<string>>;

export function groupKeys(rows: readonly { readonly jobRowId: number; readonly key: string }[]): TrialKeys {
  const byJob = Map.groupBy(rows, ({ jobRowId }) => jobRowId);
  return new Map(Array.from(byJob, ([jobRowId, own]) => [jobRowId, new Set(own.map(({ key }) => key))]));
}

export function hasKey(store: IndexStore, table: string, keys: TrialKeys) {
  const pairs = [...keys].flatMap(([jobRowId, own]) => Array.from(own, (key) => [jobRowId, key] as const));
  return isPairAmong(store, table, "key", pairs);
}

export function isOfGroups(
  store: IndexStore,
  table: string,
  groups: readonly { readonly jobRowId: number; readonly key: string }[],
) {
  const pairs = groups.map(({ jobRowId, key }) => [jobRowId, key] as const);
  return isPairAmong(store, table, "groupKey", pairs);
}

/** Matches the job and a column of the same table, a number or a text, like {@link isAmong}. */
function isPairAmong(
  { engine }: IndexStore,
  table: string,
  column: "position" | "key" | "groupKey",
  pairs: readonly (readonly [job: number, other: string | number])[],
) {
  const columns = sql`${sql.ref(`${table}.jobRowId`)}, ${sql.ref(`${table}.${column}`)}`;
  const list = pairs.map(([job, other]) => [job, typeof other === "string" ? toColumnText(other) : other]);
  if (engine === "sqlite")
    return sql<SqlBool>`((${columns}) in (select value ->> 0, value ->> 1 from json_each(${JSON.stringify(list)})))`;
  const type = column === "position" ? sql`bigint[]` : sql`text[]`;
  const [jobs, others] = [0, 1].map((at) => sql.val(list.map((pair) => pair[at])));
  return sql<SqlBool>`((${columns}) in (select * from unnest(${jobs}::bigint[], ${others}::${type})))`;
}

/** Expects `column` and `text` in lower case; `%` and `_` are literal. */
export function contains(column: string, text: string) {
  return sql<SqlBool>`${sql.ref(column)} like ${`%${escapeLike(toColumnText(text))}%`} escape '\\'`;
}

/** Ignores the case of ASCII letters, the only ones that both engines fold. */
export function containsText(column: Expression<unknown>, text: string) {
  const folded = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return sql<SqlBool>`lower(${column}) like ${`%${escapeLike(toColumnText(folded))}%`} escape '\\'`;
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

export function atSamePlace(one: string, other: string) {
  return <Tables, Names extends keyof Tables>(join: JoinBuilder<Tables, Names>) =>
    join
      .onRef(`${one}.jobRowId` as never, "=", `${other}.jobRowId` as never)
      .onRef(`${one}.position` as never, "=", `${other}.position` as never);
}

/** Joins only jobs that every scanner has read: a new one has not run where the old ones have. */
export function ofScannedJob(jobRowId: string) {
  return <Tables, Names extends keyof Tables>(join: JoinBuilder<Tables, Names>) =>
    join.onRef("jobs.id" as never, "=", jobRowId as never).on("jobs.hasScans" as never, "=", 1 as never);
}

/** Requires the join of {@link ofScannedJob}. */
export function atScannedPlace<Tables, Names extends keyof Tables>(join: JoinBuilder<Tables, Names>) {
  return join
    .onRef("scannedTrials.jobRowId" as never, "=", "jobs.id" as never)
    .onRef("scannedTrials.position" as never, "=", "trials.position" as never);
}

export const NEWEST_FIRST = sql`${sql.ref("jobs.whenMs")} desc nulls last, ${sql.ref("jobs.nameSort")}, ${sql.ref("jobs.id")}`;

/** Orders by columns, and by orders such as {@link NEWEST_FIRST}. */
export function inOrder(...columns: readonly (string | RawBuilder<unknown>)[]) {
  return sql.join(columns.map((column) => (typeof column === "string" ? sql.ref(column) : column)));
}

/** One column of an order. Nulls come last in both directions. */
export interface SortKey {
  readonly column: string;
  readonly descending?: boolean;
}

// Queries differ in tables and columns but share one way of ordering and paging.
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely has no type for "any select over these tables"
export type AnySelect<Row> = SelectQueryBuilder<IndexTables, any, Row>;

/**
 * Reads one page of an ordered list, or the last page if the list is shorter.
 *
 * @param list - filtered, not ordered or cut. Select few columns, since rows before the page are sorted too: the last page of
 * 100,000 trials takes 85 ms by position alone and 500 ms with all columns
 * @param order - ends with a unique column
 */
export async function readListPage<Row>(list: AnySelect<Row>, order: readonly SortKey[], range: ListRange) {
  const place = placeInList(range, await countRows(list));
  const rows = await orderList(list, order).limit(range.limit).offset(place.nBefore).execute();
  return { rows, ...place };
}

/** Runs conditions that cost more than the rows once instead of twice. */
export async function readPageAtOnce<Row>(list: AnySelect<Row>, order: readonly SortKey[], range: ListRange) {
  const counted = list.select(sql<number>`count(*) over ()`.as("nMatching"));
  const rows = await orderList(counted, order).limit(range.limit).offset(range.from).execute();
  const [first] = rows;
  if (first === undefined && range.from > 0) return readListPage(list, order, range);
  return { rows, ...placeInList(range, first?.nMatching ?? 0) };
}

export async function countRows<Row>(list: AnySelect<Row>): Promise<number> {
  const counted = list.clearSelect().select(({ fn }) => fn.countAll<number>().as("n"));
  return (await counted.executeTakeFirstOrThrow()).n;
}

export function orderList<Row>(list: AnySelect<Row>, order: readonly SortKey[]): AnySelect<Row> {
  return list.orderBy(writeOrder(order));
}

export function writeOrder(order: readonly SortKey[]) {
  return sql.join(
    order.map(({ column, descending = false }) => {
      // On columns without nulls, `nulls last` would only prevent the use of an index.
      const nulls = NOT_NULL.has(column.slice(column.indexOf(".") + 1)) ? sql`` : sql` nulls last`;
      return sql`${sql.ref(column)} ${descending ? sql`desc` : sql`asc`}${nulls}`;
    }),
  );
}

/** Columns that are never null. Tables that share a column name mean the same by it. Computed columns may be null. */
const NOT_NULL = new Set(
  Object.values(TABLES).flatMap(({ columns }) =>
    Object.entries(columns).flatMap(([name, { isNullable }]) => (isNullable ? [] : [name])),
  ),
);
