import type BetterSqlite3 from "better-sqlite3";

import { StoreError } from "@/lib/domain/app-error";

/** Marks the file as Assay's (`ASAY` in ASCII), so that another program's database is never written to. */
const APPLICATION_ID = 0x41534159;

/** Version of the record's shape that this code writes into every row. */
export const RECORD_SCHEMA_VERSION = 1;

/** One entry per schema version, oldest first. An entry is never edited once released: a change is a new entry. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE annotation_version (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
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
     judgment TEXT CHECK (judgment IN ('pass', 'fail', 'defer')),
     categories TEXT NOT NULL CHECK (json_valid(categories)),
     notes TEXT,
     schema_version INTEGER NOT NULL,
     CHECK ((kind = 'saved') = (judgment IS NOT NULL)),
     CHECK ((kind = 'withdrawn') = (withdraws IS NOT NULL))
   ) STRICT;
   CREATE INDEX annotation_version_by_trial ON annotation_version (trial_name, reviewer_key, seq);
   CREATE INDEX annotation_version_by_withdrawn ON annotation_version (withdraws) WHERE withdraws IS NOT NULL;
   CREATE TRIGGER annotation_version_no_update BEFORE UPDATE ON annotation_version
     BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END;
   CREATE TRIGGER annotation_version_no_delete BEFORE DELETE ON annotation_version
     BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END;`,
];

/**
 * Brings the file to this code's schema version, in one transaction; does nothing when it is there already.
 *
 * @throws StoreError `store_too_new` when a newer Assay wrote the file, `store_foreign` when it is not Assay's
 */
export function migrateStore(db: BetterSqlite3.Database, path: string): void {
  if (readVersion(db, path) === MIGRATIONS.length) return;
  db.transaction(() => {
    // Read again under the lock: another process may have migrated meanwhile.
    const version = readVersion(db, path);
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    db.pragma(`application_id = ${String(APPLICATION_ID)}`);
    db.pragma(`user_version = ${String(MIGRATIONS.length)}`);
  }).immediate();
}

function readVersion(db: BetterSqlite3.Database, path: string): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  const applicationId = Number(db.pragma("application_id", { simple: true }));
  const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (applicationId !== APPLICATION_ID && !(isEmpty && version === 0 && applicationId === 0)) {
    throw new StoreError(
      "store_foreign",
      `${path} is a database of another program. Move it away or set ASSAY_DATA to another folder.`,
      { context: { path, applicationId } },
    );
  }
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      "store_too_new",
      `${path} was written by a newer Assay (schema ${String(version)}, this one knows ${String(MIGRATIONS.length)}). Update Assay; the file was left as it is.`,
      { context: { path, version, known: MIGRATIONS.length } },
    );
  }
  return version;
}
