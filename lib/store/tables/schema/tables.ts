import {
  type ColumnDataType,
  type Expression,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
} from "kysely";

import type { EnvironmentFacts } from "@/lib/core/domain/environment";
import type { JobKind, JobPurpose, JobState } from "@/lib/core/domain/job";
import type { TaskPattern } from "@/lib/core/domain/job-filter";
import type { GroupSummary, StoredHead } from "@/lib/core/domain/job-head";
import type { PlannedTask } from "@/lib/core/domain/lineage";
import type { LoadIssueCode } from "@/lib/core/domain/load-issue";
import type { ScanExtent, ScanPlace, ScannerInfo } from "@/lib/core/domain/scanner";
import type { CheckVerdict, FigureKind, HarborRule, Verdict } from "@/lib/core/domain/verification";
import type { Migrations, OpenDatabase } from "@/lib/store/database";

import { DERIVED_DETAILS_TABLES } from "./derived-details-tables";
import type { FacetName, TaskCell } from "./stored-values";
import {
  type Column,
  type RowsOf,
  type Index,
  type Table,
  id,
  integer,
  json,
  orNull,
  real,
  table,
  text,
  trialPosition,
} from "./table";
import { TRIAL_TABLES } from "./trial-tables";

const SCAN_TABLES = {
  scanners: table(
    {
      id: text(),
      position: integer(),
      fingerprint: text(),
      file: text(),
      isOwn: integer(),
      info: json<ScannerInfo>(),
    },
    { key: ["id"], isForAll: true },
  ),
  refusedScanners: table(
    { position: integer(), file: text(), line: integer(), reason: text() },
    { key: ["position"], isForAll: true },
  ),
  /** A scanned trial; kept, like its texts, while its files do not change. */
  scannedTrials: table(
    {
      jobRowId: integer(),
      position: orNull(trialPosition()),
      key: text(),
      /** Stamp of its files when scanned; empty to force a new scan. */
      stamp: text(),
      /** Stamped files besides the standard ones, as JSON. */
      files: text(),
      /** Fingerprints of the scanners that ran, separated by spaces. */
      done: text(),
      extent: text<ScanExtent>(),
    },
    {
      indexes: [
        { columns: ["jobRowId", "position", "extent"], rows: "100000 1000 1 1" },
        { columns: ["jobRowId", "key"], postgres: ["hash", "key"], rows: "100000 1000 1" },
      ],
    },
  ),
  trialScans: table(
    {
      jobRowId: integer(),
      position: orNull(trialPosition()),
      key: text(),
      scanner: text(),
      version: integer(),
      /** Number of all places; 0 only if the scanner was stopped before it found one. */
      nPlaces: integer(),
      places: json<readonly ScanPlace[]>(),
      stopped: orNull(text()),
    },
    {
      indexes: [
        { columns: ["jobRowId", "position", "scanner", "nPlaces"], rows: "50000 500 1 1 1" },
        { columns: ["scanner", "jobRowId", "position", "nPlaces"], rows: "50000 2500 100 1 1" },
      ],
    },
  ),
} as const;

const JOB_TABLES = {
  meta: table({ name: text(), value: text() }, { key: ["name"], isForAll: true }),
  roots: table({ position: integer(), label: text(), path: text() }, { key: ["position"] }),
  sources: table(
    {
      id: id(),
      root: integer(),
      folder: text(),
      kind: text<JobKind>(),
      state: text<"listed" | "read">(),
      fingerprint: text(),
    },
    { key: ["id"], indexes: [{ columns: ["root", "folder"], postgres: ["hash", "folder"] }] },
  ),
  /** One job; several if jobs share a folder (`part` 0 is the folder's own). */
  jobs: table(
    {
      id: id(),
      sourceId: integer(),
      part: integer(),
      version: integer(),
      /** `version` when the trials were written; later readings do not change it. */
      trialsVersion: integer(),
      key: text(),
      name: text(),
      nameSort: text(),
      uuid: orNull(text()),
      state: text<JobState>(),
      purpose: text<JobPurpose>(),
      verdict: text<CheckVerdict>(),
      nTrials: integer(),
      nMismatched: integer(),
      bestMean: orNull(real()),
      costUsd: orNull(real()),
      /** When the job ended, or the best known time, in ms since 1970; null for none. */
      whenMs: orNull(real()),
      search: text(),
      keySearch: text(),
      /** Other keys it is found by, each between line feeds, so that links survive when a namesake comes or goes. */
      aliases: text(),
      head: json<StoredHead>(),
      /** 1 once derived details are read from the trial files that match the results. */
      hasDerivedDetails: integer(),
      hasTexts: integer(),
      /** Version of the rules that classified its failed trials; empty until then. */
      failureRules: text(),
      hasScans: integer(),
    },
    {
      key: ["id"],
      indexes: [
        { columns: ["sourceId", "part"], isUnique: true },
        { columns: ["key"], postgres: ["hash", "key"] },
      ],
    },
  ),
  groups: table(
    {
      jobRowId: integer(),
      position: integer(),
      key: text(),
      agent: text(),
      model: orNull(text()),
      source: orNull(text()),
      nTrials: integer(),
      nTasks: integer(),
      summary: json<GroupSummary>(),
    },
    { key: ["jobRowId", "position"] },
  ),
  groupSettings: table(
    {
      jobRowId: integer(),
      key: text(),
      /** Values of each setting by its name, see `collectSettings` of lib/core/domain; null if no file states any. */
      settings: json<ReadonlyMap<string, readonly (string | null)[]> | null>(),
      environment: json<EnvironmentFacts>(),
    },
    { key: ["jobRowId", "key"] },
  ),
  tasks: table(
    {
      jobRowId: integer(),
      position: integer(),
      taskName: text(),
      search: text(),
      pattern: orNull(text<TaskPattern>()),
      nTrials: integer(),
      nPassed: integer(),
      nEnded: integer(),
      passedShare: orNull(real()),
      meanReward: orNull(real()),
      meanCostUsd: orNull(real()),
      medianDurationMs: orNull(real()),
      cells: json<readonly (TaskCell | null)[]>(),
      /** Like `setupCells`, by agent settings; null if no group of the job is divided. */
      setupPattern: orNull(text<TaskPattern>()),
      setupCells: orNull(json<readonly (TaskCell | null)[]>()),
    },
    {
      key: ["jobRowId", "position"],
      rows: "10000 100 1",
      indexes: [{ columns: ["search", "taskName", "jobRowId"], postgres: ["hash", "search"] }],
    },
  ),
  figures: table(
    {
      jobRowId: integer(),
      position: integer(),
      kind: text<FigureKind>(),
      path: text(),
      groupKey: orNull(text()),
      recorded: orNull(text()),
      recomputed: orNull(text()),
      verdict: text<Verdict>(),
      severity: integer(),
      ulps: orNull(real()),
      reason: orNull(text()),
      rule: orNull(text<HarborRule>()),
      trials: text(),
      nTrials: integer(),
      search: text(),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        { columns: ["jobRowId", "kind", "trials"], postgres: ["hash", "trials"], rows: "100000 1000 200 1" },
      ],
    },
  ),
  issues: table(
    {
      jobRowId: orNull(integer()),
      root: integer(),
      position: integer(),
      /**
       * `shared`: found in the whole catalog only. `derived-details`: files read after all results. `failures`: why trials could
       * not be classified. `scans`: stopped scanners.
       */
      origin: text<"own" | "shared" | "derived-details" | "failures" | "scans">(),
      code: text<LoadIssueCode>(),
      isProblem: integer(),
      path: text(),
      detail: text(),
      search: text(),
      trialKey: orNull(text()),
      /** Relative to the trial's folder or else to the job's; empty for the folder, null for a file elsewhere. */
      file: orNull(text()),
    },
    { indexes: [{ columns: ["jobRowId"], rows: "10000 100" }] },
  ),
  facets: table(
    { jobRowId: integer(), facet: text<FacetName>(), value: text(), count: integer() },
    {
      indexes: [
        { columns: ["jobRowId", "facet"], rows: "10000 100 8" },
        { columns: ["facet", "value"], postgres: ["btree", "facet"], rows: "10000 700 3" },
      ],
    },
  ),
  jobTexts: table({ jobRowId: integer(), search: text() }, { key: ["jobRowId"] }),
  jobPlans: table({ jobRowId: integer(), plan: json<readonly PlannedTask[]>() }, { key: ["jobRowId"] }),
  leases: table({ name: text(), holder: text(), expiresMs: real() }, { key: ["name"], isForAll: true }),
} as const;

const DECLARED = { ...JOB_TABLES, ...TRIAL_TABLES, ...DERIVED_DETAILS_TABLES, ...SCAN_TABLES } as const;

/** The index: derived from the folders alone, and rebuilt when missing. */
export type IndexTables = { [Name in keyof typeof DECLARED]: RowsOf<(typeof DECLARED)[Name]> };

export const TABLES: Readonly<Record<keyof IndexTables, Table>> = DECLARED;

export type Stored<Name extends keyof IndexTables> = Selectable<IndexTables[Name]>;

type Engine = OpenDatabase<IndexTables>["engine"];

/** Makes PostgreSQL sort texts by code point, as SQLite does. */
const TYPES: Readonly<
  Record<Engine, Readonly<Record<Column["type"], ColumnDataType | Expression<unknown>>>>
> = {
  sqlite: { id: "integer", integer: "integer", real: "real", text: "text", json: "text" },
  postgres: {
    id: "serial",
    integer: "bigint",
    real: "double precision",
    text: sql`text collate "C"`,
    json: "text",
  },
};

/**
 * The only migration of the index. Changes of tables or of derived data raise `DERIVE_VERSION`, and with it the name of the store.
 */
export function prepareMigrations(engine: Engine): Migrations {
  return { "0001-tables": { up: (db: Kysely<unknown>) => createTables(db, engine) } };
}

async function createTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statistics: string[][] = [];
  for (const [name, table] of Object.entries(TABLES)) {
    await createTable(db, engine, name, table);
    const keyIndex = isSortedByKey(table) ? name : `sqlite_autoindex_${name}_1`;
    if (table.rows !== undefined) statistics.push([name, keyIndex, table.rows]);
    for (const index of table.indexes ?? []) {
      const indexName = await createIndex(db, engine, name, index);
      if (index.rows !== undefined) statistics.push([name, indexName, index.rows]);
    }
  }
  await createSearch(db, engine);
  if (engine === "sqlite") await seedStatistics(db, statistics);
}

async function createIndex(db: Kysely<unknown>, engine: Engine, table: string, index: Index<string>) {
  const [method, column] = (engine === "postgres" && index.postgres) || [];
  const columns = column === undefined ? [...index.columns] : [column];
  const name = `${table}_by_${columns.join("_")}`;
  let creation = db.schema.createIndex(name).on(table).columns(columns);
  if (index.isUnique) creation = creation.unique();
  if (method !== undefined) creation = creation.using(method);
  const { where } = index;
  await (where === undefined ? creation : creation.where(sql.ref(where), "is not", null)).execute();
  return name;
}

/** Creates the word index of `trialTexts`. Names are separate from texts, so that they can be searched alone. */
async function createSearch(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === "sqlite") {
    await sql`create virtual table "trialSearch" using fts5(names, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0')`.execute(
      db,
    );
    return;
  }
  // The position of a word is at most 16,383, so a trial has several rows.
  await sql`create table "trialSearch" ("textId" bigint not null, "isNames" boolean not null, words tsvector not null)`.execute(
    db,
  );
  await sql`create index "trialSearch_by_textId" on "trialSearch" ("textId")`.execute(db);
  const index = sql`on "trialSearch" using gin (words)`;
  await sql`create index "trialSearch_by_words" ${index}`.execute(db);
  await sql`create index "trialSearch_by_names" ${index} where "isNames"`.execute(db);
  await createFinder(db, "findTexts", sql``);
  await createFinder(db, "findNamedTexts", sql` and "isNames"`);
}

/**
 * Creates a function that returns ids of texts with some words, using the word index only. PostgreSQL would otherwise read every
 * row for frequent words: 380 ms instead of 20. Its cost model ignores that the words of a row are stored elsewhere and
 * compressed.
 */
async function createFinder(db: Kysely<unknown>, name: string, which: RawBuilder<unknown>): Promise<void> {
  const found = sql`select "textId" from "trialSearch" where words @@ asked${which}`;
  await sql`create function ${sql.id(name)}(asked tsquery) returns setof bigint language sql stable rows 10000
    set enable_seqscan = off set enable_indexscan = off as $$ ${found} $$`.execute(db);
}

async function createTable(db: Kysely<unknown>, engine: Engine, name: string, table: Table): Promise<void> {
  let creation = db.schema.createTable(name);
  for (const [column, { type, isNullable }] of Object.entries(table.columns)) {
    creation = creation.addColumn(column, TYPES[engine][type], (definition) =>
      isNullable ? definition : definition.notNull(),
    );
  }
  const { key } = table;
  if (key !== undefined) creation = creation.addPrimaryKeyConstraint(`${name}_key`, key as never[]);
  if (engine === "sqlite" && isSortedByKey(table)) creation = creation.modifyEnd(sql`without rowid`);
  await creation.execute();
}

/**
 * True if SQLite should store the rows in key order, without a separate index. Not for rows with whole values: SQLite moves all
 * but 1,000 bytes of such a row to a page (4 kB) of its own.
 */
function isSortedByKey({ key, columns }: Table): boolean {
  const isWide = Object.values(columns).some(({ type }) => type === "json");
  return !isWide && key?.includes("position") === true && key.includes("jobRowId");
}

/** Gives SQLite typical index statistics; its own analysis would find them only once the tables are full. */
async function seedStatistics(db: Kysely<unknown>, statistics: readonly string[][]): Promise<void> {
  // Creates the statistics table, which `create table` cannot.
  await sql`analyze`.execute(db);
  for (const [table, index, rows] of statistics) {
    await sql`delete from sqlite_stat1 where tbl = ${table} and idx = ${index}`.execute(db);
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${rows})`.execute(db);
  }
  await sql`analyze sqlite_schema`.execute(db);
}
