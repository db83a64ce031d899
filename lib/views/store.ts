import { sql } from "kysely";

import {
  type DatabaseTarget,
  type Migrations,
  openOnUse,
  resolveTarget,
  type StoreKind,
  type StoreOnUse,
} from "@/lib/database";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "EXTRA" } as const;

/** A deleted view or run set stays, so that deleting can be undone. */
export interface ViewTables {
  views: {
    id: string;
    name: string;
    href: string;
    /** UTC, ISO 8601. */
    created_at: string;
    created_by: string | null;
    deleted_at: string | null;
  };
  run_sets: {
    id: string;
    name: string;
    /** JSON, see `RUN_SET_MEMBERS`. */
    members: string;
    /** Whether the runs count together, or are to be suggested no more: see `RUN_SET_KINDS`. */
    kind: string;
    /** Rule on names by which it takes up new jobs; null where it stays as it is. */
    rule: string | null;
    /** UTC, ISO 8601. */
    created_at: string;
    created_by: string | null;
    deleted_at: string | null;
  };
}

/** The store's migrations by name. One is never edited once released: a change is a new one. */
function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
  return {
    "001_views": {
      up: async (db) => {
        await sql
          .raw(
            `CREATE TABLE views (
               id TEXT PRIMARY KEY,
               name TEXT NOT NULL CHECK (name <> ''),
               href TEXT NOT NULL,
               created_at TEXT NOT NULL,
               created_by TEXT,
               deleted_at TEXT
             )${engine === "sqlite" ? " STRICT" : ""}`,
          )
          .execute(db);
      },
    },
    "002_run_sets": {
      up: async (db) => {
        await sql
          .raw(
            `CREATE TABLE run_sets (
               id TEXT PRIMARY KEY,
               name TEXT NOT NULL CHECK (name <> ''),
               members TEXT NOT NULL,
               created_at TEXT NOT NULL,
               created_by TEXT,
               deleted_at TEXT
             )${engine === "sqlite" ? " STRICT" : ""}`,
          )
          .execute(db);
      },
    },
    "003_rules_of_run_sets": {
      up: async (db) => {
        await sql.raw("ALTER TABLE run_sets ADD COLUMN kind TEXT NOT NULL DEFAULT 'together'").execute(db);
        await sql.raw("ALTER TABLE run_sets ADD COLUMN rule TEXT").execute(db);
      },
    },
  };
}

/** What a backup needs to know of the store. */
export const VIEW_STORE: StoreKind = { name: "views", place: PLACE, listMigrations };

/** The store of saved views and run sets; verbs take it as their first argument. */
export type ViewStore = StoreOnUse<ViewTables>;

/** The saved views and run sets at a place, see `openOnUse`. @throws StoreError on use, never here */
export function openViewStore(target: DatabaseTarget): ViewStore {
  return openOnUse(target, listMigrations);
}

/** The store that an environment names; whoever opens it closes it. */
export function openViewStoreOf(environment: Readonly<Record<string, string | undefined>>): ViewStore {
  return openViewStore(resolveTarget(PLACE, environment));
}

declare global {
  var assayViewStore: ViewStore | undefined;
}

/** The store that the environment names, opened once a process. */
export function getViewStore(): ViewStore {
  return (globalThis.assayViewStore ??= openViewStoreOf(process.env));
}
