-- What the first release wrote; a file like this must open for ever.
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
  schema_version INTEGER NOT NULL,
  CHECK ((kind = 'saved') = (judgment IS NOT NULL)),
  CHECK ((kind = 'withdrawn') = (withdraws IS NOT NULL))
) STRICT;
CREATE INDEX annotation_version_by_trial ON annotation_version (trial_name, reviewer_key, seq);
CREATE INDEX annotation_version_by_withdrawn ON annotation_version (withdraws) WHERE withdraws IS NOT NULL;
CREATE TRIGGER annotation_version_no_update BEFORE UPDATE ON annotation_version
  BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END;
CREATE TRIGGER annotation_version_no_delete BEFORE DELETE ON annotation_version
  BEGIN SELECT RAISE(ABORT, 'annotations are append-only'); END;

PRAGMA application_id = 1095975257;
PRAGMA user_version = 1;
INSERT INTO annotation_version VALUES (
  1, '11111111-1111-4111-8111-111111111111', 'saved', NULL, NULL,
  '77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901', 'tidy-ledger__aB3dE7x', 'nightly', 'runs', 'tidy-ledger', 'orca', NULL, 'failed', '0.0', 'ana', 'Ana', NULL, '2026-11-11T10:00:00.000Z', 'fail', '["Wrong file"]', 'first' || char(0) || 'note', 1
);
INSERT INTO annotation_version VALUES (
  2, '22222222-2222-4222-8222-222222222222', 'saved', NULL, NULL,
  '77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901', 'tidy-ledger__aB3dE7x', 'nightly', 'runs', 'tidy-ledger', 'orca', NULL, 'failed', '0.0', 'ana', 'Ana', NULL, '2026-11-12T10:00:00.000Z', 'pass', '[]', NULL, 1
);
INSERT INTO annotation_version VALUES (
  3, '33333333-3333-4333-8333-333333333333', 'withdrawn', '22222222-2222-4222-8222-222222222222', NULL,
  '77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901', 'tidy-ledger__aB3dE7x', 'nightly', 'runs', 'tidy-ledger', 'orca', NULL, 'failed', '0.0', 'ana', 'Ana', NULL, '2026-11-13T10:00:00.000Z', NULL, '[]', NULL, 1
);
