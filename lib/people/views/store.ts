import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { type QueryExecutorProvider, sql } from "kysely";

import {
  type DatabaseTarget,
  type DataEnvironment,
  migrate,
  type Migrations,
  openDatabase,
  runStatements,
  type StoreKind,
} from "@/lib/store/database";
import { findShown, getVisibility, type Shown } from "@/lib/store/visibility";

import { addStatements, type NewStatement } from "../annotations/statements/statement";
import {
  type AnnotationStore,
  getWholeStore,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "../annotations/store";
import { parseJson } from "../annotations/stored-columns";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "EXTRA" } as const;

function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
  const strict = engine === "sqlite" ? " STRICT" : "";
  const rest = `created_at TEXT NOT NULL, created_by TEXT, deleted_at TEXT`;
  const columns = `id TEXT PRIMARY KEY, name TEXT NOT NULL CHECK (name <> '')`;
  return {
    "001_views": runStatements([`CREATE TABLE views (${columns}, href TEXT NOT NULL, ${rest})${strict}`]),
    "002_run_sets": runStatements([
      `CREATE TABLE run_sets (${columns}, members TEXT NOT NULL, ${rest})${strict}`,
    ]),
    "003_rules_of_run_sets": runStatements([
      "ALTER TABLE run_sets ADD COLUMN kind TEXT NOT NULL DEFAULT 'together'",
      "ALTER TABLE run_sets ADD COLUMN rule TEXT",
    ]),
  };
}

export const EARLIER_VIEW_STORE: StoreKind = { name: "views", place: PLACE, listMigrations };

/**
 * Moves views and run sets of an earlier release into the log at `target`. That release refuses its store afterwards, and a move
 * that was cut short is done again.
 * @returns what could not be moved because its store cannot be written
 */
export async function takeInViews(log: AnnotationStore, target: DatabaseTarget) {
  const place = findEarlier(target);
  if (!(await isThere(log, place))) return [];
  const open = await openDatabase(place);
  let kept: readonly NewStatement[] = [];
  const up = async (db: QueryExecutorProvider): Promise<void> => {
    // A program of an earlier release may be writing to them.
    if (open.engine === "postgres")
      await sql`lock table views, run_sets in access exclusive mode`.execute(db);
    const statements = await readStatements(db);
    if (open.isCopy) kept = statements;
    // On disk before the rows are dropped.
    else if (statements.length > 0) await log.write((to) => addStatements(to, statements, "skip"));
    for (const table of ["views", "run_sets"]) await sql`drop table ${sql.table(table)}`.execute(db);
  };
  try {
    await migrate(open, { ...listMigrations(open.engine), "004_statement": { up } });
    return kept;
  } finally {
    await open.close();
  }
}

export function findEarlier(target: DatabaseTarget): DatabaseTarget {
  if (target.engine === "postgres") return { ...target, schema: `${target.schema}_views` };
  return { ...target, file: join(/*turbopackIgnore: true*/ dirname(target.file), PLACE.fileName) };
}

async function isThere(log: AnnotationStore, place: DatabaseTarget): Promise<boolean> {
  if (place.engine === "sqlite") return existsSync(place.file);
  const ask = sql`select 1 from pg_catalog.pg_tables where schemaname = ${place.schema} and tablename = 'views'`;
  return log.read(false, async (db) => (await ask.execute(db)).rows.length > 0);
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly deleted_at: string | null;
}

async function readStatements(db: QueryExecutorProvider): Promise<readonly NewStatement[]> {
  const views = await sql<
    Row & { readonly href: string }
  >`select * from views order by created_at, id`.execute(db);
  const sets = await sql<
    Row & { readonly members: string; readonly kind: string; readonly rule: string | null }
  >`select * from run_sets order by created_at, id`.execute(db);
  return [
    ...views.rows.flatMap((row) => toStatements("view", row, { href: row.href })),
    ...sets.rows.flatMap(({ members, kind, rule, ...row }) =>
      toStatements("run_set", row, { members: parseJson(members), kind, rule }),
    ),
  ];
}

function toStatements(
  kind: "view" | "run_set",
  { id, name, created_at: at, created_by: createdBy, deleted_at: deletedAt }: Row,
  content: object,
): readonly NewStatement[] {
  const said = { kind, subject: "", actor: null };
  const body = { name, ...content };
  const saved = { ...said, id, author: createdBy ?? "", at, body: { ...body, isDeleted: false } };
  if (deletedAt === null) return [saved];
  const deleted = { id: `${id} deleted`, parent: id, author: "", at: deletedAt };
  return [saved, { ...said, ...deleted, body: { ...body, isDeleted: true } }];
}

interface Viewer {
  readonly shown: Shown;
  readonly asker: string | null;
}

/** The whole log of statements, of which only views and run sets are read, see `limitSaved`. */
export interface ViewStore extends Pick<AnnotationStore, "place" | "read" | "write" | "close"> {
  readonly takeIn: () => Promise<readonly NewStatement[]>;
  readonly viewer: Viewer | null;
}

/** See `openOnUse`. */
export function openViewStore(target: DatabaseTarget): ViewStore {
  return makeViewStore(openAnnotationStore(target), target, null);
}

export function openViewStoreOf(environment: DataEnvironment): ViewStore {
  return openViewStore(resolveAnnotationTarget(environment));
}

/** Limited to what the current user may see. */
export function getViewStore(): ViewStore {
  const visibility = getVisibility();
  const shown = findShown(visibility);
  const viewer = shown === null ? null : { shown, asker: visibility.asker };
  return makeViewStore(getWholeStore(), resolveAnnotationTarget(process.env), viewer);
}

const taken = new WeakMap<AnnotationStore, Promise<readonly NewStatement[]>>();

function makeViewStore(log: AnnotationStore, target: DatabaseTarget, viewer: Viewer | null): ViewStore {
  const takeIn = (): Promise<readonly NewStatement[]> => {
    const taking = taken.get(log) ?? takeInViews(log, target);
    taken.set(log, taking);
    const forget = () => taken.delete(log);
    void taking.then((kept) => kept.length > 0 && forget(), forget);
    return taking;
  };
  const { place, read, write, close } = log;
  return { place, read, write, close, takeIn, viewer };
}
