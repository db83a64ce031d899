import { existsSync } from "node:fs";

import { ACCOUNT_STORE } from "@/lib/people/accounts";
import { ANNOTATION_STORE } from "@/lib/people/annotations";
import { VIEW_STORE } from "@/lib/people/views";
import {
  type DatabaseTarget,
  migrate,
  type OpenDatabase,
  openDatabase,
  type StoreKind,
} from "@/lib/store/database";

export type AnyTables = Readonly<Record<string, never>>;

export const STORES: readonly StoreKind[] = [ANNOTATION_STORE, VIEW_STORE, ACCOUNT_STORE];

export function isThere(target: DatabaseTarget): boolean {
  return target.engine === "postgres" || existsSync(target.file);
}

/**
 * Opens or creates the store with the migrations of these names, by default all.
 *
 * @throws StoreError
 */
export async function openStore(
  kind: StoreKind,
  target: DatabaseTarget,
  names?: readonly string[],
): Promise<OpenDatabase<AnyTables>> {
  const open = await openDatabase<AnyTables>(target);
  try {
    const all = Object.entries(kind.listMigrations(open.engine));
    await migrate(open, Object.fromEntries(all.filter(([name]) => names?.includes(name) ?? true)));
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

export function listMigrationNames(kind: StoreKind): readonly string[] {
  return Object.keys(kind.listMigrations("sqlite")).toSorted();
}
