import { type QueryExecutorProvider, sql } from "kysely";
import { type Migration, type MigrationResultSet, Migrator } from "kysely/migration";

import { StoreError } from "@/lib/core/domain/app-error";

import { openDatabase, type OpenDatabase } from "./open-database";
import { toStoreError } from "./store-error";
import { type DatabaseTarget, describeTarget, type StorePlace } from "./target";

/** Migrations run in order of name. Never edit a released one: add a new one. */
export type Migrations = Readonly<Record<string, Migration>>;

export interface StoreKind {
  readonly name: string;
  readonly place: StorePlace;
  readonly listMigrations: (engine: DatabaseTarget["engine"]) => Migrations;
}

export const runStatements = (statements: readonly string[]): Migration => ({
  up: (db) => runAll(db, statements),
});

export async function runAll(db: QueryExecutorProvider, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const MIGRATION_TABLE = "kysely_migration";

/** @throws StoreError */
export async function openMigrated<Tables>(
  target: DatabaseTarget,
  listMigrations: StoreKind["listMigrations"],
): Promise<OpenDatabase<Tables>> {
  const open = await openDatabase<Tables>(target);
  try {
    await migrate(open, listMigrations(open.engine));
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/**
 * Runs all pending migrations, or none if one fails. Concurrent processes wait for each other.
 *
 * @throws StoreError `store_too_new` when the store has a migration unknown to this program; the store is not changed
 */
export async function migrate<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<void> {
  try {
    if (!(await isMigrated(open, migrations)))
      await runMigrations(open, migrations).catch(async (error: unknown) => {
        // A newer program may have migrated after the check above.
        await isMigrated(open, migrations);
        throw error;
      });
    if (open.isCopy) await sql`pragma query_only = on`.execute(open.db);
  } catch (error) {
    throw toStoreError(error, open.target);
  }
}

async function runMigrations<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  if (open.target.engine === "postgres") {
    // Without the schema, Kysely would accept a table with this name in any schema.
    const migrationTableSchema = open.target.schema;
    throwFailure(await new Migrator({ db: open.db, provider, migrationTableSchema }).migrateToLatest());
    return;
  }
  // Kysely creates its own tables before it takes the lock; this also creates them under it.
  await open.db.transaction().execute(async (transaction) => {
    throwFailure(await new Migrator({ db: transaction, provider }).migrateToLatest());
  });
}

function throwFailure({ error }: MigrationResultSet): void {
  if (error === undefined) return;
  throw error instanceof Error ? error : new Error("A migration failed.", { cause: error });
}

/** True if every migration has run; throws for an unknown one. */
async function isMigrated<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<boolean> {
  if (!(await hasMigrationTable(open))) return Object.keys(migrations).length === 0;
  const seen = await refuseNewer(open, migrations);
  return Object.keys(migrations).every((name) => seen.has(name));
}

/**
 * Checks that no newer program has migrated a store that was migrated before.
 *
 * @returns names of the migrations that have run
 * @throws StoreError `store_too_new`
 */
export async function refuseNewer<Tables>(
  open: OpenDatabase<Tables>,
  migrations: Migrations,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(
    open.db,
  );
  const seen = new Set(rows.map(({ name }) => name));
  const unknown = [...seen].filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    const place = describeTarget(open.target);
    throw new StoreError(
      "store_too_new",
      `${place} was written by a newer Assay (${unknown.join(", ")}). Update Assay; it was left as it is.`,
    );
  }
  return seen;
}

/** Queries by name: Kysely lists every column of every schema, thousands on a shared server. */
async function hasMigrationTable<Tables>({ db, target }: OpenDatabase<Tables>): Promise<boolean> {
  const ask =
    target.engine === "sqlite"
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${MIGRATION_TABLE}`
      : sql`select 1 from pg_catalog.pg_tables where schemaname = ${target.schema} and tablename = ${MIGRATION_TABLE}`;
  return (await ask.execute(db)).rows.length > 0;
}
