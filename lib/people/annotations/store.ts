import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql, type SqlBool } from "kysely";

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
  isAmong,
  limitRows,
} from "@/lib/store/database";
import { findShown, getVisibility, nameVisibility } from "@/lib/store/visibility";

import { listMigrations } from "./migrations";
import { limitStore, limitTransaction, type RowVisibility } from "./shown-rows";
import { toJudgmentStatement } from "./statements/move";
import { describeDamaged, isIntact, type StoredRow, type UnreadableRow } from "./stored-columns";
import { type AnnotationDb, type AnnotationTables, continueFrom, KEPT_KINDS } from "./tables";

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
  /** Readable judgments of a damaged file, or of one removed while open; null for a server. */
  readonly salvage: () => Promise<Salvage | null>;
  readonly close: () => Promise<void>;
}

export function resolveAnnotationTarget(environment: DataEnvironment): DatabaseTarget {
  return resolveTarget(PLACE, environment);
}

/** Opens lazily, see `openOnUse`. */
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
              if (visibility === null) return work(continueFrom(db, transaction));
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
        return damage.map(({ columns: { id }, ...row }) => ({ ...row, columns: { id } }));
      }),
    limit: (to) => makeStore(target, opened, takeTurn, to),
    salvage: async () => {
      if (target.engine === "postgres" || visibility !== null) return null;
      const folder = mkdtempSync(join(tmpdir(), "assay-removed-"));
      try {
        const copy = join(/*turbopackIgnore: true*/ folder, PLACE.fileName);
        const file = (await copyRemoved(copy)) ? copy : target.file;
        return salvageJudgments({ ...target, file });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    close,
  };
}

/** A file of an earlier release has judgments in a table of their own. */
function salvageJudgments(target: Extract<DatabaseTarget, { engine: "sqlite" }>): Salvage {
  const earlier = salvageSqlite(target, "annotation_version");
  if (earlier.rows.length + earlier.lost.length > 0)
    return { ...earlier, rows: earlier.rows.map(toJudgmentStatement) };
  const found = salvageSqlite(target, "statement");
  // A damaged row may have been a judgment, regardless of its kind.
  const rows = found.rows.filter((row) => row["kind"] === "judgment" || !isIntact("statement", row));
  return { ...found, rows };
}

async function adviseSalvage<T>(target: DatabaseTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "store_corrupt" || target.engine === "postgres")
      throw error;
    const way = existsSync(target.file)
      ? '"assay annotations export" writes what can still be read.'
      : "while Assay runs, the export on its pages has its contents.";
    const message = `${error.message} Nothing is saved until then; ${way}`;
    throw new StoreError(error.code, message, { cause: error });
  }
}

declare global {
  var assayAnnotationStore: AnnotationStore | undefined;
}

/** Without regard to what the current user may see. */
export function getWholeStore(): AnnotationStore {
  return (globalThis.assayAnnotationStore ??= openAnnotationStore(resolveAnnotationTarget(process.env)));
}

export function getAnnotationStore(): AnnotationStore {
  const store = getWholeStore();
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
  await sql`lock table statement in share row exclusive mode`.execute(transaction);
}

const stores = new WeakMap<AnnotationDb, ReturnType<typeof checkStore>>();

/** Checks every row of an open store once: a file that another program writes is opened again. */
function omitDamage(db: AnnotationDb, engine: DatabaseTarget["engine"]): ReturnType<typeof checkStore> {
  const store = stores.get(db) ?? checkStore(db, engine);
  stores.set(db, store);
  store.catch(() => stores.delete(db));
  return store;
}

async function checkStore(db: AnnotationDb, engine: DatabaseTarget["engine"]) {
  const { rows } = await sql<StoredRow>`select * from statement`.execute(db);
  const damage = rows.flatMap((row) => (isIntact("statement", row) ? [] : describeDamaged(row)));
  if (damage.length === 0) return { db, damage };
  const omitted = damage.filter(({ columns }) => !KEPT_KINDS.some((kind) => kind === columns["kind"]));
  const numbers = omitted.map(({ seq }) => seq);
  const isKept = sql<SqlBool>`not ${isAmong({ engine }, "seq", numbers)}`;
  const limits = { statement: isKept, review_lease: null };
  return { db: limitRows(db, () => limits), damage };
}
