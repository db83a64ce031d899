import { fstatSync } from "node:fs";

import { formatStamp } from "./file-stamp";

/** A file in one of its versions. */
export interface FileVersion {
  /** Absolute. */
  readonly path: string;
  /** See `formatStamp`. */
  readonly stamp: string;
}

/** A file that ended a process which read it. Nobody reads that version of it again. */
export interface SetAsideFile extends FileVersion {
  /** What reading it took, as in "more than 60 s". */
  readonly cost: string;
}

/** Smaller files cannot make a reader use up its memory or its time, whatever they hold. */
const LARGE_BYTES = 1 << 20;

const setAside = new Map<string, SetAsideFile>();
let listener: ((file: FileVersion | null) => void) | null = null;
let isAtLarge = false;

/**
 * Has this process tell of every large file before it is parsed, so that whoever watches it knows which file it was at when it
 * ended; null once it is done with it.
 */
export function watchLargeFiles(onLargeFile: (file: FileVersion | null) => void): void {
  listener = onLargeFile;
}

/** Has every reader of this process refuse these versions of files, and none that was named before. */
export function refuseFiles(files: readonly SetAsideFile[]): void {
  setAside.clear();
  for (const file of files) setAside.set(file.path, file);
}

/** Tells that no large file is at work any more. */
export function leaveLargeFile(): void {
  if (isAtLarge) listener?.(null);
  isAtLarge = false;
}

/**
 * To be called with every file between opening and parsing it.
 *
 * @param path - absolute
 * @param size - bytes
 * @returns why the file is not to be read, as one sentence; null when it is
 */
export function enterFile(path: string, size: number, descriptor: number): string | null {
  if (size < LARGE_BYTES) {
    leaveLargeFile();
    return null;
  }
  const stamp = formatStamp(fstatSync(descriptor, { bigint: true }));
  const known = setAside.get(path);
  if (known?.stamp === stamp)
    return `Reading it took ${known.cost}, so it is left out until it changes. The file itself can be opened.`;
  isAtLarge = true;
  listener?.({ path, stamp });
  return null;
}
