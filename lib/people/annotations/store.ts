import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";

import { StoreError } from "@/lib/core/domain/app-error";
import {
  type DatabaseTarget,
  type DataEnvironment,
  openOnUse,
  resolveTarget,
  type Salvage,
  salvageSqlite,
  type StoreKind,
  type StoreOnUse,
  type StorePlace,
  isNoneOf,
  limitRows,
  type RowLimits,
} from "@/lib/store/database";
import { findShown, getVisibility, nameVisibility } from "@/lib/store/visibility";

import { describeDamaged, isIntact, STATEMENT_TABLES, type StoredRow } from "./checksum";
import { listMigrations } from "./migrations";
import type { AnnotationDb, AnnotationTables } from "./record";
import { limitStore, limitTransaction, type RowVisibility } from "./shown-rows";
import type { UnreadableRow } from "./unreadable-row";

/** EXTRA syncs to disk before a save is reported. */
const PLACE = {
  fileName: "annotations.sqlite",
  schema: "assay",
  synchronous: "EXTRA",
} as const satisfies StorePlace;

export const ANNOTATION_STORE: StoreKind = { name: "annotations", place: PLACE, listMigrations };

export interface AnnotationStore {
  readonly place: string;
  /** Runs `work`, or returns `empty` and creates nothing if there is no file yet. */
  readonly read: <T>(empty: T, work: (db: AnnotationDb) => Promise<T>) => Promise<T>;
  /** Runs `work` exclusively: on disk when it resolves, rolled back when it fails. Only verbs of this folder call it. */
  readonly write: <T>(work: (db: AnnotationDb) => Promise<T>) => Promise<T>;
  /** Returns the rows that do not match their checksums, of any table. A limited store has nothing but their ids. */
  readonly readDamage: () => Promise<readonly UnreadableRow[]>;
  readonly limit: (visibility: RowVisibility) => AnnotationStore;
  /** Readable rows of a damaged file, or of one removed while open; null for a server. */
  readonly salvage: (columns: readonly string[]) => Promise<Salvage | null>;
  readonly close: () => Promise<void>;
}

export function resolveAnnotationTarget(environment: DataEnvironment): DatabaseTarget {
  return resolveTarget(PLACE, environment);
}

/** Opens lazily, see `openOnUse`. @throws StoreError on use, never here */
export function openAnnotationStore(target: DatabaseTarget): AnnotationStore {
  return makeStore(target, openOnUse<AnnotationTables>(target, listMigrations), makeTurns(), null);
}

type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Writers of a process wait here and not at PostgreSQL's lock, where a crowd would take every connection from readers and exceed
 * the lock timeout.
 */
function makeTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function makeStore(
  target: DatabaseTarget,
  opened: StoreOnUse<AnnotationTables>,
  takeTurn: TakeTurn,
  visibility: RowVisibility | null,
): AnnotationStore {
  const { place, read, write, copyRemoved, close } = opened;
  return {
    place,
    read: (empty, work) =>
      adviseSalvage(target, () =>
        read(empty, async ({ db: stored, engine }) => {
          const { db } = await omitDamage(stored, engine);
          return work(visibility === null ? db : await limitStore(db, engine, visibility));
        }),
      ),
    write: (work) =>
      adviseSalvage(target, () =>
        takeTurn(() =>
          write(async ({ db: stored, engine }) => {
            const { db } = await omitDamage(stored, engine);
            return db.transaction().execute(async (transaction) => {
              if (engine === "postgres") await lockTable(transaction);
              if (visibility === null) return work(transaction);
              return work(await limitTransaction(db, transaction, engine, visibility));
            });
          }),
        ),
      ),
    readDamage: () =>
      adviseSalvage(target, async () => {
        const damage = await read([], async ({ db, engine }) => (await omitDamage(db, engine)).damage);
        if (visibility === null) return damage;
        // A damaged row does not say whether its trial is visible.
        return damage.map(({ columns: { version_id, id }, ...row }) => ({
          ...row,
          columns: { version_id, id },
        }));
      }),
    limit: (to) => makeStore(target, opened, takeTurn, to),
    salvage: async (columns) => {
      if (target.engine === "postgres" || visibility !== null) return null;
      const folder = mkdtempSync(join(tmpdir(), "assay-removed-"));
      try {
        const copy = join(/*turbopackIgnore: true*/ folder, PLACE.fileName);
        const file = (await copyRemoved(copy)) ? copy : target.file;
        return salvageSqlite({ ...target, file }, { table: "annotation_version", number: "seq", columns });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    close,
  };
}

async function adviseSalvage<T>(target: DatabaseTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "store_corrupt" || target.engine === "postgres")
      throw error;
    const way = existsSync(target.file)
      ? '"assay annotations export" writes what can still be read.'
      : "as long as Assay runs, the export on its pages has what was in it.";
    const message = `${error.message} Nothing is saved until then; ${way}`;
    throw new StoreError(error.code, message, { cause: error });
  }
}

declare global {
  var assayAnnotationStore: AnnotationStore | undefined;
}

export function getAnnotationStore(): AnnotationStore {
  const store = (globalThis.assayAnnotationStore ??= openAnnotationStore(
    resolveAnnotationTarget(process.env),
  ));
  const visibility = getVisibility();
  const shown = findShown(visibility);
  return shown === null ? store : store.limit({ name: nameVisibility(visibility), shown });
}

/**
 * A chain is read and continued under the lock, so it never forks, and events appear in the order of their numbers. Readers do not
 * wait.
 */
async function lockTable(transaction: AnnotationDb): Promise<void> {
  // Servers may confirm commits before they are on disk, which could lose a judgment.
  await sql`select set_config('lock_timeout', '5s', true), case
    when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end`.execute(
    transaction,
  );
  await sql`lock table annotation_version in share row exclusive mode`.execute(transaction);
}

interface IntactStore {
  readonly db: AnnotationDb;
  readonly damage: readonly UnreadableRow[];
}

const stores = new WeakMap<AnnotationDb, Promise<IntactStore>>();

/** Checks every row of an open store once: a file that another program writes is opened again. @throws StoreError */
function omitDamage(db: AnnotationDb, engine: DatabaseTarget["engine"]): Promise<IntactStore> {
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
