import { type QueryExecutorProvider, sql } from "kysely";

import { type DatabaseTarget, type Migrations, runAll, runStatements, takeTurns } from "@/lib/store/database";

import { MOVED_TABLES, moveQueues, moveRows, moveStatements } from "./statements/move";
import { computeChecksum, type StoredRow } from "./stored-columns";

const SUBJECT = `
  trial_id TEXT,
  job_id TEXT,
  trial_name TEXT NOT NULL,
  job_name TEXT NOT NULL,
  root_label TEXT NOT NULL,
  task_name TEXT NOT NULL,
  agent TEXT NOT NULL,
  model TEXT,
  outcome_seen TEXT NOT NULL,
  reward_seen TEXT,`;

const COLUMNS = `
  version_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('saved', 'withdrawn')),
  withdraws TEXT REFERENCES annotation_version (version_id),${SUBJECT}
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

/** `IF NOT EXISTS`: files of the first releases have the table but no record of migrations. */
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

const REVIEW_COLUMNS: readonly string[] = [
  `confidence TEXT CHECK (confidence IN ('low', 'medium', 'high'))`,
  `evidence TEXT NOT NULL DEFAULT '[]'`,
  `queue_id TEXT`,
  `queue_position INTEGER`,
  `hidden TEXT`,
  `codebook_version INTEGER`,
  `fingerprint TEXT`,
];

const LEASE = `
  queue_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  reviewer_key TEXT NOT NULL,
  reviewer_id TEXT NOT NULL,
  token TEXT NOT NULL,
  granted_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (queue_id, position, reviewer_key)`;

function listReviewTables(number: string): readonly string[] {
  return [
    `CREATE TABLE adjudication (
       seq ${number},
       decision_id TEXT NOT NULL UNIQUE,
       withdraws TEXT REFERENCES adjudication (decision_id),${SUBJECT}
       final_judgment TEXT CHECK (final_judgment IN ('pass', 'fail', 'defer')),
       categories TEXT NOT NULL,
       reason TEXT,
       based_on TEXT CHECK (based_on IN ('a', 'b', 'both', 'own')),
       codebook_note TEXT,
       decider_key TEXT NOT NULL CHECK (decider_key <> ''),
       decided_by TEXT NOT NULL,
       created_at TEXT NOT NULL,
       sources TEXT NOT NULL,
       queue_id TEXT,
       codebook_version INTEGER NOT NULL,
       browser_key_hash TEXT
     )`,
    `CREATE INDEX adjudication_by_trial ON adjudication (trial_name, seq)`,
    `CREATE TABLE codebook_change (
       version ${number},
       created_at TEXT NOT NULL,
       author TEXT NOT NULL,
       change TEXT NOT NULL
     )`,
    `CREATE TABLE review_queue (
       seq ${number},
       queue_id TEXT NOT NULL UNIQUE,
       settings TEXT NOT NULL,
       created_at TEXT NOT NULL,
       created_by TEXT NOT NULL
     )`,
    `CREATE TABLE review_queue_item (
       queue_id TEXT NOT NULL REFERENCES review_queue (queue_id),
       position INTEGER NOT NULL,${SUBJECT}
       n_reviewers INTEGER NOT NULL CHECK (n_reviewers IN (1, 2)),
       PRIMARY KEY (queue_id, position)
     )`,
    `CREATE TABLE review_queue_event (
       seq ${number},
       queue_id TEXT NOT NULL REFERENCES review_queue (queue_id),
       position INTEGER,
       kind TEXT NOT NULL CHECK (kind IN ('skipped', 'requeued', 'closed', 'reopened')),
       reviewer_key TEXT NOT NULL,
       reviewer_id TEXT NOT NULL,
       created_at TEXT NOT NULL
     )`,
    `CREATE INDEX review_queue_event_by_queue ON review_queue_event (queue_id, seq)`,
    `CREATE TABLE review_lease (${LEASE},
       FOREIGN KEY (queue_id, position) REFERENCES review_queue_item (queue_id, position)
     )`,
    `CREATE INDEX annotation_version_by_queue ON annotation_version (queue_id, queue_position, seq)
       WHERE queue_id IS NOT NULL`,
  ];
}

function createTriageTable(number: string): string {
  return `CREATE TABLE triage_note (
     seq ${number},
     kind TEXT NOT NULL CHECK (kind IN ('named', 'dismissed', 'restored')),
     target TEXT NOT NULL CHECK (target <> ''),
     text TEXT,
     about TEXT NOT NULL,
     author TEXT NOT NULL CHECK (author <> ''),
     created_at TEXT NOT NULL,
     CHECK (kind <> 'dismissed' OR text IS NOT NULL)
   )`;
}

function createAnswersTable(number: string): string {
  return `CREATE TABLE suggestion_answer (
     seq ${number},
     kind TEXT NOT NULL CHECK (kind IN ('accepted', 'rejected', 'withdrawn')),
     suggester TEXT NOT NULL CHECK (suggester <> ''),
     version TEXT NOT NULL,
     trial_id TEXT,
     job_id TEXT,
     trial_name TEXT NOT NULL,
     job_name TEXT NOT NULL,
     reviewer_key TEXT NOT NULL CHECK (reviewer_key <> ''),
     reviewer_id TEXT NOT NULL,
     created_at TEXT NOT NULL
   )`;
}

function listTagTables(number: string): readonly string[] {
  return [
    `CREATE TABLE tag_import (
       seq ${number},
       import_id TEXT NOT NULL,
       kind TEXT NOT NULL CHECK (kind IN ('imported', 'undone')),
       author TEXT NOT NULL,
       created_at TEXT NOT NULL,
       browser_key_hash TEXT,
       UNIQUE (import_id, kind)
     )`,
    `CREATE TABLE imported_tag (
       seq ${number},
       import_id TEXT NOT NULL,
       trial_id TEXT,
       job_id TEXT,
       trial_name TEXT NOT NULL,
       job_name TEXT NOT NULL,
       source TEXT NOT NULL CHECK (source <> ''),
       category TEXT NOT NULL CHECK (category <> ''),
       description TEXT,
       evidence TEXT NOT NULL
     )`,
    `CREATE INDEX imported_tag_by_trial ON imported_tag (trial_name, seq)`,
  ];
}

function createStatementTable(
  name: string,
  number: string,
  id: "id TEXT NOT NULL UNIQUE" | "id TEXT NOT NULL",
) {
  return `CREATE TABLE ${name} (
     seq ${number},
     ${id},
     kind TEXT NOT NULL CHECK (kind <> ''),
     subject TEXT NOT NULL,
     parent TEXT,
     author TEXT NOT NULL,
     actor TEXT,
     at TEXT NOT NULL,
     body TEXT NOT NULL,
     checksum TEXT
   )`;
}

const STATEMENT_INDEXES: readonly string[] = [
  `CREATE INDEX statement_by_kind ON statement (kind, seq)`,
  `CREATE INDEX statement_by_subject ON statement (kind, subject)`,
];

/** Imported lines state their ids, so that statements of two kinds may have the same. */
function makeIdsUniqueByKind(engine: DatabaseTarget["engine"]): readonly string[] {
  const index = `CREATE UNIQUE INDEX statement_by_id ON statement (kind, id)`;
  if (engine === "postgres") return [`ALTER TABLE statement DROP CONSTRAINT statement_id_key`, index];
  return [
    createStatementTable("statement_of_kind", NUMBERS.sqlite, "id TEXT NOT NULL"),
    `INSERT INTO statement_of_kind SELECT * FROM statement`,
    `DROP TABLE statement`,
    `ALTER TABLE statement_of_kind RENAME TO statement`,
    index,
    ...STATEMENT_INDEXES,
    ...refuseChanges(engine, "statement"),
  ];
}

const LEASES_WITHOUT_ITEMS: readonly string[] = [
  `CREATE TABLE lease (${LEASE}
   )`,
  `INSERT INTO lease SELECT * FROM review_lease`,
  `DROP TABLE review_lease`,
  `ALTER TABLE lease RENAME TO review_lease`,
];

const APPEND_ONLY = [
  "adjudication",
  "codebook_change",
  "review_queue",
  "review_queue_item",
  "review_queue_event",
] as const;

const NUMBERS = {
  sqlite: "INTEGER PRIMARY KEY AUTOINCREMENT",
  postgres: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
} as const;

function listReviewStatements(engine: DatabaseTarget["engine"]): readonly string[] {
  return [
    ...REVIEW_COLUMNS.map((column) => `ALTER TABLE annotation_version ADD COLUMN ${column}`),
    ...listReviewTables(NUMBERS[engine]),
    ...APPEND_ONLY.flatMap((table) => refuseChanges(engine, table)),
  ];
}

function refuseChanges(engine: DatabaseTarget["engine"], table: string): readonly string[] {
  if (engine === "postgres")
    return [
      `CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_annotation_change()`,
    ];
  return ["UPDATE", "DELETE"].map(
    (change) => `CREATE TRIGGER ${table}_no_${change.toLowerCase()} BEFORE ${change} ON ${table}
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END`,
  );
}

/** Lists migrations by name. Never edit a released one; add a new one. */
export function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
  const first = engine === "sqlite" ? FIRST_ON_SQLITE : FIRST_ON_POSTGRES;
  return {
    "001_annotation_version": runStatements(first),
    "002_browser_key": runStatements([`ALTER TABLE annotation_version ADD COLUMN browser_key_hash TEXT`]),
    "003_saved_by": runStatements([`ALTER TABLE annotation_version ADD COLUMN saved_by TEXT`]),
    "004_review": runStatements(listReviewStatements(engine)),
    "005_triage": runStatements([
      createTriageTable(NUMBERS[engine]),
      ...refuseChanges(engine, "triage_note"),
    ]),
    "006_suggestion_answer": runStatements([
      createAnswersTable(NUMBERS[engine]),
      ...refuseChanges(engine, "suggestion_answer"),
    ]),
    "007_imported_tag": runStatements([
      `ALTER TABLE triage_note ADD COLUMN browser_key_hash TEXT`,
      `ALTER TABLE suggestion_answer ADD COLUMN browser_key_hash TEXT`,
      ...listTagTables(NUMBERS[engine]),
      ...["tag_import", "imported_tag"].flatMap((table) => refuseChanges(engine, table)),
    ]),
    "008_checksum": {
      up: async (db) => {
        for (const table of ["annotation_version", ...APPEND_ONLY, ...MOVED_TABLES])
          await addChecksums(db, engine, table);
      },
    },
    "009_statement": {
      up: async (db) => {
        const table = createStatementTable("statement", NUMBERS[engine], "id TEXT NOT NULL UNIQUE");
        await runAll(db, [table, ...STATEMENT_INDEXES]);
        await moveStatements(db, engine);
        await runAll(db, refuseChanges(engine, "statement"));
      },
    },
    "010_decision": { up: (db) => moveRows(db, engine, "adjudication") },
    "011_judgment": {
      up: async (db) => {
        await runAll(db, makeIdsUniqueByKind(engine));
        await moveRows(db, engine, "annotation_version");
        // The first release knows no migrations, and would create its table again and write there.
        if (engine === "sqlite") await runAll(db, [`PRAGMA user_version = 2`]);
      },
    },
    "012_codebook": { up: (db) => moveRows(db, engine, "codebook_change") },
    "013_queue": {
      up: async (db) => {
        await runAll(db, LEASES_WITHOUT_ITEMS);
        await moveQueues(db, engine);
      },
    },
  };
}

async function addChecksums(db: QueryExecutorProvider, engine: DatabaseTarget["engine"], table: string) {
  const [place, cast, triggers] =
    engine === "postgres"
      ? ["ctid", "::tid", [`${table}_append_only ON ${table}`]]
      : ["rowid", "", [`${table}_no_update`, `${table}_no_delete`]];
  const drops = triggers.map((trigger) => `DROP TRIGGER ${trigger}`);
  await runAll(db, [...drops, `ALTER TABLE ${table} ADD COLUMN checksum TEXT`]);
  const { rows } = await sql.raw<StoredRow>(`SELECT ${place} AS place, * FROM ${table}`).execute(db);
  for await (const some of takeTurns(rows, 500)) {
    const values = some.map(({ place: own, ...row }) => sql`(${computeChecksum(table, row)}, ${own})`);
    await sql`UPDATE ${sql.table(table)} SET checksum = added.column1 FROM (VALUES ${sql.join(values)}) AS added
      WHERE ${sql.raw(`${table}.${place} = added.column2${cast}`)}`.execute(db);
  }
  await runAll(db, refuseChanges(engine, table));
}
