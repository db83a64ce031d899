import { sql } from "kysely";

import { type DatabaseTarget, isNoneOf, limitRows } from "@/lib/database";

import { isIntact, MISMATCH, STATEMENT_TABLES, type StatementTable, type StoredRow } from "./checksum";
import type { AnnotationDb } from "./record";
import type { UnreadableRow } from "./unreadable-row";

/** An open store without rows that do not match their checksums, which are in `damage`. */
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

async function checkStore(db: AnnotationDb, engine: DatabaseTarget["engine"]): Promise<IntactStore> {
  const damaged = new Map<StatementTable, readonly UnreadableRow[]>();
  for (const table of STATEMENT_TABLES) {
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)}`.execute(db);
    damaged.set(
      table,
      rows.flatMap((row) => (isIntact(table, row) ? [] : describeDamaged(table, row))),
    );
  }
  const damage = [...damaged.values()].flat();
  if (damage.length === 0) return { db, damage };
  const omit = (table: StatementTable) =>
    isNoneOf(
      engine,
      "seq",
      (damaged.get(table) ?? []).map(({ seq }) => seq),
    );
  const limits = {
    annotation_version: omit("annotation_version"),
    adjudication: omit("adjudication"),
    review_queue_event: omit("review_queue_event"),
    triage_note: omit("triage_note"),
    suggestion_answer: omit("suggestion_answer"),
    tag_import: omit("tag_import"),
    imported_tag: omit("imported_tag"),
    // Their readers need the place of what is damaged: a queue is no sample without it, and later changes build on one.
    codebook_change: null,
    review_queue: null,
    review_queue_item: null,
    review_lease: null,
  };
  return { db: limitRows(db, () => limits), damage };
}

/** Omits the browser key, which is never shown or exported. */
export function describeDamaged(table: StatementTable, row: StoredRow): UnreadableRow {
  const { browser_key_hash: _, checksum: __, ...columns } = row;
  const seq = Number(row["seq"] ?? row["position"] ?? row["version"]);
  return { seq, problem: `of the table ${table} ${MISMATCH}`, columns };
}
