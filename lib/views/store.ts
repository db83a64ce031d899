import { type DatabaseTarget, openOnUse, resolveTarget, type StoreOnUse } from "@/lib/database";

import { listMigrations, type ViewTables } from "./migrations";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "EXTRA" } as const;

/** The store of saved views; verbs take it as their first argument. */
export type ViewStore = StoreOnUse<ViewTables>;

/** The saved views at a place, see `openOnUse`. @throws StoreError on use, never here */
export function openViewStore(target: DatabaseTarget): ViewStore {
  return openOnUse(target, listMigrations);
}

declare global {
  var assayViewStore: ViewStore | undefined;
}

/** The store that the environment names, opened once a process. */
export function getViewStore(): ViewStore {
  return (globalThis.assayViewStore ??= openViewStore(resolveTarget(PLACE, process.env)));
}
