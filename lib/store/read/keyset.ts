import { type ReferenceExpression, type SelectQueryBuilder, sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";
import type { Cursor, PagePlace } from "@/lib/domain/page-place";

import { TABLES } from "../schema/columns";
import type { IndexTables } from "../schema/tables";

export type { Cursor, PagePlace };

/** One column of an order. Unknown values (null) come last whichever way it runs. */
export interface SortKey {
  /** Column, with its table where the query joins several. */
  readonly column: string;
  readonly descending: boolean;
}

/** A page of a list, and where the pages around it are. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** Rows of the list before this page, and in all. */
  readonly nBefore: number;
  readonly nMatching: number;
  /** Null on the first page. */
  readonly before: Cursor | null;
  /** Null on the last page. */
  readonly after: Cursor | null;
}

// Queries differ in their tables and columns, and every one of them is ordered and cut in this one way.
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely has no type for "any select over these tables"
type AnySelect<Row> = SelectQueryBuilder<IndexTables, any, Row>;

/**
 * Reads one page of an ordered list without counting through the pages before it.
 *
 * @param select - the list, filtered and neither ordered nor cut; its rows must hold every column of `order` under the
 *   names that `readCursor` reads
 * @param order - ends with a column that no two rows share, so that every row has a place
 */
export async function readKeysetPage<Row>(
  select: AnySelect<Row>,
  count: AnySelect<{ n: number }>,
  order: readonly SortKey[],
  readCursor: (row: Row) => Cursor,
  asked: PagePlace,
  limit: number,
): Promise<KeysetPage<Row>> {
  const place: PagePlace = "cursor" in asked && !fitsOrder(order, asked.cursor) ? { kind: "first" } : asked;
  const rows = await readRows(select, order, place, limit);
  const first = rows[0];
  const last = rows.at(-1);
  const nMatching = await readCount(count);
  if (first === undefined || last === undefined) {
    // Everything beyond the place is gone: the list became shorter since the address was made.
    const nearest = NEAREST[place.kind];
    if (nearest !== null && nMatching > 0) {
      return readKeysetPage(select, count, order, readCursor, { kind: nearest }, limit);
    }
    return { rows, nBefore: 0, nMatching, before: null, after: null };
  }
  const nBefore =
    place.kind === "first" ? 0 : await readCount(count.where(isBefore(order, readCursor(first))));
  return {
    rows,
    nBefore,
    nMatching,
    before: nBefore === 0 ? null : readCursor(first),
    after: nBefore + rows.length >= nMatching ? null : readCursor(last),
  };
}

/** Where to go from a place that has nothing beyond it any more. */
const NEAREST = { first: null, last: null, after: "last", before: "first" } as const;

async function readRows<Row>(
  select: AnySelect<Row>,
  order: readonly SortKey[],
  place: PagePlace,
  limit: number,
): Promise<readonly Row[]> {
  const isBackward = place.kind === "before" || place.kind === "last";
  let query = select;
  if (place.kind === "after") query = query.where(isAfter(order, place.cursor));
  if (place.kind === "before") query = query.where(isBefore(order, place.cursor));
  for (const { column, descending } of order) {
    const direction = descending === isBackward ? sql`asc` : sql`desc`;
    const nulls = isBackward ? sql` nulls first` : sql` nulls last`;
    // Where there is no null, saying where they go would only keep an index from being used.
    query = query.orderBy(sql`${sql.ref(column)} ${direction}${isNullable(column) ? nulls : sql``}`);
  }
  const found = await query.limit(limit).execute();
  return isBackward ? found.toReversed() : found;
}

async function readCount(count: AnySelect<{ n: number }>): Promise<number> {
  return (await count.executeTakeFirst())?.n ?? 0;
}

function isAfter(order: readonly SortKey[], cursor: Cursor) {
  return compareWith(order, cursor, ({ column, descending }, value) => {
    if (value === null) return sql<SqlBool>`1 = 0`;
    const ref = sql.ref(column);
    const beyond = descending ? sql<SqlBool>`${ref} < ${value}` : sql<SqlBool>`${ref} > ${value}`;
    return isNullable(column) ? sql<SqlBool>`(${beyond} or ${ref} is null)` : beyond;
  });
}

/** The columns of all tables by name; tables that share a name mean the same by it. */
const COLUMNS = new Map(
  Object.values(TABLES).flatMap((columns) =>
    columns.map(([name, type, nullable]) => [name, { type, isNullable: nullable === "null" }] as const),
  ),
);

function findColumn(column: string) {
  return COLUMNS.get(column.slice(column.indexOf(".") + 1));
}

/** Computed columns are numbers that may be unknown. */
function isNullable(column: string): boolean {
  return findColumn(column)?.isNullable ?? true;
}

/** Whether a cursor, which may come from any address, is one of this order. */
function fitsOrder(order: readonly SortKey[], cursor: Cursor): boolean {
  return (
    cursor.length === order.length &&
    order.every(({ column }, index) => {
      const value = cursor[index];
      if (value === null) return isNullable(column);
      const type = findColumn(column)?.type ?? "real";
      if (type === "text") return typeof value === "string";
      return typeof value === "number" && (type === "real" || Number.isSafeInteger(value));
    })
  );
}

function isBefore(order: readonly SortKey[], cursor: Cursor) {
  return compareWith(order, cursor, ({ column, descending }, value) => {
    const ref = sql.ref(column);
    if (value === null) return sql<SqlBool>`${ref} is not null`;
    return descending ? sql<SqlBool>`${ref} > ${value}` : sql<SqlBool>`${ref} < ${value}`;
  });
}

/** Rows whose first differing column is on the asked side. */
function compareWith(
  order: readonly SortKey[],
  cursor: Cursor,
  isBeyond: (key: SortKey, value: Cursor[number]) => ReturnType<typeof sql<SqlBool>>,
) {
  const cases = order.map((key, index) => {
    const same = order.slice(0, index).map(({ column }, at) => {
      const value = cursor[at] ?? null;
      const ref = sql.ref(column);
      return value === null ? sql<SqlBool>`${ref} is null` : sql<SqlBool>`${ref} = ${value}`;
    });
    return sql<SqlBool>`(${sql.join([...same, isBeyond(key, cursor[index] ?? null)], sql` and `)})`;
  });
  return sql<SqlBool>`(${sql.join(cases, sql` or `)})`;
}

/** `column` contains `text`, which is in lower case as the column is; `%` and `_` mean themselves. */
export function contains(column: ReferenceExpression<IndexTables, keyof IndexTables> & string, text: string) {
  const pattern = `%${toColumnText(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
