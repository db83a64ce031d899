import { type Kysely, sql } from "kysely";

import type { ColumnValue } from "./insert-rows";
import type { OpenDatabase } from "./open-database";

export interface StoreTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Column that PostgreSQL numbers; null if none, and on SQLite, which continues after the highest number. */
  readonly numbered: string | null;
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  /** Position in the primary key, from 1; 0 outside of it. */
  readonly key: number;
  readonly is_numbered: number | boolean;
}

const COLUMNS_ON_SQLITE = sql<ColumnRow>`
  select tables.name as "table", columns.name as "column", columns.pk as key, 0 as is_numbered
  from sqlite_master as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' and tables.name not like 'sqlite~_%' escape '~'
    and tables.name not like 'kysely~_%' escape '~'
  order by tables.rowid, columns.cid`;

const selectColumnsOnPostgres = (schema: string) => sql<ColumnRow>`
  select tables.relname as "table", columns.attname as "column",
    coalesce(array_position(keys.indkey::int2[], columns.attnum) + 1, 0) as key, columns.attidentity <> '' as is_numbered
  from pg_catalog.pg_class as tables
    join pg_catalog.pg_namespace as schemas on schemas.oid = tables.relnamespace
    join pg_catalog.pg_attribute as columns on columns.attrelid = tables.oid
    left join pg_catalog.pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
  where schemas.nspname = ${schema} and tables.relkind in ('r', 'p') and tables.relname not like 'kysely~_%' escape '~'
    and columns.attnum > 0 and not columns.attisdropped
  order by tables.oid, columns.attnum`;

export async function listTables<Tables>({
  db,
  target,
}: OpenDatabase<Tables>): Promise<readonly StoreTable[]> {
  const ask = target.engine === "sqlite" ? COLUMNS_ON_SQLITE : selectColumnsOnPostgres(target.schema);
  const { rows } = await ask.execute(db);
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ key }) => key > 0)
      .toSorted((one, other) => one.key - other.key)
      .map(({ column }) => column),
    numbered: columns.find((column) => Boolean(column.is_numbered))?.column ?? null,
  }));
}

/** Rows in memory at once; one may hold texts of a few MB. */
const ROWS_AT_ONCE = 200;

/** Reads all rows in key order, in batches, with a value for every column. Use a transaction for a consistent snapshot. */
export async function* readRows<Tables>(
  db: Kysely<Tables>,
  { name, columns, key }: StoreTable,
): AsyncGenerator<readonly (readonly ColumnValue[])[]> {
  const names = sql.join(columns.map((column) => sql.id(column)));
  const order = sql.join(key.map((column) => sql.id(column)));
  let last: readonly ColumnValue[] | null = null;
  for (;;) {
    const rest: ReturnType<typeof sql> = last === null ? sql`` : sql`where (${order}) > (${sql.join(last)})`;
    const { rows } = await sql<Readonly<Record<string, unknown>>>`
      select ${names} from ${sql.table(name)} ${rest} order by ${order} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(
      db,
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map((row) => columns.map((column) => checkValue(row[column], `${name}.${column}`)));
    last = key.map((column) => checkValue(end[column], `${name}.${column}`));
  }
}

function checkValue(value: unknown, place: string): ColumnValue {
  if (value === null || typeof value === "string" || (typeof value === "number" && Number.isFinite(value)))
    return value;
  throw new Error(`${place} holds a value that is neither text nor a number.`);
}

export async function listFilled<Tables>(db: Kysely<Tables>, tables: readonly StoreTable[]) {
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

/** Blocks other writers until the transaction ends; every SQLite transaction does so already. */
export async function lockTables<Tables>(
  db: Kysely<Tables>,
  engine: OpenDatabase<Tables>["engine"],
  tables: readonly StoreTable[],
): Promise<void> {
  if (engine === "sqlite") return;
  await sql`set local lock_timeout = '5s'`.execute(db);
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(db);
}

export async function continueNumbers<Tables>(
  db: Kysely<Tables>,
  { target }: OpenDatabase<Tables>,
  { name, numbered }: StoreTable,
): Promise<void> {
  if (numbered === null || target.engine === "sqlite") return;
  await sql`select setval(pg_get_serial_sequence(format('%I.%I', ${target.schema}::text, ${name}::text), ${numbered}),
    (select max(${sql.id(numbered)}) from ${sql.table(name)}))`.execute(db);
}
