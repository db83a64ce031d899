import { fstatSync, statSync } from "node:fs";

import { formatStamp } from "./file-stamp";

export interface FileVersion {
  readonly path: string;
  readonly stamp: string;
}

/** A file version that crashed a reading process and is never read again. */
export interface SetAsideFile extends FileVersion {
  readonly cost: string;
}

const LARGE_BYTES = 1 << 20;

const setAside = new Map<string, SetAsideFile>();
let listener: ((file: FileVersion | null) => void) | null = null;
let isTellingTrials = false;
let trial: FileVersion | null = null;
let isAtLarge = false;

/** Reports each large file before parsing and null afterwards, so that a crash can be attributed. */
export function watchLargeFiles(onLargeFile: (file: FileVersion | null) => void): void {
  listener = onLargeFile;
}

/** Also reports trials: many small files together may crash a process. */
export function tellTrials(isTelling: boolean): void {
  isTellingTrials = isTelling;
}

export function refuseFiles(files: readonly SetAsideFile[]): void {
  setAside.clear();
  for (const file of files) setAside.set(file.path, file);
}

export function leaveTrial(): void {
  isAtLarge ||= trial !== null;
  trial = null;
  leaveLargeFile();
}

export function leaveLargeFile(): void {
  if (isAtLarge) listener?.(trial);
  isAtLarge = false;
}

/** Call with each trial's absolute folder before opening its files. @returns why it must not be read, or null */
export function enterTrial(
  folder: string,
  reading: "result" | "derived-details" | "failures" | "texts" | "scans",
): string | null {
  leaveTrial();
  const path = `${folder} (${reading})`;
  if (!isTellingTrials && !setAside.has(path)) return null;
  const version = { path, stamp: stampTrial(folder) };
  const reason = explainRefusal(version, "Its files can be opened one by one.");
  if (reason !== null || !isTellingTrials) return reason;
  trial = version;
  listener?.(version);
  return null;
}

function stampTrial(folder: string): string {
  const stamps = [folder, `${folder}/result.json`].map((one) => {
    const stats = statSync(/*turbopackIgnore: true*/ one, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : formatStamp(stats);
  });
  return stamps.join(" ");
}

/** Call between opening and parsing a file. Returns why it must not be read, or null. */
export function enterFile(path: string, size: number, descriptor: number): string | null {
  if (size < LARGE_BYTES) {
    leaveLargeFile();
    return null;
  }
  const version = { path, stamp: formatStamp(fstatSync(descriptor, { bigint: true })) };
  const reason = explainRefusal(version, "The file itself can be opened.");
  if (reason !== null) return reason;
  isAtLarge = true;
  listener?.(version);
  return null;
}

function explainRefusal({ path, stamp }: FileVersion, wayOut: string): string | null {
  const known = setAside.get(path);
  if (known?.stamp !== stamp) return null;
  return `Reading it took ${known.cost}, so it is left out until it changes. ${wayOut}`;
}
