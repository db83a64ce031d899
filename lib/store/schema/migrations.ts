import { type ColumnDataType, type Expression, type Kysely, sql } from "kysely";

import type { Migrations, OpenDatabase } from "@/lib/database";

import { type Column, PRIMARY_KEYS, TABLES } from "./columns";
import { seedPlannerStatistics } from "./planner-statistics";
import type { IndexTables } from "./tables";

type Engine = OpenDatabase<IndexTables>["engine"];

/** Texts sort by code point on both engines, as SQLite does by itself. */
const TYPES: Readonly<Record<Engine, Readonly<Record<Column[1], ColumnDataType | Expression<unknown>>>>> = {
  sqlite: { id: "integer", integer: "integer", real: "real", text: "text" },
  postgres: { id: "serial", integer: "bigint", real: "double precision", text: sql`text collate "C"` },
};

interface Index {
  readonly table: keyof IndexTables;
  readonly columns: readonly string[];
  readonly isUnique?: true;
  /** What PostgreSQL looks up instead: its sorted indexes refuse texts of some kilobytes, as names in files may be. */
  readonly postgres?: { readonly column: string; readonly isHashed: boolean };
}

const INDEXES: readonly Index[] = [
  { table: "sources", columns: ["root", "folder"], postgres: { column: "folder", isHashed: true } },
  { table: "jobs", columns: ["source_id", "part"], isUnique: true },
  { table: "jobs", columns: ["key"], postgres: { column: "key", isHashed: true } },
  { table: "trials", columns: ["job_id", "key"], postgres: { column: "key", isHashed: true } },
  // The trials table's own order, whose first page must not cost a sort of the whole job.
  { table: "trials", columns: ["job_id", "task_position"] },
  // Counts by task and group read this index alone and never the rows. Every index begins with the job, so that a job is
  // written in one place.
  {
    table: "trials",
    columns: ["job_id", "task_name", "group_key", "attempt", "state", "reward"],
    postgres: { column: "task_name", isHashed: true },
  },
  { table: "trial_rewards", columns: ["job_id", "position"] },
  // The regrades of a trial; there are few links, written together and not with their jobs.
  { table: "trial_links", columns: ["source_job_id", "source_position"] },
  // Trials of one dimension and some values, without the rows of the other dimensions.
  {
    table: "trial_dimensions",
    columns: ["job_id", "name", "share", "position"],
    postgres: { column: "name", isHashed: true },
  },
  // The few figures of groups, and the figure of one trial, among one for each trial.
  {
    table: "figures",
    columns: ["job_id", "kind", "trials"],
    postgres: { column: "trials", isHashed: true },
  },
  // Tasks of all jobs are searched by name without reading their cells.
  {
    table: "tasks",
    columns: ["search", "task_name", "job_id"],
    postgres: { column: "search", isHashed: true },
  },
  // Trials of the same task and output, over all jobs.
  {
    table: "trial_checks",
    columns: ["compare_key", "rewards_key"],
    postgres: { column: "compare_key", isHashed: true },
  },
  { table: "reports", columns: ["subject"], postgres: { column: "subject", isHashed: true } },
  { table: "issues", columns: ["job_id"] },
  { table: "facets", columns: ["job_id", "facet"] },
  { table: "facets", columns: ["facet", "value"], postgres: { column: "facet", isHashed: false } },
];

/** What exceptions are counted by, so that the trials themselves are not read for it. */
const EXCEPTION_COLUMNS = [
  "exception_type",
  "exception_cause",
  "job_id",
  "group_key",
  "state",
  "outcome",
  "n_reward_keys",
  "reward",
] as const;

/** Migrations of the index in order. A change of what is derived, not of the tables, is a new `DERIVE_VERSION` instead. */
export function prepareMigrations(engine: Engine): Migrations {
  return { "0001-tables": { up: (db: Kysely<unknown>) => createTables(db, engine) } };
}

async function createTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) {
    let table = db.schema.createTable(name);
    for (const [column, type, isNullable] of columns) {
      table = table.addColumn(column, TYPES[engine][type], (definition) =>
        isNullable === "null" ? definition : definition.notNull(),
      );
    }
    const keys = PRIMARY_KEYS[name];
    if (keys !== undefined) table = table.addPrimaryKeyConstraint(`${name}_key`, keys as never[]);
    // Rows of a job lie side by side in the order of their positions, without an index beside the table.
    if (engine === "sqlite" && keys?.includes("position") && keys.includes("job_id")) {
      table = table.modifyEnd(sql`without rowid`);
    }
    await table.execute();
  }
  for (const index of INDEXES) await createIndex(db, engine, index);
  // The few trials that ended with an exception are found without reading the others.
  await db.schema
    .createIndex("trials_exception")
    .on("trials")
    .columns(engine === "postgres" ? ["job_id"] : [...EXCEPTION_COLUMNS])
    .where(sql.ref("exception_type"), "is not", null)
    .execute();
  if (engine === "sqlite") await seedPlannerStatistics(db);
}

async function createIndex(
  db: Kysely<unknown>,
  engine: Engine,
  { table, columns, isUnique, postgres }: Index,
): Promise<void> {
  const own = engine === "postgres" ? postgres : undefined;
  const names = own === undefined ? columns : [own.column];
  const index = db.schema
    .createIndex(`${table}_by_${columns.join("_")}`)
    .on(table)
    .columns([...names]);
  if (isUnique) await index.unique().execute();
  else await (own?.isHashed === true ? index.using("hash") : index).execute();
}
