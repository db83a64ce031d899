import { Kysely, PostgresDialect, type QueryExecutorProvider, sql } from "kysely";
import { type Migration, type MigrationResultSet, Migrator } from "kysely/migration";
import type pg from "pg";

import { StoreError } from "@/lib/core/domain/app-error";

import { createPostgresInsert, createSqliteInsert, type InsertRows } from "./insert-rows";
import { openSqlite } from "./open-sqlite";
import { mapFailures, refuseOtherDatabase, toStoreError } from "./store-error";
import {
  type DatabaseTarget,
  type PostgresTarget,
  type Prologue,
  type StorePlace,
  describeTarget,
} from "./target";

/** An open store. Its statements fail with a StoreError if the store is at fault, see {@link toStoreError}. */
export interface OpenDatabase<Tables> {
  /**
   * One SQLite connection, shared by all statements in turn, or a pool of PostgreSQL connections. A SQLite transaction takes the
   * write lock at its start, unless its access mode is `read only`.
   */
  readonly db: Kysely<Tables>;
  readonly engine: DatabaseTarget["engine"];
  readonly target: DatabaseTarget;
  readonly insertRows: InsertRows<Tables>;
  /** True for a copy in memory of a file that cannot be written; only migrations change it. */
  readonly isCopy: boolean;
  readonly close: () => Promise<void>;
}

/** Opens the store and creates its folder and file, or its schema, if missing. `migrate` creates the tables. */
export async function openDatabase<Tables>(
  target: DatabaseTarget,
  prologue: Prologue | null = null,
): Promise<OpenDatabase<Tables>> {
  const { engine } = target;
  try {
    if (engine === "postgres") {
      const db = await openPostgres<Tables>(target, prologue);
      const insertRows = createPostgresInsert<Tables>();
      return { db, engine, target, insertRows, isCopy: false, close: () => db.destroy() };
    }
    const { db, file } = await openSqlite<Tables>(target, prologue);
    const close = async (): Promise<void> => {
      await db.destroy();
      file.close();
    };
    const insertRows = createSqliteInsert<Tables>(file);
    return { db, engine, target, insertRows, isCopy: file.memory, close };
  } catch (error) {
    throw toStoreError(error, target);
  }
}

const MOST_CONNECTIONS = 10;
/** For stores with views: there is one store per set of hidden folders, and servers usually allow 100 connections. */
const MOST_READING_CONNECTIONS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** Per sort or hash. With the default of 4 MB a list of 100,000 trials is sorted on disk: 290 ms instead of 250. */
const WORK_MEMORY = "32MB";

/** Type numbers whose values pg returns as text, because they may exceed the exact range of a double. */
const INT8 = 20;
const NUMERIC = 1700;

/**
 * Connects and creates the schema, which is the search path of every connection. Counts and sums (`int8`, `numeric`) are returned
 * as numbers, as on SQLite: values beyond 2^53 lose digits on either engine and belong in a text column.
 */
async function openPostgres<Tables>(target: PostgresTarget, prologue: Prologue | null = null) {
  refuseOtherDatabase(target);
  // Loaded on demand: most programs use SQLite.
  const { default: driver } = await import("pg");
  const types = new driver.TypeOverrides();
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  const pool = new driver.Pool({
    connectionString: target.url,
    application_name: "assay",
    max: prologue === null ? MOST_CONNECTIONS : MOST_READING_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    allowExitOnIdle: true,
    types,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it despite its type
    onConnect: (client) => prepareConnection(client, driver.escapeIdentifier(target.schema), prologue),
  });
  // A broken connection fails its statement, and the pool drops it. Without listeners on idle and used connections the process
  // would exit.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new Kysely<Tables>({ dialect: mapFailures(new PostgresDialect({ pool }), target) });
  try {
    if (prologue === null) await createSchema(db, target.schema);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function prepareConnection(client: pg.ClientBase, schema: string, prologue: Prologue | null) {
  await client.query(`set search_path to ${schema}`);
  await client.query(`set work_mem to '${WORK_MEMORY}'`);
  if (prologue === null) return;
  for (const statement of prologue(schema)) await client.query(statement);
  await client.query("set default_transaction_read_only to on");
}

/** Checks first: a role that may use the schema need not be allowed to create one. */
async function createSchema<Tables>(db: Kysely<Tables>, schema: string): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const found = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(db);
    return found.rows.length > 0;
  };
  if (await isThere()) return;
  try {
    await db.schema.createSchema(schema).ifNotExists().execute();
  } catch (error) {
    // If two processes create it at once, the second one fails in spite of "if not exists".
    if (!(await isThere())) throw error;
  }
}

const TIMEOUT_MS = 5_000;

/** `mayCreate` is true if the role may create schemas: each store and each index has its own. */
export async function readServerFacts(target: PostgresTarget) {
  refuseOtherDatabase(target);
  try {
    const { default: driver } = await import("pg");
    const client = new driver.Client({
      connectionString: target.url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Failures fail the query. Without a listener the process would exit.
    client.on("error", () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ readonly version: string; readonly may: boolean }>(
        `select current_setting('server_version') as version,
          has_database_privilege(current_database(), 'CREATE') as may`,
      );
      return { version: rows[0]?.version ?? "", mayCreate: rows[0]?.may ?? false };
    } finally {
      await client.end();
    }
  } catch (error) {
    throw toStoreError(error, target);
  }
}

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
/** PostgreSQL: undefined_table. */
const MISSING_TABLE = "42P01";

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

/** Runs all pending migrations, or none if one fails. Concurrent processes wait for each other. */
export async function migrate<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<void> {
  try {
    if (!(await isMigrated(open, migrations)))
      await runMigrations(open, migrations).catch(async (error: unknown) => {
        // A newer program may have migrated after the check above, or another one dropped a table while Kysely listed all.
        if (await isMigrated(open, migrations)) return;
        if (!(error instanceof Error && "code" in error && error.code === MISSING_TABLE)) throw error;
        await runMigrations(open, migrations);
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

async function isMigrated<Tables>(open: OpenDatabase<Tables>, migrations: Migrations): Promise<boolean> {
  if (!(await hasMigrationTable(open))) return Object.keys(migrations).length === 0;
  const seen = await refuseNewer(open, migrations);
  return Object.keys(migrations).every((name) => seen.has(name));
}

/**
 * Checks that no newer program has migrated a store that was migrated before.
 *
 * @returns names of the migrations that have run
 */
export async function refuseNewer<Tables>(open: OpenDatabase<Tables>, migrations: Migrations) {
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
