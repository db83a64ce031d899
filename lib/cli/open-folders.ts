import { type Stats, realpathSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import type { Summation } from "@/lib/core/scoring";
import { type AnnotationStore, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { readCatalog } from "@/lib/read/catalog";
import { findJobFolder } from "@/lib/store/database";

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

/** Parses `--summation`, else ASSAY_SUMMATION, else Python 3.12's. @throws UsageError for any other name */
export function parseSummation(option: string | undefined, env: Terminal["env"]): Summation {
  const name = option ?? (env["ASSAY_SUMMATION"] || undefined) ?? "cpython-3.12";
  if (name === "cpython-3.12" || name === "sequential") return name;
  throw new UsageError(`Unknown summation "${name}". Use cpython-3.12 or sequential.`);
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

/** Refuses a file in or below `folder`, which is read-only input. @throws UsageError also when the file's folder is missing */
export function checkOutput(file: string, folder: string): void {
  const below = relative(findFolder(folder), join(findFolder(dirname(resolve(file))), basename(file)));
  const isOutside = below.startsWith("..") || isAbsolute(below);
  if (!isOutside) throw new UsageError(`Job folders are read-only. Choose a file outside ${folder}.`);
}

function findFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`Folder ${path} does not exist.`, { cause: error });
  }
}

export function checkOutsideJobs(place: string): void {
  const folder = findJobFolder(resolve(place));
  if (folder !== null)
    throw new UsageError(
      `${place} is inside the job folder ${folder}, which is read-only. Choose another place.`,
    );
}

/**
 * Writes a file completely or not at all. Data goes to a temporary file next to it, which is renamed after all parts are written
 * and `check`, called with its name, passes.
 *
 * @param mode - permissions, reduced by the system's umask
 */
export async function writeFileAtOnce(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
  { mode = 0o666, check }: { mode?: number; check?: (written: string) => Promise<void> } = {},
): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  const handle = await open(partial, "wx", mode);
  try {
    for await (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
    await handle.close();
    await check?.(partial);
    await rename(partial, file);
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
}
