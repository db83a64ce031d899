import { createHash } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";

import {
  type DatabaseTarget,
  type DataEnvironment,
  migrate,
  openDatabase,
  type OpenDatabase,
  resolveTarget,
} from "@/lib/database";
import { StoreError } from "@/lib/domain/app-error";

import { prepareMigrations } from "./schema/migrations";
import type { IndexTables } from "./schema/tables";

/**
 * Grows whenever the same folders would be told differently: a table has another column, one is filled in another way, a figure is computed
 * in another way, a summary has another field. Stores of another version are left to the programs that wrote them.
 */
export const DERIVE_VERSION = 42;

export type IndexStore = OpenDatabase<IndexTables>;

/** What an index is of. Each combination has a store of its own, so that two programs never fight over one. */
export interface IndexScope {
  /** Real paths of the opened folders, in order. */
  readonly roots: readonly string[];
  readonly summation: string;
}

/** Where the index of some folders is kept: a file in the data folder, or a schema of `DATABASE_URL`. */
export function resolveIndexTarget(scope: IndexScope, environment: DataEnvironment): DatabaseTarget {
  const hash = createHash("sha256")
    .update(JSON.stringify([scope.roots, scope.summation]))
    .digest("hex");
  const name = `${DERIVE_VERSION}-${hash.slice(0, 16)}`;
  return resolveTarget(
    // Derived data: after a power cut the last folders are read once more.
    {
      fileName: `index-${name}.sqlite`,
      schema: `assay_index_${name.replace("-", "_")}`,
      synchronous: "NORMAL",
    },
    environment,
  );
}

async function openAndMigrate(target: DatabaseTarget): Promise<IndexStore> {
  const store = await openDatabase<IndexTables>(target);
  try {
    await migrate(store, prepareMigrations(store.engine));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

type FileTarget = Extract<DatabaseTarget, { engine: "sqlite" }>;

const DAMAGED = ".damaged";

/**
 * Notes that an index turned out to be damaged, so that the next start makes it again. Not removed at once: SQLite tidies
 * up by name when it closes a file, and that name may be the new index's by then.
 */
export function markIndexDamaged({ file }: FileTarget): void {
  writeFileSync(`${file}${DAMAGED}`, "");
}

/** Throws an index away, which holds nothing but what the folders say. */
function discardIndexFile({ file }: FileTarget): void {
  for (const end of ["", "-wal", "-shm", DAMAGED]) rmSync(`${file}${end}`, { force: true });
}

/**
 * Opens the index, empty when it is new. A damaged one is thrown away first.
 *
 * @throws StoreError when it cannot be opened or made
 */
export async function openIndexStore(target: DatabaseTarget): Promise<IndexStore> {
  if (target.engine === "sqlite" && existsSync(`${target.file}${DAMAGED}`)) discardIndexFile(target);
  try {
    return await openAndMigrate(target);
  } catch (error) {
    if (target.engine === "postgres" || !(error instanceof StoreError) || error.code !== "store_corrupt")
      throw error;
    discardIndexFile(target);
    return openAndMigrate(target);
  }
}
