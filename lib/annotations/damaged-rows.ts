import { type QueryExecutorProvider, sql } from "kysely";

import { isIntact, MISMATCH, STATEMENT_TABLES, type StatementTable, type StoredRow } from "./checksum";
import type { AnnotationDb } from "./record";
import type { UnreadableRow } from "./unreadable-row";

/** A row that does not match its checksum. */
export interface DamagedRow extends UnreadableRow {
  readonly table: StatementTable;
}

/** Rows that were checked once are not read again: they never change while a store is open. */
interface Checked {
  /** Number of the last checked row of each table. */
  readonly last: ReadonlyMap<string, number>;
  readonly damage: readonly DamagedRow[];
}

const NOTHING: Checked = { last: new Map(), damage: [] };

const TABLES = Object.keys(STATEMENT_TABLES) as readonly StatementTable[]; // Its own keys.

/** By open store. */
const checks = new WeakMap<AnnotationDb, Checked>();
const running = new WeakMap<AnnotationDb, Promise<Checked>>();

/** Returns the damaged rows of an open store; the same object while no more are found. @throws StoreError */
export async function findDamage(db: AnnotationDb): Promise<readonly DamagedRow[]> {
  // Pages read a store several times at once.
  const pending = running.get(db) ?? checkRows(db, checks.get(db) ?? NOTHING);
  running.set(db, pending);
  try {
    const checked = await pending;
    checks.set(db, checked);
    return checked.damage;
  } finally {
    running.delete(db);
  }
}

/** {@link findDamage} as a transaction of that store sees it. */
export async function findDamageWithin(
  db: AnnotationDb,
  transaction: AnnotationDb,
): Promise<readonly DamagedRow[]> {
  return (await checkRows(transaction, checks.get(db) ?? NOTHING)).damage;
}

async function checkRows(db: AnnotationDb, before: Checked): Promise<Checked> {
  const numbers = sql.join(
    TABLES.map((table) => {
      const { numbered, number } = findNumber(table);
      return sql`(select max(${sql.ref(number)}) from ${sql.table(numbered)}) as ${sql.ref(table)}`;
    }),
  );
  const { rows } = await sql<Readonly<Record<string, number | null>>>`select ${numbers}`.execute(db);
  const last = new Map(TABLES.map((table) => [table, rows[0]?.[table] ?? 0]));
  const added: DamagedRow[] = [];
  for (const table of TABLES) {
    const after = before.last.get(table) ?? 0;
    if (last.get(table) === after) continue;
    const { numbered, number } = findNumber(table);
    // Trials of a queue have no number. One whose queue is unknown is damaged, so known ones are left out.
    const isAdded =
      numbered === table
        ? sql`${sql.ref(number)} > ${after}`
        : sql`queue_id not in (select queue_id from ${sql.table(numbered)} where ${sql.ref(number)} <= ${after})`;
    for await (const some of readBatches(db, table, isAdded))
      added.push(...some.flatMap((row) => (isIntact(table, row) ? [] : describeDamaged(table, row))));
  }
  return { last, damage: added.length === 0 ? before.damage : [...before.damage, ...added] };
}

/** Returns the table whose numbers show that rows were added. */
function findNumber(table: StatementTable): { readonly numbered: StatementTable; readonly number: string } {
  if (table === "review_queue_item") return findNumber("review_queue");
  return { numbered: table, number: STATEMENT_TABLES[table][0] };
}

/** Rows in memory at once; one has texts of up to a few MB. */
const ROWS_AT_ONCE = 500;

/** Reads the rows of a table by key, some at a time. */
export async function* readBatches(
  db: QueryExecutorProvider,
  table: StatementTable,
  condition: ReturnType<typeof sql> = sql`1 = 1`,
): AsyncGenerator<readonly StoredRow[]> {
  const key = STATEMENT_TABLES[table];
  const order = sql.join(key.map((column) => sql.ref(column)));
  let rest = sql``;
  for (;;) {
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} where ${condition} ${rest}
      order by ${order} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    rest = sql`and (${order}) > (${sql.join(key.map((column) => end[column]))})`;
  }
}

/** Omits the browser key, which is never shown or exported. */
export function describeDamaged(table: StatementTable, row: StoredRow): DamagedRow {
  const number = STATEMENT_TABLES[table].at(-1) ?? "";
  const { browser_key_hash: _, checksum: __, ...columns } = row;
  return { table, seq: Number(row[number]), problem: `of the table ${table} ${MISMATCH}`, columns };
}
