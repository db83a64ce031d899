import { sql } from "kysely";

import { type DatabaseTarget, isNoneOf, limitRows, type RowLimits } from "@/lib/store/database";

import { describeDamaged, isIntact, STATEMENT_TABLES, type StoredRow } from "./checksum";
import type { AnnotationDb, AnnotationTables } from "./record";
import type { UnreadableRow } from "./unreadable-row";

export interface IntactStore {
  readonly db: AnnotationDb;
  readonly damage: readonly UnreadableRow[];
}

const stores = new WeakMap<AnnotationDb, Promise<IntactStore>>();

/** Checks every row of an open store once: a file that another program writes is opened again. @throws StoreError */
export function omitDamage(db: AnnotationDb, engine: DatabaseTarget["engine"]): Promise<IntactStore> {
  const store = stores.get(db) ?? checkStore(db, engine);
  stores.set(db, store);
  store.catch(() => stores.delete(db));
  return store;
}

/** Their readers report damaged rows: a queue without one is not a sample, and later codebook changes build on it. */
const KEPT: readonly string[] = ["codebook_change", "review_queue", "review_queue_item"];

async function checkStore(db: AnnotationDb, engine: DatabaseTarget["engine"]): Promise<IntactStore> {
  const limits: Record<string, ReturnType<typeof isNoneOf> | null> = { review_lease: null };
  const damage: UnreadableRow[] = [];
  for (const table of STATEMENT_TABLES) {
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)}`.execute(db);
    const found = rows.flatMap((row) => (isIntact(table, row) ? [] : describeDamaged(table, row)));
    damage.push(...found);
    const numbers = found.map(({ seq }) => seq);
    limits[table] = KEPT.includes(table) ? null : isNoneOf(engine, "seq", numbers);
  }
  // Every table is limited above.
  const limitAll = () => limits as ReturnType<RowLimits<AnnotationTables>>;
  return { db: damage.length === 0 ? db : limitRows(db, limitAll), damage };
}
