import {
  type DatabaseTarget,
  type DataEnvironment,
  describeTarget,
  openOnUse,
  resolveTarget,
} from "@/lib/database";

import { listMigrations, type ViewDb, type ViewTables } from "./migrations";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "EXTRA" } as const;

/** The store of saved views; verbs take it as their first argument. */
export interface ViewStore {
  /** Where it is, as it may be shown: the file's path, or server and schema. */
  readonly place: string;
  /** Runs `work` on the store, or gives `empty` and creates nothing when there is no file yet. */
  readonly read: <T>(empty: T, work: (db: ViewDb) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (db: ViewDb) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** The saved views at a place, see `openOnUse`. @throws StoreError on use, never here */
export function openViewStore(target: DatabaseTarget): ViewStore {
  const { read, write, close } = openOnUse<ViewTables>(target, listMigrations);
  return {
    place: describeTarget(target),
    read: (empty, work) => read(empty, ({ db }) => work(db)),
    write: (work) => write(({ db }) => work(db)),
    close,
  };
}

declare global {
  var assayViewStore: ViewStore | undefined;
}

/** The store that the environment names, opened once a process. */
export function getViewStore(environment: DataEnvironment = process.env): ViewStore {
  return (globalThis.assayViewStore ??= openViewStore(resolveTarget(PLACE, environment)));
}
