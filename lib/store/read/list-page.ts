import { type ReferenceExpression, type SelectQueryBuilder, sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";
import { type ListPage, type ListRange, placeInList } from "@/lib/domain/list-page";

import { TABLES } from "../schema/columns";
import type { IndexTables } from "../schema/tables";

/** One column of an order. Unknown values (null) come last whichever way it runs. */
export interface SortKey {
  /** Column, with its table where the query joins several. */
  readonly column: string;
  readonly descending: boolean;
}

// Queries differ in their tables and columns, and every one of them is ordered and cut in this one way.
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely has no type for "any select over these tables"
type AnySelect<Row> = SelectQueryBuilder<IndexTables, any, Row>;

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
  const counted = await list
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirst();
  const place = placeInList(range, counted?.n ?? 0);
  const rows = await orderList(list, order).limit(range.limit).offset(place.nBefore).execute();
  return { rows, ...place };
}

/** The list in its order. */
export function orderList<Row>(list: AnySelect<Row>, order: readonly SortKey[]): AnySelect<Row> {
  return order.reduce((query, { column, descending }) => {
    // Where there is no null, saying where they go would only keep an index from being used.
    const nulls = NOT_NULL.has(column.slice(column.indexOf(".") + 1)) ? sql`` : sql` nulls last`;
    return query.orderBy(sql`${sql.ref(column)} ${descending ? sql`desc` : sql`asc`}${nulls}`);
  }, list);
}

/** Rows of a job in the order of `positions`; those that are gone are left out. */
export function inOrder<Row extends { readonly position: number }>(
  rows: readonly Row[],
  positions: readonly number[],
): readonly Row[] {
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return positions.flatMap((position) => byPosition.get(position) ?? []);
}

/** Columns that always hold a value; tables that share a name mean the same by it. Computed columns may be unknown. */
const NOT_NULL = new Set(
  Object.values(TABLES).flatMap((columns) =>
    columns.flatMap(([name, , isNullable]) => (isNullable === "null" ? [] : [name])),
  ),
);

/** `column` contains `text`, which is in lower case as the column is; `%` and `_` mean themselves. */
export function contains(column: ReferenceExpression<IndexTables, keyof IndexTables> & string, text: string) {
  const pattern = `%${toColumnText(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
