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

/** A key may also be another key's folder, or not fit the file system. */
const NO_PATH: ReadonlySet<string> = new Set([
  "ENOTDIR",
  "EEXIST",
  "EISDIR",
  "ENOTEMPTY",
  "ENAMETOOLONG",
  "EFBIG",
  "EINVAL",
]);

export function readCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isImpossible(error: unknown): boolean {
  return NO_PATH.has(readCode(error));
}

/** Only this process writes below the folder, and it makes no links, so a checked path stays valid. */
export class MirrorFiles {
  private readonly place: MirrorPlace;
  private nParts = 0;

  constructor(place: MirrorPlace) {
    this.place = place;
    rmSync(place.parts, { recursive: true, force: true });
    mkdirSync(place.parts, { recursive: true, mode: 0o700 });
    mkdirSync(place.files, { recursive: true, mode: 0o700 });
  }

  openPart(): string {
    return join(this.place.parts, String(this.nParts++));
  }

  /** Atomic. @throws the system's error, see {@link isImpossible} */
  put(part: string, path: string, { modifiedMs }: ListedObject): void {
    const target = this.prepare(path);
    chmodSync(part, 0o600);
    utimesSync(part, toSeconds(modifiedMs), toSeconds(modifiedMs));
    renameSync(part, target);
  }

  /** Writes a sparse file of the object's size, which `isPlaceholder` recognises. @throws the system's error */
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

  /** A key that is also a folder of other keys gives way: this hides one file instead of many. */
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

  /** Replaces the nearest `result.json` above each path with an identical copy, so that readers see the trial as changed. */
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

/** A server may send any time, and file systems limit it. */
function toSeconds(ms: number): number {
  return Math.min(Math.max(ms, 0), 4e12) / 1000;
}
