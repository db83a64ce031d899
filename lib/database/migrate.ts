import { sql } from "kysely";
import { type Migration, type MigrationResultSet, Migrator } from "kysely/migration";

import { StoreError } from "@/lib/domain/app-error";

import type { OpenDatabase } from "./open-database";
import { toStoreError } from "./store-error";
import { type DatabaseTarget, describeTarget, type StorePlace } from "./target";

/** Migrations by name, run in the order of the names. One is never edited once released: a change is a new one. */
export type Migrations = Readonly<Record<string, Migration>>;

/** A store of what cannot be computed again: what it is called, where it is kept and how its tables come about. */
export interface StoreKind {
  readonly name: string;
  readonly place: StorePlace;
  readonly listMigrations: (engine: DatabaseTarget["engine"]) => Migrations;
}

const MIGRATION_TABLE = "kysely_migration";

/**
 * Runs the migrations that the store has not seen, all of them or none; writes nothing when there are none. Two
 * processes that do it at once wait for each other.
 *
 * @throws StoreError `store_too_new` when the store knows a migration that this program does not, which is left alone
 */
export async function migrate<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<void> {
  try {
    if (!(await isMigrated(open, migrations)))
      await runMigrations(open, migrations).catch(async (error: unknown) => {
        // A newer program may have come first after the look above.
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
    // Without the schema, a table of this name in any schema would pass for this one's.
    const migrationTableSchema = open.target.schema;
    throwFailure(await new Migrator({ db: open.db, provider, migrationTableSchema }).migrateToLatest());
    return;
  }
  // Kysely makes its own tables before it takes the lock; here they are made under it too.
  await open.db.transaction().execute(async (transaction) => {
    throwFailure(await new Migrator({ db: transaction, provider }).migrateToLatest());
  });
}

/** The migrator gives its failure back instead of throwing it. */
function throwFailure({ error }: MigrationResultSet): void {
  if (error === undefined) return;
  throw error instanceof Error ? error : new Error("A migration failed.", { cause: error });
}

/** Whether every migration has run; throws when one has that is not known here. */
async function isMigrated<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<boolean> {
  if (!(await hasMigrationTable(open))) return Object.keys(migrations).length === 0;
  const seen = await refuseNewer(open, migrations);
  return Object.keys(migrations).every((name) => seen.has(name));
}

/**
 * Checks that no newer program has migrated the store, which has been migrated before.
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

/** Asked for by name: Kysely lists each column of each schema, of which a server that others use too has thousands. */
async function hasMigrationTable<Tables>({ db, target }: OpenDatabase<Tables>): Promise<boolean> {
  const ask =
    target.engine === "sqlite"
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${MIGRATION_TABLE}`
      : sql`select 1 from pg_catalog.pg_tables where schemaname = ${target.schema} and tablename = ${MIGRATION_TABLE}`;
  return (await ask.execute(db)).rows.length > 0;
}
