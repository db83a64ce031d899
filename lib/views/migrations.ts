import { sql } from "kysely";

import type { DatabaseTarget, Migrations } from "@/lib/database";

/** The one table. A deleted view stays, so that deleting can be undone. */
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
}

/** The store's migrations by name. One is never edited once released: a change is a new one. */
export function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
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
  };
}
