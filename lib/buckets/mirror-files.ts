import {
  chmodSync,
  closeSync,
  copyFileSync,
  futimesSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import type { ListedObject } from "./client";
import type { MirrorPlace, MirrorState } from "./place";

/** Codes of the system for a path that cannot be had: another object's key is a folder of it, or it does not fit. */
const NO_PATH: ReadonlySet<string> = new Set([
  "ENOTDIR",
  "EEXIST",
  "EISDIR",
  "ENOTEMPTY",
  "ENAMETOOLONG",
  "EFBIG",
  "EINVAL",
]);

/** Whether the system refused a path that another object's key, or its own length or size, makes impossible. */
export function isImpossible(error: unknown): boolean {
  return error instanceof Error && "code" in error && NO_PATH.has(String(error.code));
}

/**
 * Files of a mirror, and placeholders for those that are not here. Nobody else writes below its folder and it makes no links, so
 * that a path that is checked stays what it is. Paths are relative and checked by `findPathProblem`.
 */
export class MirrorFiles {
  private readonly place: MirrorPlace;
  private nParts = 0;

  constructor(place: MirrorPlace) {
    this.place = place;
    rmSync(place.parts, { recursive: true, force: true });
    mkdirSync(place.parts, { recursive: true, mode: 0o700 });
    mkdirSync(place.files, { recursive: true, mode: 0o700 });
  }

  /** Path of a file that nothing reads yet. */
  openPart(): string {
    return join(this.place.parts, String(this.nParts++));
  }

  /** Puts what was fetched in its place, in one step. @throws the system's error, see {@link isImpossible} */
  put(part: string, path: string, { modifiedMs }: ListedObject): void {
    const target = this.prepare(path);
    chmodSync(part, 0o600);
    utimesSync(part, toSeconds(modifiedMs), toSeconds(modifiedMs));
    renameSync(part, target);
  }

  /** Puts something in its place that has its size and says that it is not here, see `isPlaceholder`. @throws the system's error */
  putPlaceholder(path: string, { size, modifiedMs }: ListedObject): void {
    const part = this.openPart();
    const descriptor = openSync(part, "wx", 0o400);
    try {
      ftruncateSync(descriptor, size);
      futimesSync(descriptor, toSeconds(modifiedMs), toSeconds(modifiedMs));
    } finally {
      closeSync(descriptor);
    }
    try {
      renameSync(part, this.prepare(path));
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  }

  /** Makes the folders above a file. A key that is the folder of others gives way: it hides one file, and they would be many. */
  private prepare(path: string): string {
    const target = join(this.place.files, path);
    for (let isRetry = false; ; isRetry = true) {
      try {
        mkdirSync(dirname(target), { recursive: true });
        return target;
      } catch (error) {
        if (isRetry || !isImpossible(error)) throw error;
        this.removeFileAbove(path);
      }
    }
  }

  private removeFileAbove(path: string): void {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      const above = join(this.place.files, folder);
      if (lstatSync(above, { throwIfNoEntry: false })?.isFile() === true) rmSync(above);
    }
  }

  /** Removes a file, and the folders that nothing is in any more. */
  remove(path: string): void {
    rmSync(join(this.place.files, path), { force: true });
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.place.files, folder));
      } catch {
        return;
      }
    }
  }

  /**
   * Makes the results that are nearest above some files other files with the same bytes: it is by these that whoever has read a
   * trial sees that there is more to read.
   */
  renewResults(paths: readonly string[]): void {
    const results = new Set<string>();
    for (const path of paths) {
      const result = this.findResult(dirname(path));
      if (result !== null) results.add(result);
    }
    for (const result of results) {
      const part = this.openPart();
      const { mtime } = statSync(result);
      copyFileSync(result, part);
      utimesSync(part, mtime, mtime);
      renameSync(part, result);
    }
  }

  private findResult(start: string): string | null {
    for (let folder = start; folder !== "."; folder = dirname(folder)) {
      const file = join(this.place.files, folder, "result.json");
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats !== undefined) return stats.isFile() && (stats.mode & 0o200) !== 0 ? file : null;
    }
    return null;
  }

  writeState(state: MirrorState): void {
    const part = this.openPart();
    writeFileSync(part, JSON.stringify(state));
    renameSync(part, this.place.state);
  }
}

/** Within what every file system can keep: a server may say any time. */
function toSeconds(ms: number): number {
  return Math.min(Math.max(ms, 0), 4e12) / 1000;
}
