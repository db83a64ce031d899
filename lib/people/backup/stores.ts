import { existsSync } from "node:fs";

import { ACCOUNT_STORE } from "@/lib/people/accounts";
import { ANNOTATION_STORE } from "@/lib/people/annotations";
import { EARLIER_VIEW_STORE, openViewStoreOf } from "@/lib/people/views";
import {
  type DatabaseTarget,
  type DataEnvironment,
  type OpenDatabase,
  openMigrated,
  type StoreKind,
} from "@/lib/store/database";

export type AnyTables = Readonly<Record<string, never>>;

export const ALL_STORES: readonly StoreKind[] = [ANNOTATION_STORE, EARLIER_VIEW_STORE, ACCOUNT_STORE];

/** Moves views of an earlier release, and lists their store only if they cannot be moved. @throws StoreError */
export async function listStores(environment: DataEnvironment): Promise<readonly StoreKind[]> {
  const views = openViewStoreOf(environment);
  try {
    const isMoved = (await views.takeIn()).length === 0;
    return ALL_STORES.filter((kind) => !isMoved || kind !== EARLIER_VIEW_STORE);
  } finally {
    await views.close();
  }
}

export function isThere(target: DatabaseTarget): boolean {
  return target.engine === "postgres" || existsSync(target.file);
}

/**
 * Opens or creates the store with the migrations of these names, by default all.
 *
 * @throws StoreError
 */
export function openStore(
  kind: StoreKind,
  target: DatabaseTarget,
  names?: readonly string[],
): Promise<OpenDatabase<AnyTables>> {
  return openMigrated(target, (engine) => {
    const all = Object.entries(kind.listMigrations(engine));
    return Object.fromEntries(all.filter(([name]) => names?.includes(name) ?? true));
  });
}

export function listMigrationNames(kind: StoreKind): readonly string[] {
  return Object.keys(kind.listMigrations("sqlite")).toSorted();
}
