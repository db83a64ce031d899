import { type ColumnDataType, type Expression, type Kysely, sql } from "kysely";

import type { Migrations, OpenDatabase } from "@/lib/database";

import { seedPlannerStatistics } from "./planner-statistics";
import type { IndexTables } from "./tables";

type Engine = OpenDatabase<IndexTables>["engine"];
type Column = readonly [name: string, type: "id" | "integer" | "real" | "text", isNullable?: "null"];

/** Texts sort by code point on both engines, as SQLite does by itself. */
const TYPES: Readonly<Record<Engine, Readonly<Record<Column[1], ColumnDataType | Expression<unknown>>>>> = {
  sqlite: { id: "integer", integer: "integer", real: "real", text: "text" },
  postgres: { id: "serial", integer: "bigint", real: "double precision", text: sql`text collate "C"` },
};

/** Columns of every table. @see tables.ts for what they hold */
export const TABLES: Readonly<Record<keyof IndexTables, readonly Column[]>> = {
  meta: [
    ["name", "text"],
    ["value", "text"],
  ],
  roots: [
    ["position", "integer"],
    ["label", "text"],
    ["path", "text"],
  ],
  sources: [
    ["id", "id"],
    ["root", "integer"],
    ["folder", "text"],
    ["kind", "text"],
    ["state", "text"],
    ["fingerprint", "text"],
  ],
  source_trials: [
    ["source_id", "integer"],
    ["description", "text"],
  ],
  jobs: [
    ["id", "id"],
    ["source_id", "integer"],
    ["part", "integer"],
    ["version", "integer"],
    ["key", "text"],
    ["name", "text"],
    ["name_sort", "text"],
    ["uuid", "text", "null"],
    ["state", "text"],
    ["seal", "text"],
    ["n_trials", "integer"],
    ["n_mismatched", "integer"],
    ["n_exceptions", "integer"],
    ["best_mean", "real", "null"],
    ["cost_usd", "real", "null"],
    ["when_ms", "real", "null"],
    ["search", "text"],
    ["key_search", "text"],
    ["aliases", "text"],
    ["head", "text"],
    ["has_findings", "integer"],
  ],
  groups: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["key", "text"],
    ["agent", "text"],
    ["model", "text", "null"],
    ["source", "text", "null"],
    ["n_trials", "integer"],
    ["n_tasks", "integer"],
    ["summary", "text"],
  ],
  trials: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["key", "text"],
    ["uuid", "text", "null"],
    ["run_uuid", "text", "null"],
    ["trial_name", "text"],
    ["task_name", "text"],
    ["group_key", "text"],
    ["agent", "text"],
    ["model", "text", "null"],
    ["attempt", "integer"],
    ["state", "text"],
    ["outcome", "text"],
    ["reward_key", "text", "null"],
    ["reward", "real", "null"],
    ["reward_text", "text", "null"],
    ["n_reward_keys", "integer"],
    ["exception_type", "text", "null"],
    ["exception_message", "text", "null"],
    ["cost_usd", "real", "null"],
    ["n_tokens", "real", "null"],
    ["duration_ms", "real", "null"],
    ["started_ms", "real", "null"],
    ["task_digest", "text", "null"],
    ["files_differ", "text", "null"],
    ["search", "text"],
  ],
  trial_records: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["record", "text"],
  ],
  trial_rewards: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["key", "text"],
    ["value", "real", "null"],
    ["text", "text"],
  ],
  recorded_judgments: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["ordinal", "integer"],
    ["kind", "text"],
    ["judgment", "text", "null"],
    ["reviewer", "text", "null"],
    ["at_ms", "real", "null"],
    ["record", "text"],
  ],
  tasks: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["task_name", "text"],
    ["search", "text"],
    ["pattern", "text", "null"],
    ["n_trials", "integer"],
    ["n_passed", "integer"],
    ["n_ended", "integer"],
    ["n_flaky", "integer"],
    ["n_groups", "integer"],
    ["passed_share", "real", "null"],
    ["mean_reward", "real", "null"],
    ["mean_cost_usd", "real", "null"],
    ["median_duration_ms", "real", "null"],
    ["cells", "text"],
  ],
  figures: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["kind", "text"],
    ["path", "text"],
    ["group_key", "text", "null"],
    ["recorded", "text", "null"],
    ["recomputed", "text", "null"],
    ["verdict", "text"],
    ["severity", "integer"],
    ["ulps", "real", "null"],
    ["reason", "text", "null"],
    ["trials", "text"],
    ["search", "text"],
  ],
  issues: [
    ["job_id", "integer", "null"],
    ["root", "integer"],
    ["position", "integer"],
    ["origin", "text"],
    ["code", "text"],
    ["is_problem", "integer"],
    ["path", "text"],
    ["detail", "text"],
    ["search", "text"],
  ],
  facets: [
    ["job_id", "integer"],
    ["facet", "text"],
    ["value", "text"],
    ["count", "integer"],
  ],
  job_texts: [
    ["job_id", "integer"],
    ["search", "text"],
  ],
  trial_dimensions: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["ordinal", "integer"],
    ["name", "text"],
    ["share", "real", "null"],
  ],
  trial_tags: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["ordinal", "integer"],
    ["category", "text"],
    ["source", "text"],
  ],
  dimensions: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["name", "text"],
    ["cells", "text"],
  ],
  tags: [
    ["job_id", "integer"],
    ["position", "integer"],
    ["group_key", "text"],
    ["category", "text"],
    ["source", "text"],
    ["n_trials", "integer"],
    ["n_finished", "integer"],
  ],
  leases: [
    ["name", "text"],
    ["holder", "text"],
    ["expires_ms", "real"],
  ],
};

const PRIMARY_KEYS: Readonly<Record<string, readonly string[] | undefined>> = {
  meta: ["name"],
  roots: ["position"],
  sources: ["id"],
  source_trials: ["source_id"],
  jobs: ["id"],
  groups: ["job_id", "position"],
  trials: ["job_id", "position"],
  trial_records: ["job_id", "position"],
  recorded_judgments: ["job_id", "position", "ordinal"],
  tasks: ["job_id", "position"],
  figures: ["job_id", "position"],
  job_texts: ["job_id"],
  trial_dimensions: ["job_id", "position", "ordinal"],
  trial_tags: ["job_id", "position", "ordinal"],
  dimensions: ["job_id", "position"],
  tags: ["job_id", "position"],
  leases: ["name"],
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
  // The trials table's own order, whose first page must not cost a sort of the whole job. Counts by task and group read
  // this index alone and never the rows. Every index begins with the job, so that a job is written in one place.
  {
    table: "trials",
    columns: ["job_id", "task_name", "group_key", "attempt", "state", "reward"],
    postgres: { column: "task_name", isHashed: true },
  },
  { table: "trial_rewards", columns: ["job_id", "position"] },
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
  { table: "issues", columns: ["job_id"] },
  { table: "facets", columns: ["job_id", "facet"] },
  { table: "facets", columns: ["facet", "value"], postgres: { column: "facet", isHashed: false } },
];

/** What exceptions are counted by, so that the trials themselves are not read for it. */
const EXCEPTION_COLUMNS = [
  "exception_type",
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
