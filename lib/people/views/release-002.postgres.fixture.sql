-- What the release before this schema wrote, as its database dumps it; a store like this must open for ever.
CREATE SCHEMA assay_views;
CREATE TABLE assay_views.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE assay_views.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE assay_views.run_sets (
    id text NOT NULL,
    name text NOT NULL,
    members text NOT NULL,
    created_at text NOT NULL,
    created_by text,
    deleted_at text,
    CONSTRAINT run_sets_name_check CHECK ((name <> ''::text))
);
CREATE TABLE assay_views.views (
    id text NOT NULL,
    name text NOT NULL,
    href text NOT NULL,
    created_at text NOT NULL,
    created_by text,
    deleted_at text,
    CONSTRAINT views_name_check CHECK ((name <> ''::text))
);
INSERT INTO assay_views.kysely_migration VALUES ('001_views', '2026-11-26T09:28:43.862Z');
INSERT INTO assay_views.kysely_migration VALUES ('002_run_sets', '2026-11-26T09:28:43.868Z');
INSERT INTO assay_views.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO assay_views.run_sets VALUES ('358e9ea1', 'base', '[{"job":"77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901","jobKey":"base-1","jobName":"base-1","group":"orca__m__d"},{"job":null,"jobKey":"base-2","jobName":"base-2","group":"orca__m__d"}]', '2026-11-21T00:00:03.000Z', 'Ada', NULL);
INSERT INTO assay_views.views VALUES ('6838d3d6-60ba-43f6-883f-2fd34afe6af3', 'Flaky 😀', '/jobs/tb2?pattern=flaky', '2026-11-21T00:00:00.000Z', 'Ada', NULL);
INSERT INTO assay_views.views VALUES ('76f775bd-94b9-435d-878a-2a924403deb1', 'Gone', '/compare?group=a%3Ab', '2026-11-21T00:00:01.000Z', NULL, '2026-11-21T00:00:02.000Z');
ALTER TABLE ONLY assay_views.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY assay_views.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY assay_views.run_sets
    ADD CONSTRAINT run_sets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY assay_views.views
    ADD CONSTRAINT views_pkey PRIMARY KEY (id);
