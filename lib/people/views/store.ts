import { sql } from "kysely";

import {
  type DatabaseTarget,
  type Migrations,
  openOnUse,
  resolveTarget,
  type StoreKind,
  type StoreOnUse,
} from "@/lib/store/database";
import { findShown, getVisibility, type Shown } from "@/lib/store/visibility";

import { limitViews } from "./shown-rows";
import type { ViewTables } from "./tables";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "EXTRA" } as const;

/** Migrations by name. Never edit a released one: add a new one. */
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

export const VIEW_STORE: StoreKind = { name: "views", place: PLACE, listMigrations };

export type ViewStore = StoreOnUse<ViewTables>;

/** See `openOnUse`. @throws StoreError on use, never here */
export function openViewStore(target: DatabaseTarget): ViewStore {
  return openOnUse(target, listMigrations);
}

export function openViewStoreOf(environment: Readonly<Record<string, string | undefined>>): ViewStore {
  return openViewStore(resolveTarget(PLACE, environment));
}

declare global {
  var assayViewStore: ViewStore | undefined;
}

/** Opened once per process; limited to what the current user may see. */
export function getViewStore(): ViewStore {
  const store = (globalThis.assayViewStore ??= openViewStoreOf(process.env));
  const visibility = getVisibility();
  const shown = findShown(visibility);
  return shown === null ? store : limitViewStore(store, shown, visibility.asker);
}

/** Hides rows that name anything hidden, see `limitViews`. */
function limitViewStore(store: ViewStore, shown: Shown, asker: string | null): ViewStore {
  return {
    ...store,
    read: (empty, work) =>
      store.read(empty, async (database) => work(await limitViews(database, shown, asker))),
    write: (work) => store.write(async (database) => work(await limitViews(database, shown, asker))),
  };
}
