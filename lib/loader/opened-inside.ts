import { fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";

/** Whether `target` is `base` or below it. Both are absolute and free of `..`. */
export function isInside(base: string, target: string): boolean {
  return target === base || target.startsWith(base.endsWith(sep) ? base : base + sep);
}

/**
 * Whether an open file lies below a folder. A path says what was there when it was looked at, and any folder in it may have been
 * swapped for a link since; what was opened does not change any more.
 *
 * @param path - what was opened; looked at again only on systems that cannot tell where an open file lies
 * @param base - real absolute path of the folder
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
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}
