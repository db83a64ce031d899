import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";

import { type FolderEntries, readEntries } from "./discover/folder-entries";

/** Both must be absolute without `..`. */
export function isInside(base: string, target: string): boolean {
  return target === base || target.startsWith(base.endsWith(sep) ? base : base + sep);
}

const OPENED = "ASSAY_OPENED";

/**
 * Registers opened folders, real absolute paths, for this process and its future child processes. A folder opened inside another
 * may be hidden from people who see the other, so no path may cross between them.
 */
export function noteOpenedFolders(paths: readonly string[]): void {
  process.env[OPENED] = JSON.stringify(paths);
}

/** True if both paths have the same innermost opened folder. Both must be absolute without `..`. */
export function isInSameOpened(path: string, other: string): boolean {
  const opened = JSON.parse(process.env[OPENED] ?? "[]") as readonly string[]; // Written by noteOpenedFolders.
  return opened.length < 2 || findOpened(opened, path) === findOpened(opened, other);
}

function findOpened(opened: readonly string[], path: string): string {
  return opened.reduce((best, one) => (one.length > best.length && isInside(one, path) ? one : best), "");
}

/** True if the entry at `path` below `base` resolves to `target` there, outside any other opened folder. */
export function staysInside(base: string, path: string, target: string): boolean {
  return isInside(base, target) && isInSameOpened(path, target);
}

/**
 * True if an open file is below a real absolute folder, see {@link staysInside}. Any folder in its path may have been
 * swapped for a link since the last check.
 * @param path - absolute, as opened; resolved again only on systems that cannot locate an open file
 * @throws the system's error when the file is gone on such a system
 */
export function isOpenedInside(descriptor: number, path: string, base: string): boolean {
  const opened = readOpenedPath(descriptor);
  if (opened !== null) return staysInside(base, path, opened);
  const target = realpathSync(path);
  const [own, found] = [fstatSync(descriptor, { bigint: true }), statSync(target, { bigint: true })];
  return staysInside(base, path, target) && own.dev === found.dev && own.ino === found.ino;
}

function readOpenedPath(descriptor: number): string | null {
  try {
    return readlinkSync(nameDescriptor(descriptor));
  } catch {
    return null;
  }
}

function nameDescriptor(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Follows links, because the check runs on the opened folder. */
export const OPEN_FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;

/** Lists a folder in directory order; null if it is not below the real path `base`. @throws the system's error */
export function listOpenedInside(path: string, base: string): FolderEntries | null {
  const descriptor = openSync(path, OPEN_FOLDER_FLAGS);
  try {
    if (!isOpenedInside(descriptor, path, base)) return null;
    return readEntries(nameOpened(descriptor, path));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a path that keeps reaching an open folder after renames; `path` on systems without one. */
export function nameOpened(descriptor: number, path: string): string {
  return readOpenedPath(descriptor) === null ? path : nameDescriptor(descriptor);
}
