import { fstatSync, statSync } from "node:fs";

import { formatStamp } from "./file-stamp";

export interface FileVersion {
  /** Absolute. */
  readonly path: string;
  readonly stamp: string;
}

/** A file that ended a process which read it. Nobody reads that version of it again. */
export interface SetAsideFile extends FileVersion {
  /** What reading it took, as in "more than 60 s". */
  readonly cost: string;
}

/** Smaller files are told of with their trial, where at all: each of them costs little. */
const LARGE_BYTES = 1 << 20;

const setAside = new Map<string, SetAsideFile>();
let listener: ((file: FileVersion | null) => void) | null = null;
let isTellingTrials = false;
/** The trial that is at work, where trials are told of. */
let trial: FileVersion | null = null;
let isAtLarge = false;

/** Names every large file before it is parsed, and null once it is done, so that whoever watches knows where it ended. */
export function watchLargeFiles(onLargeFile: (file: FileVersion | null) => void): void {
  listener = onLargeFile;
}

/** Has this process tell of every trial as of a large file: what none of its files does, all of them may. */
export function tellTrials(isTelling: boolean): void {
  isTellingTrials = isTelling;
}

/** Has every reader of this process refuse these versions of files, and none that was named before. */
export function refuseFiles(files: readonly SetAsideFile[]): void {
  setAside.clear();
  for (const file of files) setAside.set(file.path, file);
}

/** Tells that neither a large file nor a trial is at work any more. */
export function leaveTrial(): void {
  isAtLarge ||= trial !== null;
  trial = null;
  leaveLargeFile();
}

/** Tells that no large file is at work any more. */
export function leaveLargeFile(): void {
  if (isAtLarge) listener?.(trial);
  isAtLarge = false;
}

/**
 * To be called with every trial's absolute folder before any of its files is opened, for one of its readings.
 * @returns why the trial is not to be read, as one sentence; null when it is
 */
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

/** Changes when a file of the folder itself comes or goes, or its result is written again. */
function stampTrial(folder: string): string {
  const stamps = [folder, `${folder}/result.json`].map((one) => {
    const stats = statSync(/*turbopackIgnore: true*/ one, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : formatStamp(stats);
  });
  return stamps.join(" ");
}

/** To be called between opening and parsing a file; says why it is not to be read, else null. */
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
