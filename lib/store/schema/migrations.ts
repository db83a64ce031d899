import { type ColumnDataType, type Expression, type Kysely, type RawBuilder, sql } from "kysely";

import type { Migrations, OpenDatabase } from "@/lib/database";

import type { Column, Table } from "./table";
import { type IndexTables, TABLES } from "./tables";

type Engine = OpenDatabase<IndexTables>["engine"];

/** Texts sort by code point on both engines, as SQLite does by itself. */
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
 * The one migration of the index, which makes the tables as they are declared: any change of them, or of what is derived,
 * raises `DERIVE_VERSION`, and with it the name of the store.
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

/** The words of `trialTexts`: names in front of what trials say, so that they can be asked for alone. */
async function createSearch(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === "sqlite") {
    // Words come ready made, see `listWords`; the texts themselves are in the table.
    await sql`create virtual table "trialSearch" using fts5(names, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0')`.execute(
      db,
    );
    return;
  }
  // A place of a word is at most 16,383, so that a trial has several rows.
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
 * A function that gives the ids of texts with some words, by the index of words alone. By itself PostgreSQL reads every row
 * where a word is in many, since its costs leave out that the words of a row lie elsewhere and are packed: 380 ms instead of 20.
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
 * Whether SQLite keeps the rows in the order of their key, those of a job side by side, without an index beside the table.
 * Not where they hold whole values: of a row so sorted all but 1,000 bytes go to a page (4 kB) of their own.
 */
function isSortedByKey({ key, columns }: Table): boolean {
  const isWide = Object.values(columns).some(({ type }) => type === "json");
  return !isWide && key?.includes("position") === true && key.includes("jobRowId");
}

/** Gives SQLite the statistics of a usual index, which its own look at the tables would find only once they are full. */
async function seedStatistics(db: Kysely<unknown>, statistics: readonly string[][]): Promise<void> {
  // Makes the table of statistics, which cannot be made by name.
  await sql`analyze`.execute(db);
  for (const [table, index, rows] of statistics) {
    await sql`delete from sqlite_stat1 where tbl = ${table} and idx = ${index}`.execute(db);
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${rows})`.execute(db);
  }
  await sql`analyze sqlite_schema`.execute(db);
}
