import { type Stats, statSync } from "node:fs";

import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import type { Summation } from "@/lib/core/scoring";
import { type AnnotationStore, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { readCatalog } from "@/lib/read/catalog";

import { UsageError } from "./command";
import { type Terminal, makeProgressBar, warn } from "./terminal";

/**
 * Reads everything below `folders`. Prints progress, unreadable folders and uncounted copies on stderr.
 *
 * @throws UsageError for a missing folder
 */
export function openFolders(
  terminal: Terminal,
  folders: readonly string[],
  summation: Summation,
): CatalogSnapshot {
  for (const folder of folders) checkFolder(folder);
  const bar = makeProgressBar(terminal.stderr);
  try {
    const onProgress = ({ nTrialsRead, nTrials }: { nTrialsRead: number; nTrials: number }) =>
      bar.show(nTrialsRead, nTrials);
    const snapshot = readCatalog({ roots: folders, summation, onProgress });
    bar.clear();
    for (const { code, path, detail } of snapshot.issues)
      if (code === "folder_unreadable") warn(terminal, `${path}: ${detail}`);
    for (const { path } of snapshot.copies) warn(terminal, `a copy of another job, not counted: ${path}`);
    return snapshot;
  } finally {
    bar.clear();
  }
}

/** Undefined if nothing is there, null if that is unknown, such as below a folder that the user cannot read. */
export function statOrNull(path: string): Stats | null | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}

export const ALLOW_READING = "Grant read access to the user that runs Assay.";

export function checkFolder(folder: string): void {
  const stats = statOrNull(folder);
  if (stats === null) throw new UsageError(`${folder} cannot be read. ${ALLOW_READING}`);
  if (stats === undefined) throw new UsageError(`Folder ${folder} does not exist.`);
  if (!stats.isDirectory()) throw new UsageError(`${folder} is a file. Choose the folder that contains it.`);
}

export function checkFile(file: string): void {
  const stats = statOrNull(file);
  if (stats === null) throw new UsageError(`${file} cannot be read. ${ALLOW_READING}`);
  if (stats === undefined) throw new UsageError(`File ${file} does not exist.`);
  if (!stats.isFile()) throw new UsageError(`${file} is not a file.`);
}

export function withData(env: Terminal["env"], folder: string | undefined): Terminal["env"] {
  return folder === undefined ? env : { ...env, ASSAY_DATA: folder };
}

export async function withAnnotations<T>(
  { env }: Terminal,
  folder: string | undefined,
  work: (store: AnnotationStore) => Promise<T>,
): Promise<T> {
  if (folder !== undefined) checkFolder(folder);
  const store = openAnnotationStore(resolveAnnotationTarget(withData(env, folder)));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
