import { hash } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";

import { StoreError } from "@/lib/core/domain/app-error";
import {
  type DatabaseTarget,
  type DataEnvironment,
  type OpenDatabase,
  openMigrated,
  resolveTarget,
} from "@/lib/store/database";

import { type IndexTables, prepareMigrations } from "./schema/tables";

/**
 * Must grow when the same folders would give other data: a column, how one is filled, how a figure is computed, a field of a
 * summary. Stores of another version are left to the programs that wrote them.
 */
export const DERIVE_VERSION = 47;

export type IndexStore = OpenDatabase<IndexTables>;

/** Each combination has a store of its own, so that two programs never write to the same one. */
interface IndexScope {
  readonly roots: readonly string[];
  readonly summation: string;
}

export function resolveIndexTarget(scope: IndexScope, environment: DataEnvironment): DatabaseTarget {
  const digest = hash("sha256", JSON.stringify([scope.roots, scope.summation]));
  const name = `${DERIVE_VERSION}-${digest.slice(0, 16)}`;
  return resolveTarget(
    // Derived data, so durability is not needed: after a power cut the last folders are read again.
    {
      fileName: `index-${name}.sqlite`,
      schema: `assay_index_${name.replace("-", "_")}`,
      synchronous: "NORMAL",
    },
    environment,
  );
}

type FileTarget = Extract<DatabaseTarget, { engine: "sqlite" }>;

const DAMAGED = ".damaged";

/**
 * Marks an index as damaged, so that the next start rebuilds it. It is not removed at once: SQLite cleans up by file name on
 * close, and that name may be the new index's by then.
 */
export function markIndexDamaged({ file }: FileTarget): void {
  writeFileSync(`${file}${DAMAGED}`, "");
}

function discardIndexFile({ file }: FileTarget): void {
  for (const end of ["", "-wal", "-shm", DAMAGED]) rmSync(`${file}${end}`, { force: true });
}

/** Opens the index and creates it if needed. Discards a damaged one first. */
export async function openIndexStore(target: DatabaseTarget): Promise<IndexStore> {
  if (target.engine === "sqlite" && existsSync(`${target.file}${DAMAGED}`)) discardIndexFile(target);
  try {
    return await openMigrated(target, prepareMigrations);
  } catch (error) {
    if (target.engine === "postgres" || !(error instanceof StoreError) || error.code !== "store_corrupt")
      throw error;
    discardIndexFile(target);
    return openMigrated(target, prepareMigrations);
  }
}
