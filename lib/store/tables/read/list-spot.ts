import { sql, type SqlBool } from "kysely";

import { type AnySelect, isNeverNull, orderList, type SortKey } from "./query";

export interface ListSpot<Row> {
  readonly nBefore: number;
  readonly nMatching: number;
  /** False for a row outside the filter; its place is then where the order would put it. */
  readonly isListed: boolean;
  readonly previous: Row | null;
  readonly next: Row | null;
}

type Value = string | number | null;

interface OwnKey extends SortKey {
  readonly value: Value;
}

/**
 * Finds the place of a row from its values in the order columns. One pass counts the rows before it and finds the nearest values
 * of the first column. Sorting the rows instead takes two to three times as long. Unknown values are last in both directions, as
 * in {@link orderList}.
 *
 * @param list - filtered, not ordered or cut
 * @param order - ends with a unique column
 * @param own - the row's values by column name
 */
export async function readListSpot<Row>(
  list: AnySelect<Row>,
  order: readonly SortKey[],
  own: Readonly<Record<string, Value>>,
): Promise<ListSpot<Row>> {
  const keys = order.map((key): OwnKey => ({ ...key, value: own[key.column] ?? null }));
  const [before, behind] = [isBeyond(keys, true), isBeyond(keys, false)];
  const { nMatching, nBefore, nBehind, ...nearest } = await measureAround(list, keys, before, behind);
  const [previous, next] = await Promise.all([
    nBefore === 0 ? null : readNearest(list, keys, nearest.before, true),
    nBehind === 0 ? null : readNearest(list, keys, nearest.behind, false),
  ]);
  return { nBefore, nMatching, isListed: nBefore + nBehind < nMatching, previous, next };
}

type Condition = ReturnType<typeof isBeyond>;

async function measureAround<Row>(
  list: AnySelect<Row>,
  [first]: readonly OwnKey[],
  before: Condition,
  behind: Condition,
) {
  const [last, least] = first?.descending === true ? [sql`min`, sql`max`] : [sql`max`, sql`min`];
  const column = sql.ref(first?.column ?? "");
  const counted = await list
    .clearSelect()
    .select(({ fn }) => [
      fn.countAll<number>().as("nMatching"),
      sql<string | number | null>`sum(case when ${before} then 1 else 0 end)`.as("nBefore"),
      sql<string | number | null>`sum(case when ${behind} then 1 else 0 end)`.as("nBehind"),
      sql<Value>`${last}(case when ${before} then ${column} end)`.as("before"),
      sql<Value>`${least}(case when ${behind} then ${column} end)`.as("behind"),
    ])
    .executeTakeFirstOrThrow();
  // PostgreSQL returns a sum as text, and the sum of no rows as null.
  return { ...counted, nBefore: Number(counted.nBefore), nBehind: Number(counted.nBehind) };
}

/**
 * Reads the nearest row on one side of a place.
 * @param value - first column of the nearest rows on that side; null when all of them are null
 */
async function readNearest<Row>(
  list: AnySelect<Row>,
  [first, ...rest]: readonly OwnKey[],
  value: Value,
  before: boolean,
): Promise<Row | null> {
  if (first === undefined) return null;
  const take = async (rows: AnySelect<Row>) =>
    (await orderList(rows, rest, before).limit(1).executeTakeFirst()) ?? null;
  // Rows with the same value, or null like the place, are nearer than any other.
  const isTied = value === first.value;
  const tied =
    isTied || first.value === null
      ? await take(list.where(isEqual(first)).where(isBeyond(rest, before)))
      : null;
  return tied !== null || isTied ? tied : take(list.where(isEqual({ ...first, value })));
}

function isBeyond(keys: readonly OwnKey[], before: boolean) {
  const ways = keys.map((key, at) =>
    sql.join([...keys.slice(0, at).map(isEqual), differs(key, before)], AND),
  );
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

const AND = sql` and `;

function differs({ column, descending = false, value }: OwnKey, before: boolean) {
  const ref = sql.ref(column);
  if (value === null) return before ? sql`${ref} is not null` : sql`1 = 0`;
  const beyond = sql`${ref} ${descending === before ? sql`>` : sql`<`} ${value}`;
  return before || isNeverNull(column) ? beyond : sql`(${beyond} or ${ref} is null)`;
}

function isEqual({ column, value }: OwnKey) {
  const ref = sql.ref(column);
  return value === null ? sql<SqlBool>`${ref} is null` : sql<SqlBool>`${ref} = ${value}`;
}
