import { type ColumnDataType, type Expression, type Kysely, type RawBuilder, sql } from "kysely";

import type { Migrations, OpenDatabase } from "@/lib/store/database";

import type { Column, Table } from "./table";
import { type IndexTables, TABLES } from "./tables";

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
      const own = engine === "postgres" ? index.postgres : undefined;
      const columns = own === undefined ? index.columns : [own.column];
      const indexName = `${name}_by_${columns.join("_")}`;
      let creation = db.schema
        .createIndex(indexName)
        .on(name)
        .columns([...columns]);
      if (index.isUnique) creation = creation.unique();
      if (own?.isHashed === true) creation = creation.using("hash");
      await (
        index.where === undefined ? creation : creation.where(sql.ref(index.where), "is not", null)
      ).execute();
      if (index.rows !== undefined) statistics.push([name, indexName, index.rows]);
    }
  }
  await createSearch(db, engine);
  if (engine === "sqlite") await seedStatistics(db, statistics);
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
