-- What the release before this schema wrote, as its database dumps it; a store like this must open for ever.
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO "kysely_migration" VALUES('001_views','2026-11-26T09:28:42.448Z');
INSERT INTO "kysely_migration" VALUES('002_run_sets','2026-11-26T09:28:42.449Z');
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO "kysely_migration_lock" VALUES('migration_lock',0);
CREATE TABLE run_sets (
               id TEXT PRIMARY KEY,
               name TEXT NOT NULL CHECK (name <> ''),
               members TEXT NOT NULL,
               created_at TEXT NOT NULL,
               created_by TEXT,
               deleted_at TEXT
             ) STRICT;
INSERT INTO "run_sets" VALUES('358e9ea1','base','[{"job":"77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901","jobKey":"base-1","jobName":"base-1","group":"orca__m__d"},{"job":null,"jobKey":"base-2","jobName":"base-2","group":"orca__m__d"}]','2026-11-21T00:00:03.000Z','Ada',NULL);
CREATE TABLE views (
               id TEXT PRIMARY KEY,
               name TEXT NOT NULL CHECK (name <> ''),
               href TEXT NOT NULL,
               created_at TEXT NOT NULL,
               created_by TEXT,
               deleted_at TEXT
             ) STRICT;
INSERT INTO "views" VALUES('6838d3d6-60ba-43f6-883f-2fd34afe6af3','Flaky 😀','/jobs/tb2?pattern=flaky','2026-11-21T00:00:00.000Z','Ada',NULL);
INSERT INTO "views" VALUES('514569af-444a-49f3-ace2-5e815c5962d6','Gone','/compare?group=a%3Ab','2026-11-21T00:00:01.000Z',NULL,'2026-11-21T00:00:02.000Z');
COMMIT;
PRAGMA application_id = 1095975257;
PRAGMA user_version = 1;
