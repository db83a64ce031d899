import { sql } from "kysely";

import type { DatabaseTarget, Migrations } from "@/lib/database";

/** Version of the record's shape that this code writes into every row. */
export const RECORD_SCHEMA_VERSION = 1;

const COLUMNS = `
  version_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('saved', 'withdrawn')),
  withdraws TEXT REFERENCES annotation_version (version_id),
  trial_id TEXT,
  job_id TEXT,
  trial_name TEXT NOT NULL,
  job_name TEXT NOT NULL,
  root_label TEXT NOT NULL,
  task_name TEXT NOT NULL,
  agent TEXT NOT NULL,
  model TEXT,
  outcome_seen TEXT NOT NULL,
  reward_seen TEXT,
  reviewer_key TEXT NOT NULL CHECK (reviewer_key <> ''),
  reviewer_id TEXT NOT NULL,
  reviewer_discipline TEXT,
  created_at TEXT NOT NULL,
  judgment TEXT CHECK (judgment IN ('pass', 'fail', 'defer')),`;

const RULES = `
  notes TEXT,
  schema_version INTEGER NOT NULL,
  CHECK ((kind = 'saved') = (judgment IS NOT NULL)),
  CHECK ((kind = 'withdrawn') = (withdraws IS NOT NULL))`;

const INDEXES: readonly string[] = [
  `CREATE INDEX IF NOT EXISTS annotation_version_by_trial ON annotation_version (trial_name, reviewer_key, seq)`,
  `CREATE INDEX IF NOT EXISTS annotation_version_by_withdrawn ON annotation_version (withdraws)
     WHERE withdraws IS NOT NULL`,
];

/** `IF NOT EXISTS`, because files of the first releases have the table and no record of migrations. */
const FIRST_ON_SQLITE: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS annotation_version (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,${COLUMNS}
     categories TEXT NOT NULL CHECK (json_valid(categories)),${RULES}
   ) STRICT`,
  ...INDEXES,
  `CREATE TRIGGER IF NOT EXISTS annotation_version_no_update BEFORE UPDATE ON annotation_version
     BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END`,
  `CREATE TRIGGER IF NOT EXISTS annotation_version_no_delete BEFORE DELETE ON annotation_version
     BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END`,
];

const FIRST_ON_POSTGRES: readonly string[] = [
  `CREATE TABLE annotation_version (
     seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,${COLUMNS}
     categories TEXT NOT NULL CHECK (json_typeof(categories::json) = 'array'),${RULES}
   )`,
  ...INDEXES,
  `CREATE FUNCTION refuse_annotation_change() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'annotations are append-only'; END $$`,
  `CREATE TRIGGER annotation_version_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON annotation_version
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_annotation_change()`,
];

/** The store's migrations by name. One is never edited once released: a change is a new one. */
export function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
  const statements = engine === "sqlite" ? FIRST_ON_SQLITE : FIRST_ON_POSTGRES;
  return {
    "001_annotation_version": {
      up: async (db) => {
        for (const statement of statements) await sql.raw(statement).execute(db);
      },
    },
    "002_browser_key": {
      up: async (db) => {
        await sql.raw(`ALTER TABLE annotation_version ADD COLUMN browser_key_hash TEXT`).execute(db);
      },
    },
    "003_saved_by": {
      up: async (db) => {
        await sql.raw(`ALTER TABLE annotation_version ADD COLUMN saved_by TEXT`).execute(db);
      },
    },
  };
}
