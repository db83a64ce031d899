-- What the release before this schema wrote, as its database dumps it; a store like this must open for ever.
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE adjudication (
       seq INTEGER PRIMARY KEY AUTOINCREMENT,
       decision_id TEXT NOT NULL UNIQUE,
       withdraws TEXT REFERENCES adjudication (decision_id),
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
     );
INSERT INTO "adjudication" VALUES(1,'00000000-0000-4000-8000-000000000009',NULL,'id-7',NULL,'task-7__aB3dE7x','nightly','runs','task-7','orca',NULL,'failed','0.0','fail','["Wrong output"]','seen again','a',NULL,'cleo','Cleo','2026-11-20T08:00:00.000Z','["00000000-0000-4000-8000-000000000005","00000000-0000-4000-8000-000000000006"]',NULL,1,'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc');
CREATE TABLE annotation_version (
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
  schema_version INTEGER NOT NULL, browser_key_hash TEXT, saved_by TEXT, confidence TEXT CHECK (confidence IN ('low', 'medium', 'high')), evidence TEXT NOT NULL DEFAULT '[]', queue_id TEXT, queue_position INTEGER, hidden TEXT, codebook_version INTEGER, fingerprint TEXT,
  CHECK ((kind = 'saved') = (judgment IS NOT NULL)),
  CHECK ((kind = 'withdrawn') = (withdraws IS NOT NULL))
   ) STRICT;
INSERT INTO "annotation_version" VALUES(1,'00000000-0000-4000-8000-000000000004','saved',NULL,'id-7',NULL,'task-7__aB3dE7x','nightly','runs','task-7','orca',NULL,'failed','0.0','ana','Ana','mechanical','2026-11-20T03:00:00.000Z','fail','["Wrong output"]','first
😀 "x"',1,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL,'high','[]',NULL,NULL,NULL,1,NULL);
INSERT INTO "annotation_version" VALUES(2,'00000000-0000-4000-8000-000000000005','saved',NULL,'id-7',NULL,'task-7__aB3dE7x','nightly','runs','task-7','orca',NULL,'failed','0.0','ana','Ana','mechanical','2026-11-20T04:00:00.000Z','pass','["Wrong output"]','corrected',1,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',NULL,'high','[]',NULL,NULL,NULL,1,NULL);
INSERT INTO "annotation_version" VALUES(3,'00000000-0000-4000-8000-000000000006','saved',NULL,'id-7',NULL,'task-7__aB3dE7x','nightly','runs','task-7','orca',NULL,'failed','0.0','ben','Ben','mechanical','2026-11-20T05:00:00.000Z','fail','["Wrong output"]',NULL,1,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',NULL,'high','[]',NULL,NULL,NULL,1,NULL);
INSERT INTO "annotation_version" VALUES(4,'00000000-0000-4000-8000-000000000007','saved',NULL,'id-8',NULL,'task-8__aB3dE7x','nightly','runs','task-8','orca',NULL,'failed','0.0','ben','Ben','mechanical','2026-11-20T06:00:00.000Z','defer','["Wrong output"]','undone',1,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',NULL,'high','[]',NULL,NULL,NULL,1,NULL);
INSERT INTO "annotation_version" VALUES(5,'00000000-0000-4000-8000-000000000008','withdrawn','00000000-0000-4000-8000-000000000007','id-8',NULL,'task-8__aB3dE7x','nightly','runs','task-8','orca',NULL,'failed','0.0','ben','Ben','mechanical','2026-11-21T00:00:01.000Z',NULL,'[]',NULL,1,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE codebook_change (
       version INTEGER PRIMARY KEY AUTOINCREMENT,
       created_at TEXT NOT NULL,
       author TEXT NOT NULL,
       change TEXT NOT NULL
     );
INSERT INTO "codebook_change" VALUES(1,'2026-11-21T00:00:00.000Z','Ada','{"kind":"add","categories":[{"label":"Wrong branch","definition":"Works on another branch.","example":"","counterExample":"","colour":null,"parentId":null,"contexts":["fail"],"id":"11111111-2222-4333-8444-555555555555"}]}');
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO "kysely_migration" VALUES('001_annotation_version','2026-11-26T09:28:40.019Z');
INSERT INTO "kysely_migration" VALUES('002_browser_key','2026-11-26T09:28:40.020Z');
INSERT INTO "kysely_migration" VALUES('003_saved_by','2026-11-26T09:28:40.021Z');
INSERT INTO "kysely_migration" VALUES('004_review','2026-11-26T09:28:40.022Z');
INSERT INTO "kysely_migration" VALUES('005_triage','2026-11-26T09:28:40.023Z');
INSERT INTO "kysely_migration" VALUES('006_suggestion_answer','2026-11-26T09:28:40.024Z');
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO "kysely_migration_lock" VALUES('migration_lock',0);
CREATE TABLE review_lease (
       queue_id TEXT NOT NULL,
       position INTEGER NOT NULL,
       reviewer_key TEXT NOT NULL,
       reviewer_id TEXT NOT NULL,
       token TEXT NOT NULL,
       granted_at TEXT NOT NULL,
       expires_at TEXT NOT NULL,
       PRIMARY KEY (queue_id, position, reviewer_key),
       FOREIGN KEY (queue_id, position) REFERENCES review_queue_item (queue_id, position)
     );
INSERT INTO "review_lease" VALUES('00000000-0000-4000-8000-000000000002',0,'ana','Ana','00000000-0000-4000-8000-000000000003','2026-11-20T02:00:00.000Z','2026-11-20T02:10:00.000Z');
CREATE TABLE review_queue (
       seq INTEGER PRIMARY KEY AUTOINCREMENT,
       queue_id TEXT NOT NULL UNIQUE,
       settings TEXT NOT NULL,
       created_at TEXT NOT NULL,
       created_by TEXT NOT NULL
     );
INSERT INTO "review_queue" VALUES(1,'00000000-0000-4000-8000-000000000002','{"name":"Verifier audit","goal":"corrected-score","method":"random","seed":7,"order":"random","source":"Trials of nightly","sourceHref":"/jobs/nightly?tab=trials","reviewers":[],"doubleShare":0,"hides":[],"isOpenCoding":false,"strata":[]}','2026-11-20T00:00:00.000Z','Ada');
CREATE TABLE review_queue_event (
       seq INTEGER PRIMARY KEY AUTOINCREMENT,
       queue_id TEXT NOT NULL REFERENCES review_queue (queue_id),
       position INTEGER,
       kind TEXT NOT NULL CHECK (kind IN ('skipped', 'requeued', 'closed', 'reopened')),
       reviewer_key TEXT NOT NULL,
       reviewer_id TEXT NOT NULL,
       created_at TEXT NOT NULL
     );
INSERT INTO "review_queue_event" VALUES(1,'00000000-0000-4000-8000-000000000002',2,'skipped','ana','Ana','2026-11-20T01:00:00.000Z');
CREATE TABLE review_queue_item (
       queue_id TEXT NOT NULL REFERENCES review_queue (queue_id),
       position INTEGER NOT NULL,
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
       n_reviewers INTEGER NOT NULL CHECK (n_reviewers IN (1, 2)),
       PRIMARY KEY (queue_id, position)
     );
INSERT INTO "review_queue_item" VALUES('00000000-0000-4000-8000-000000000002',0,'id-0',NULL,'task-0__aB3dE7x','nightly','runs','task-0','orca',NULL,'failed','0.0',1);
INSERT INTO "review_queue_item" VALUES('00000000-0000-4000-8000-000000000002',1,'id-1',NULL,'task-1__aB3dE7x','nightly','runs','task-1','orca',NULL,'failed','0.0',1);
INSERT INTO "review_queue_item" VALUES('00000000-0000-4000-8000-000000000002',2,'id-2',NULL,'task-2__aB3dE7x','nightly','runs','task-2','orca',NULL,'failed','0.0',1);
CREATE TABLE suggestion_answer (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
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
   );
INSERT INTO "suggestion_answer" VALUES(1,'accepted','rule:agent-timeout','1','id-7',NULL,'task-7__aB3dE7x','nightly','ana','Ana','2026-11-21T00:00:02.000Z');
CREATE TABLE triage_note (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL CHECK (kind IN ('named', 'dismissed', 'restored')),
     target TEXT NOT NULL CHECK (target <> ''),
     text TEXT,
     about TEXT NOT NULL,
     author TEXT NOT NULL CHECK (author <> ''),
     created_at TEXT NOT NULL,
     CHECK (kind <> 'dismissed' OR text IS NOT NULL)
   );
INSERT INTO "triage_note" VALUES(1,'named','00112233aabbccdd','Slow','{"kind":"exception","scope":"AgentTimeoutError","pattern":"timed out"}','Ana','2026-11-20T09:00:00.000Z');
CREATE INDEX annotation_version_by_trial ON annotation_version (trial_name, reviewer_key, seq);
CREATE INDEX annotation_version_by_withdrawn ON annotation_version (withdraws)
     WHERE withdraws IS NOT NULL;
CREATE TRIGGER annotation_version_no_update BEFORE UPDATE ON annotation_version
     BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END;
CREATE TRIGGER annotation_version_no_delete BEFORE DELETE ON annotation_version
     BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END;
CREATE INDEX adjudication_by_trial ON adjudication (trial_name, seq);
CREATE INDEX review_queue_event_by_queue ON review_queue_event (queue_id, seq);
CREATE INDEX annotation_version_by_queue ON annotation_version (queue_id, queue_position, seq)
       WHERE queue_id IS NOT NULL;
CREATE TRIGGER adjudication_no_update BEFORE UPDATE ON adjudication
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER adjudication_no_delete BEFORE DELETE ON adjudication
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER codebook_change_no_update BEFORE UPDATE ON codebook_change
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER codebook_change_no_delete BEFORE DELETE ON codebook_change
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_queue_no_update BEFORE UPDATE ON review_queue
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_queue_no_delete BEFORE DELETE ON review_queue
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_queue_item_no_update BEFORE UPDATE ON review_queue_item
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_queue_item_no_delete BEFORE DELETE ON review_queue_item
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_queue_event_no_update BEFORE UPDATE ON review_queue_event
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_queue_event_no_delete BEFORE DELETE ON review_queue_event
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER triage_note_no_update BEFORE UPDATE ON triage_note
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER triage_note_no_delete BEFORE DELETE ON triage_note
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER suggestion_answer_no_update BEFORE UPDATE ON suggestion_answer
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER suggestion_answer_no_delete BEFORE DELETE ON suggestion_answer
             BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('codebook_change',1);
INSERT INTO "sqlite_sequence" VALUES('review_queue',1);
INSERT INTO "sqlite_sequence" VALUES('review_queue_event',1);
INSERT INTO "sqlite_sequence" VALUES('annotation_version',5);
INSERT INTO "sqlite_sequence" VALUES('adjudication',1);
INSERT INTO "sqlite_sequence" VALUES('triage_note',1);
INSERT INTO "sqlite_sequence" VALUES('suggestion_answer',1);
COMMIT;
PRAGMA application_id = 1095975257;
PRAGMA user_version = 1;
