-- What the release before this schema wrote, as its database dumps it; a store like this must open for ever.
CREATE SCHEMA assay;
CREATE FUNCTION assay.refuse_annotation_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'annotations are append-only'; END $$;
CREATE TABLE assay.adjudication (
    seq bigint NOT NULL,
    decision_id text NOT NULL,
    withdraws text,
    trial_id text,
    job_id text,
    trial_name text NOT NULL,
    job_name text NOT NULL,
    root_label text NOT NULL,
    task_name text NOT NULL,
    agent text NOT NULL,
    model text,
    outcome_seen text NOT NULL,
    reward_seen text,
    final_judgment text,
    categories text NOT NULL,
    reason text,
    based_on text,
    codebook_note text,
    decider_key text NOT NULL,
    decided_by text NOT NULL,
    created_at text NOT NULL,
    sources text NOT NULL,
    queue_id text,
    codebook_version integer NOT NULL,
    browser_key_hash text,
    CONSTRAINT adjudication_based_on_check CHECK ((based_on = ANY (ARRAY['a'::text, 'b'::text, 'both'::text, 'own'::text]))),
    CONSTRAINT adjudication_decider_key_check CHECK ((decider_key <> ''::text)),
    CONSTRAINT adjudication_final_judgment_check CHECK ((final_judgment = ANY (ARRAY['pass'::text, 'fail'::text, 'defer'::text])))
);
ALTER TABLE assay.adjudication ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.adjudication_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE assay.annotation_version (
    seq bigint NOT NULL,
    version_id text NOT NULL,
    kind text NOT NULL,
    withdraws text,
    trial_id text,
    job_id text,
    trial_name text NOT NULL,
    job_name text NOT NULL,
    root_label text NOT NULL,
    task_name text NOT NULL,
    agent text NOT NULL,
    model text,
    outcome_seen text NOT NULL,
    reward_seen text,
    reviewer_key text NOT NULL,
    reviewer_id text NOT NULL,
    reviewer_discipline text,
    created_at text NOT NULL,
    judgment text,
    categories text NOT NULL,
    notes text,
    schema_version integer NOT NULL,
    browser_key_hash text,
    saved_by text,
    confidence text,
    evidence text DEFAULT '[]'::text NOT NULL,
    queue_id text,
    queue_position integer,
    hidden text,
    codebook_version integer,
    fingerprint text,
    CONSTRAINT annotation_version_categories_check CHECK ((json_typeof((categories)::json) = 'array'::text)),
    CONSTRAINT annotation_version_check CHECK (((kind = 'saved'::text) = (judgment IS NOT NULL))),
    CONSTRAINT annotation_version_check1 CHECK (((kind = 'withdrawn'::text) = (withdraws IS NOT NULL))),
    CONSTRAINT annotation_version_confidence_check CHECK ((confidence = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
    CONSTRAINT annotation_version_judgment_check CHECK ((judgment = ANY (ARRAY['pass'::text, 'fail'::text, 'defer'::text]))),
    CONSTRAINT annotation_version_kind_check CHECK ((kind = ANY (ARRAY['saved'::text, 'withdrawn'::text]))),
    CONSTRAINT annotation_version_reviewer_key_check CHECK ((reviewer_key <> ''::text))
);
ALTER TABLE assay.annotation_version ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.annotation_version_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE assay.codebook_change (
    version bigint NOT NULL,
    created_at text NOT NULL,
    author text NOT NULL,
    change text NOT NULL
);
ALTER TABLE assay.codebook_change ALTER COLUMN version ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.codebook_change_version_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE assay.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE assay.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE assay.review_lease (
    queue_id text NOT NULL,
    "position" integer NOT NULL,
    reviewer_key text NOT NULL,
    reviewer_id text NOT NULL,
    token text NOT NULL,
    granted_at text NOT NULL,
    expires_at text NOT NULL
);
CREATE TABLE assay.review_queue (
    seq bigint NOT NULL,
    queue_id text NOT NULL,
    settings text NOT NULL,
    created_at text NOT NULL,
    created_by text NOT NULL
);
CREATE TABLE assay.review_queue_event (
    seq bigint NOT NULL,
    queue_id text NOT NULL,
    "position" integer,
    kind text NOT NULL,
    reviewer_key text NOT NULL,
    reviewer_id text NOT NULL,
    created_at text NOT NULL,
    CONSTRAINT review_queue_event_kind_check CHECK ((kind = ANY (ARRAY['skipped'::text, 'requeued'::text, 'closed'::text, 'reopened'::text])))
);
ALTER TABLE assay.review_queue_event ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.review_queue_event_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE assay.review_queue_item (
    queue_id text NOT NULL,
    "position" integer NOT NULL,
    trial_id text,
    job_id text,
    trial_name text NOT NULL,
    job_name text NOT NULL,
    root_label text NOT NULL,
    task_name text NOT NULL,
    agent text NOT NULL,
    model text,
    outcome_seen text NOT NULL,
    reward_seen text,
    n_reviewers integer NOT NULL,
    CONSTRAINT review_queue_item_n_reviewers_check CHECK ((n_reviewers = ANY (ARRAY[1, 2])))
);
ALTER TABLE assay.review_queue ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.review_queue_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE assay.suggestion_answer (
    seq bigint NOT NULL,
    kind text NOT NULL,
    suggester text NOT NULL,
    version text NOT NULL,
    trial_id text,
    job_id text,
    trial_name text NOT NULL,
    job_name text NOT NULL,
    reviewer_key text NOT NULL,
    reviewer_id text NOT NULL,
    created_at text NOT NULL,
    CONSTRAINT suggestion_answer_kind_check CHECK ((kind = ANY (ARRAY['accepted'::text, 'rejected'::text, 'withdrawn'::text]))),
    CONSTRAINT suggestion_answer_reviewer_key_check CHECK ((reviewer_key <> ''::text)),
    CONSTRAINT suggestion_answer_suggester_check CHECK ((suggester <> ''::text))
);
ALTER TABLE assay.suggestion_answer ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.suggestion_answer_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE assay.triage_note (
    seq bigint NOT NULL,
    kind text NOT NULL,
    target text NOT NULL,
    text text,
    about text NOT NULL,
    author text NOT NULL,
    created_at text NOT NULL,
    CONSTRAINT triage_note_author_check CHECK ((author <> ''::text)),
    CONSTRAINT triage_note_check CHECK (((kind <> 'dismissed'::text) OR (text IS NOT NULL))),
    CONSTRAINT triage_note_kind_check CHECK ((kind = ANY (ARRAY['named'::text, 'dismissed'::text, 'restored'::text]))),
    CONSTRAINT triage_note_target_check CHECK ((target <> ''::text))
);
ALTER TABLE assay.triage_note ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME assay.triage_note_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO assay.adjudication OVERRIDING SYSTEM VALUE VALUES (1, '00000000-0000-4000-8000-000000000009', NULL, 'id-7', NULL, 'task-7__aB3dE7x', 'nightly', 'runs', 'task-7', 'orca', NULL, 'failed', '0.0', 'fail', '["Wrong output"]', 'seen again', 'a', NULL, 'cleo', 'Cleo', '2026-11-20T08:00:00.000Z', '["00000000-0000-4000-8000-000000000005","00000000-0000-4000-8000-000000000006"]', NULL, 1, 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc');
INSERT INTO assay.annotation_version OVERRIDING SYSTEM VALUE VALUES (1, '00000000-0000-4000-8000-000000000004', 'saved', NULL, 'id-7', NULL, 'task-7__aB3dE7x', 'nightly', 'runs', 'task-7', 'orca', NULL, 'failed', '0.0', 'ana', 'Ana', 'mechanical', '2026-11-20T03:00:00.000Z', 'fail', '["Wrong output"]', 'first
😀 "x"', 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL, 'high', '[]', NULL, NULL, NULL, 1, NULL);
INSERT INTO assay.annotation_version OVERRIDING SYSTEM VALUE VALUES (2, '00000000-0000-4000-8000-000000000005', 'saved', NULL, 'id-7', NULL, 'task-7__aB3dE7x', 'nightly', 'runs', 'task-7', 'orca', NULL, 'failed', '0.0', 'ana', 'Ana', 'mechanical', '2026-11-20T04:00:00.000Z', 'pass', '["Wrong output"]', 'corrected', 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL, 'high', '[]', NULL, NULL, NULL, 1, NULL);
INSERT INTO assay.annotation_version OVERRIDING SYSTEM VALUE VALUES (3, '00000000-0000-4000-8000-000000000006', 'saved', NULL, 'id-7', NULL, 'task-7__aB3dE7x', 'nightly', 'runs', 'task-7', 'orca', NULL, 'failed', '0.0', 'ben', 'Ben', 'mechanical', '2026-11-20T05:00:00.000Z', 'fail', '["Wrong output"]', NULL, 1, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', NULL, 'high', '[]', NULL, NULL, NULL, 1, NULL);
INSERT INTO assay.annotation_version OVERRIDING SYSTEM VALUE VALUES (4, '00000000-0000-4000-8000-000000000007', 'saved', NULL, 'id-8', NULL, 'task-8__aB3dE7x', 'nightly', 'runs', 'task-8', 'orca', NULL, 'failed', '0.0', 'ben', 'Ben', 'mechanical', '2026-11-20T06:00:00.000Z', 'defer', '["Wrong output"]', 'undone', 1, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', NULL, 'high', '[]', NULL, NULL, NULL, 1, NULL);
INSERT INTO assay.annotation_version OVERRIDING SYSTEM VALUE VALUES (5, '00000000-0000-4000-8000-000000000008', 'withdrawn', '00000000-0000-4000-8000-000000000007', 'id-8', NULL, 'task-8__aB3dE7x', 'nightly', 'runs', 'task-8', 'orca', NULL, 'failed', '0.0', 'ben', 'Ben', 'mechanical', '2026-11-21T00:00:01.000Z', NULL, '[]', NULL, 1, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', NULL, NULL, '[]', NULL, NULL, NULL, NULL, NULL);
INSERT INTO assay.codebook_change OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-21T00:00:00.000Z', 'Ada', '{"kind":"add","categories":[{"label":"Wrong branch","definition":"Works on another branch.","example":"","counterExample":"","colour":null,"parentId":null,"contexts":["fail"],"id":"11111111-2222-4333-8444-555555555555"}]}');
INSERT INTO assay.kysely_migration VALUES ('001_annotation_version', '2026-11-26T09:28:41.560Z');
INSERT INTO assay.kysely_migration VALUES ('002_browser_key', '2026-11-26T09:28:41.561Z');
INSERT INTO assay.kysely_migration VALUES ('003_saved_by', '2026-11-26T09:28:41.562Z');
INSERT INTO assay.kysely_migration VALUES ('004_review', '2026-11-26T09:28:41.586Z');
INSERT INTO assay.kysely_migration VALUES ('005_triage', '2026-11-26T09:28:41.588Z');
INSERT INTO assay.kysely_migration VALUES ('006_suggestion_answer', '2026-11-26T09:28:41.589Z');
INSERT INTO assay.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO assay.review_lease VALUES ('00000000-0000-4000-8000-000000000001', 0, 'ana', 'Ana', '00000000-0000-4000-8000-000000000002', '2026-11-20T02:00:00.000Z', '2026-11-20T02:10:00.000Z');
INSERT INTO assay.review_queue OVERRIDING SYSTEM VALUE VALUES (1, '00000000-0000-4000-8000-000000000001', '{"name":"Verifier audit","goal":"corrected-score","method":"random","seed":7,"order":"random","source":"Trials of nightly","sourceHref":"/jobs/nightly?tab=trials","reviewers":[],"doubleShare":0,"hides":[],"isOpenCoding":false,"strata":[]}', '2026-11-20T00:00:00.000Z', 'Ada');
INSERT INTO assay.review_queue_event OVERRIDING SYSTEM VALUE VALUES (1, '00000000-0000-4000-8000-000000000001', 2, 'skipped', 'ana', 'Ana', '2026-11-20T01:00:00.000Z');
INSERT INTO assay.review_queue_item VALUES ('00000000-0000-4000-8000-000000000001', 0, 'id-0', NULL, 'task-0__aB3dE7x', 'nightly', 'runs', 'task-0', 'orca', NULL, 'failed', '0.0', 1);
INSERT INTO assay.review_queue_item VALUES ('00000000-0000-4000-8000-000000000001', 1, 'id-1', NULL, 'task-1__aB3dE7x', 'nightly', 'runs', 'task-1', 'orca', NULL, 'failed', '0.0', 1);
INSERT INTO assay.review_queue_item VALUES ('00000000-0000-4000-8000-000000000001', 2, 'id-2', NULL, 'task-2__aB3dE7x', 'nightly', 'runs', 'task-2', 'orca', NULL, 'failed', '0.0', 1);
INSERT INTO assay.suggestion_answer OVERRIDING SYSTEM VALUE VALUES (1, 'accepted', 'rule:agent-timeout', '1', 'id-7', NULL, 'task-7__aB3dE7x', 'nightly', 'ana', 'Ana', '2026-11-21T00:00:02.000Z');
INSERT INTO assay.triage_note OVERRIDING SYSTEM VALUE VALUES (1, 'named', '00112233aabbccdd', 'Slow', '{"kind":"exception","scope":"AgentTimeoutError","pattern":"timed out"}', 'Ana', '2026-11-20T09:00:00.000Z');
SELECT pg_catalog.setval('assay.adjudication_seq_seq', 1, true);
SELECT pg_catalog.setval('assay.annotation_version_seq_seq', 5, true);
SELECT pg_catalog.setval('assay.codebook_change_version_seq', 1, true);
SELECT pg_catalog.setval('assay.review_queue_event_seq_seq', 1, true);
SELECT pg_catalog.setval('assay.review_queue_seq_seq', 1, true);
SELECT pg_catalog.setval('assay.suggestion_answer_seq_seq', 1, true);
SELECT pg_catalog.setval('assay.triage_note_seq_seq', 1, true);
ALTER TABLE ONLY assay.adjudication
    ADD CONSTRAINT adjudication_decision_id_key UNIQUE (decision_id);
ALTER TABLE ONLY assay.adjudication
    ADD CONSTRAINT adjudication_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY assay.annotation_version
    ADD CONSTRAINT annotation_version_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY assay.annotation_version
    ADD CONSTRAINT annotation_version_version_id_key UNIQUE (version_id);
ALTER TABLE ONLY assay.codebook_change
    ADD CONSTRAINT codebook_change_pkey PRIMARY KEY (version);
ALTER TABLE ONLY assay.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY assay.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY assay.review_lease
    ADD CONSTRAINT review_lease_pkey PRIMARY KEY (queue_id, "position", reviewer_key);
ALTER TABLE ONLY assay.review_queue_event
    ADD CONSTRAINT review_queue_event_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY assay.review_queue_item
    ADD CONSTRAINT review_queue_item_pkey PRIMARY KEY (queue_id, "position");
ALTER TABLE ONLY assay.review_queue
    ADD CONSTRAINT review_queue_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY assay.review_queue
    ADD CONSTRAINT review_queue_queue_id_key UNIQUE (queue_id);
ALTER TABLE ONLY assay.suggestion_answer
    ADD CONSTRAINT suggestion_answer_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY assay.triage_note
    ADD CONSTRAINT triage_note_pkey PRIMARY KEY (seq);
CREATE INDEX adjudication_by_trial ON assay.adjudication USING btree (trial_name, seq);
CREATE INDEX annotation_version_by_queue ON assay.annotation_version USING btree (queue_id, queue_position, seq) WHERE (queue_id IS NOT NULL);
CREATE INDEX annotation_version_by_trial ON assay.annotation_version USING btree (trial_name, reviewer_key, seq);
CREATE INDEX annotation_version_by_withdrawn ON assay.annotation_version USING btree (withdraws) WHERE (withdraws IS NOT NULL);
CREATE INDEX review_queue_event_by_queue ON assay.review_queue_event USING btree (queue_id, seq);
CREATE TRIGGER adjudication_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.adjudication FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER annotation_version_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.annotation_version FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER codebook_change_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.codebook_change FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER review_queue_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.review_queue FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER review_queue_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.review_queue_event FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER review_queue_item_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.review_queue_item FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER suggestion_answer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.suggestion_answer FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
CREATE TRIGGER triage_note_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON assay.triage_note FOR EACH STATEMENT EXECUTE FUNCTION assay.refuse_annotation_change();
ALTER TABLE ONLY assay.adjudication
    ADD CONSTRAINT adjudication_withdraws_fkey FOREIGN KEY (withdraws) REFERENCES assay.adjudication(decision_id);
ALTER TABLE ONLY assay.annotation_version
    ADD CONSTRAINT annotation_version_withdraws_fkey FOREIGN KEY (withdraws) REFERENCES assay.annotation_version(version_id);
ALTER TABLE ONLY assay.review_lease
    ADD CONSTRAINT review_lease_queue_id_position_fkey FOREIGN KEY (queue_id, "position") REFERENCES assay.review_queue_item(queue_id, "position");
ALTER TABLE ONLY assay.review_queue_event
    ADD CONSTRAINT review_queue_event_queue_id_fkey FOREIGN KEY (queue_id) REFERENCES assay.review_queue(queue_id);
ALTER TABLE ONLY assay.review_queue_item
    ADD CONSTRAINT review_queue_item_queue_id_fkey FOREIGN KEY (queue_id) REFERENCES assay.review_queue(queue_id);
