import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";

import { type FolderEntries, readEntries } from "./discover/folder-entries";

/** Whether `target` is `base` or below it. Both are absolute and free of `..`. */
export function isInside(base: string, target: string): boolean {
  return target === base || target.startsWith(base.endsWith(sep) ? base : base + sep);
}

/**
 * Whether an open file lies below a real absolute folder: any folder in its path may have been swapped for a link since it
 * was looked at.
 * @param path - what was opened; looked up again only on systems that cannot tell where an open file lies
 * @throws the system's error when the file is gone on such a system
 */
export function isOpenedInside(descriptor: number, path: string, base: string): boolean {
  const opened = readOpenedPath(descriptor);
  if (opened !== null) return isInside(base, opened);
  const target = realpathSync(path);
  const [own, found] = [fstatSync(descriptor, { bigint: true }), statSync(target, { bigint: true })];
  return isInside(base, target) && own.dev === found.dev && own.ino === found.ino;
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
    if (!(opened === null ? isOpenedInside(descriptor, path, base) : isInside(base, opened))) return null;
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
