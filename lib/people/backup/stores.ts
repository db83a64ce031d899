import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { SCANNER_FOLDER } from "@/lib/core/domain/scanner";
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
import { RULES_FILE } from "@/lib/store/indexer/derived-details-run";

export type AnyTables = Readonly<Record<string, never>>;

export const ALL_STORES: readonly StoreKind[] = [ANNOTATION_STORE, EARLIER_VIEW_STORE, ACCOUNT_STORE];

/** Moves views of an earlier release, and lists their store only if they cannot be moved. */
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

/** Opens or creates the store with the migrations of these names, by default all. */
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

export interface OwnFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Rejects names that point anywhere else. */
export function isOwnFileName(name: string): boolean {
  return name === RULES_FILE || new RegExp(`^${SCANNER_FOLDER}/[^/\\\\\\0]+\\.toml$`).test(name);
}

export function listOwnFiles(dataFolder: string): readonly string[] {
  const scanners = statSync(join(dataFolder, SCANNER_FOLDER), { throwIfNoEntry: false });
  const names = scanners?.isDirectory() === true ? readdirSync(join(dataFolder, SCANNER_FOLDER)).sort() : [];
  return [RULES_FILE, ...names.map((name) => `${SCANNER_FOLDER}/${name}`)]
    .filter(isOwnFileName)
    .filter((name) => statSync(join(dataFolder, name), { throwIfNoEntry: false })?.isFile() === true);
}

export function readOwnFile(dataFolder: string, name: string) {
  return { name, bytes: readFileSync(join(dataFolder, name)) };
}

/** Writes files that must not exist yet; after a failure none is left. @returns removes them again */
export function writeOwnFiles(dataFolder: string, files: readonly OwnFile[]): () => void {
  const written: string[] = [];
  const remove = () => {
    for (const path of written) rmSync(path, { force: true });
  };
  try {
    for (const { name, bytes } of files) {
      const path = join(dataFolder, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, bytes, { flag: "wx" });
      written.push(path);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
