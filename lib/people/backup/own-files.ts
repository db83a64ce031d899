import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { SCANNER_FOLDER } from "@/lib/core/domain/own-folders";
import { RULES_FILE } from "@/lib/store/indexer/derived-details-run";

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

export function readOwnFile(dataFolder: string, name: string): OwnFile {
  return { name, bytes: readFileSync(join(dataFolder, name)) };
}

/**
 * Writes files that must not exist yet; after a failure none is left. @returns removes them again
 *
 * @throws an error of the file system, also for an existing file
 */
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
