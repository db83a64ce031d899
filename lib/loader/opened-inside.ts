import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";

import { type FolderEntries, readEntries } from "./discover/folder-entries";

/** Whether `target` is `base` or below it. Both are absolute and free of `..`. */
export function isInside(base: string, target: string): boolean {
  return target === base || target.startsWith(base.endsWith(sep) ? base : base + sep);
}

/** Tells processes that are started later what is opened as well. */
const OPENED = "ASSAY_OPENED";

/**
 * Notes the opened folders, real absolute paths, for this process and those that it starts from now on: a folder that is opened
 * inside of another may be hidden from people who see the other, so nothing leads from one into the other.
 */
export function noteOpenedFolders(paths: readonly string[]): void {
  process.env[OPENED] = JSON.stringify(paths);
}

let known: { readonly text: string; readonly paths: readonly string[] } = { text: "", paths: [] };

function listOpened(): readonly string[] {
  const text = process.env[OPENED] ?? "[]";
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- this program wrote it, see noteOpenedFolders
  if (text !== known.text) known = { text, paths: JSON.parse(text) };
  return known.paths;
}

/** Whether the innermost opened folder that holds `path` is the one that holds `other`; both are absolute and free of `..`. */
export function isInSameOpened(path: string, other: string): boolean {
  const opened = listOpened();
  return opened.length < 2 || findOpened(opened, path) === findOpened(opened, other);
}

function findOpened(opened: readonly string[], path: string): string {
  return opened.reduce((best, one) => (one.length > best.length && isInside(one, path) ? one : best), "");
}

/** Whether what stands at `path` below `base` really lies there, at `target`: neither out of it nor in another opened folder. */
export function staysInside(base: string, path: string, target: string): boolean {
  return isInside(base, target) && isInSameOpened(path, target);
}

/**
 * Whether an open file lies below a real absolute folder, see {@link staysInside}: any folder in its path may have been swapped for a link since it
 * was looked at.
 * @param path - absolute, what was opened; looked up again only on systems that cannot tell where an open file lies
 * @throws the system's error when the file is gone on such a system
 */
export function isOpenedInside(descriptor: number, path: string, base: string): boolean {
  const opened = readOpenedPath(descriptor);
  if (opened !== null) return staysInside(base, path, opened);
  const target = realpathSync(path);
  const [own, found] = [fstatSync(descriptor, { bigint: true }), statSync(target, { bigint: true })];
  return staysInside(base, path, target) && own.dev === found.dev && own.ino === found.ino;
}

/** Where an open file lies, as Linux tells it; null on other systems. */
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

/** For folders that are listed; a link is followed, since what was opened is looked at behind it. */
export const OPEN_FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;

/**
 * The entries of an absolute folder, in the order of the disk; null when what was opened does not lie below the real path
 * `base`.
 * @throws the system's error when it cannot be listed
 */
export function listOpenedInside(path: string, base: string): FolderEntries | null {
  const descriptor = openSync(path, OPEN_FOLDER_FLAGS);
  try {
    const opened = readOpenedPath(descriptor);
    if (!(opened === null ? isOpenedInside(descriptor, path, base) : staysInside(base, path, opened)))
      return null;
    const place = opened === null ? path : nameDescriptor(descriptor);
    return readEntries(place);
  } finally {
    closeSync(descriptor);
  }
}

/** A path that leads to an open folder whatever becomes of the folders on its own; `path` where the system has none. */
export function nameOpened(descriptor: number, path: string): string {
  return readOpenedPath(descriptor) === null ? path : nameDescriptor(descriptor);
}
