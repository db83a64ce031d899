import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

import { ReadingError } from "@/lib/core/domain/app-error";
import { isPlaceholder, NOT_FETCHED } from "@/lib/core/domain/bucket";
import { compareText } from "@/lib/core/domain/compare-text";
import { MOST_JOB_VALUES, MOST_TRIAL_VALUES } from "@/lib/core/domain/count-values";
import type { LoadIssue } from "@/lib/core/domain/load-issue";

import { type FolderEntries, type GarbledEntry, GARBLED_NAME } from "./discover/folder-entries";
import {
  describeErrorCode,
  isDenial,
  joinFolder,
  type LoadRoot,
  prepareIssue,
  readErrorCode,
  refuseLink,
  resolveLink,
} from "./discover/load-root";
import { formatStamp, stampForDenied, statGuarded, stampStat } from "./file-stamp";
import { enterFile, leaveLargeFile } from "./large-files";
import { isOpenedInside, listOpenedInside } from "./opened-inside";
import { noteRead } from "./read-log";

export interface FileLimits {
  readonly bytes: number;
  readonly values: number;
}

export const FILE_LIMITS = {
  result: { bytes: 64 << 20, values: MOST_JOB_VALUES },
  lock: { bytes: 256 << 20, values: MOST_JOB_VALUES },
  trial: { bytes: 64 << 20, values: MOST_TRIAL_VALUES },
  config: { bytes: 16 << 20, values: MOST_TRIAL_VALUES },
  evidence: { bytes: 16 << 20, values: MOST_TRIAL_VALUES },
  reward: { bytes: 4 << 20, values: MOST_TRIAL_VALUES },
} as const satisfies Record<string, FileLimits>;

/** `stamp` changes whenever the content, or the reason for refusal, may have changed. */
export type FileReading<Content = unknown> =
  | { readonly kind: "absent"; readonly stamp: string }
  | (ReadFile & Content)
  | RefusedFile;

export interface ReadFile {
  readonly kind: "read";
  readonly bytes: Buffer;
  /** Taken before the first byte was read. */
  readonly stamp: string;
  readonly mtimeMs: number;
}

interface RefusedFile {
  readonly kind: "refused";
  readonly issue: LoadIssue;
  readonly bytes: Buffer | null;
  readonly stamp: string;
  readonly mtimeMs: number;
  /** True if permissions forbid reading. Then `stamp` comes from {@link stampForDenied}. */
  readonly isDenied: boolean;
}

export interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
  /** As opened: the target of a link. */
  readonly path: string;
}

/** Safe even if the file was swapped for a link or a pipe since the stat. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type Refusal = Pick<LoadIssue, "code" | "detail">;

/** Opens a regular file below the root for `use`. Never blocks on a pipe and never follows a link out of the root. */
function useFile<Used extends object>(
  root: LoadRoot,
  file: string,
  use: (open: OpenFile, stats: BigIntStats) => Used | Refusal,
): Used | Exclude<FileReading, ReadFile> {
  const stat = statGuarded(root, file);
  const refuse = (issue: LoadIssue, stamp = stampStat(stat), isDenied = false): RefusedFile => ({
    ...{ kind: "refused", bytes: null, mtimeMs: 0 },
    ...{ issue, stamp, isDenied },
  });
  const report = (detail: string) => prepareIssue(root, "file_unreadable", file, detail);
  if (stat.kind === "absent") return { kind: "absent", stamp: "" };
  if (stat.kind === "outside") return refuse(refuseLink(root, file));
  if (stat.kind === "failed") return refuse(report(describeErrorCode(stat.code)));
  if (!stat.stats.isFile()) {
    const what = stat.stats.isDirectory() ? "A folder" : "A device or pipe";
    return refuse(report(`${what} was found where a file was expected. Put the file there.`));
  }
  const { path } = stat;
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
    const stats = fstatSync(descriptor, { bigint: true });
    // A file that was swapped since the stat is retried: no stat returns these stamps.
    if (!stats.isFile()) return refuse(report(describeErrorCode("ESTALE")), "?ESTALE");
    if (!isOpenedInside(descriptor, path, root.path)) return refuse(refuseLink(root, file), "?outside");
    const used = use({ descriptor, size: Number(stats.size), path }, stats);
    if (!("detail" in used)) return used;
    return refuse(prepareIssue(root, used.code, file, used.detail), formatStamp(stats));
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    const code = readErrorCode(error);
    if (code === "ENOENT") return { kind: "absent", stamp: stampStat(stat) };
    const isDenied = isDenial(code);
    const stamp = isDenied ? stampForDenied(stat) : `?${code}`;
    return refuse(report(describeErrorCode(code)), stamp, isDenied);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Call before parsing. Returns why the file must not be read, or null. */
function findRefusal({ path, size, descriptor }: OpenFile, { mode }: BigIntStats): Refusal | null {
  if (isPlaceholder(path, Number(mode))) return { code: "object_not_fetched", detail: NOT_FETCHED };
  const detail = enterFile(path, size, descriptor);
  return detail === null ? null : { code: "reader_stopped", detail };
}

/** Reads a whole file of at most `maxBytes`. */
export function readFileBytes(root: LoadRoot, file: string, maxBytes: number): FileReading {
  return useFile<ReadFile>(root, file, (open, stats) => {
    const { size, descriptor, path } = open;
    if (size > maxBytes) {
      const mib = Math.round(size / (1 << 20));
      const detail = `It has ${mib} MiB and files above ${maxBytes >> 20} MiB are not read.`;
      return { code: "file_too_large", detail };
    }
    const refusal = findRefusal(open, stats);
    if (refusal !== null) return refusal;
    // The file may grow meanwhile.
    const buffer = Buffer.allocUnsafe(size);
    let length = 0;
    for (let count = -1; length < size && count !== 0; length += count)
      count = readSync(descriptor, buffer, length, size - length, length);
    const bytes = buffer.subarray(0, length);
    noteRead(path, bytes);
    return { kind: "read", bytes, stamp: formatStamp(stats), mtimeMs: Number(stats.mtimeMs) };
  });
}

/** Calls `read` with an open file, which may have any size; null if it is absent or must not be read. */
export function openForReading<T>(root: LoadRoot, file: string, read: (open: OpenFile) => T): T | null {
  const done = useFile(root, file, (open, stats) => {
    try {
      return findRefusal(open, stats) ?? { kind: "done" as const, value: read(open) };
    } finally {
      leaveLargeFile();
    }
  });
  return done.kind === "done" ? done.value : null;
}

const CHUNK_BYTES = 1 << 18;
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

/** Each chunk is valid until the next. */
export function* readChunks({ descriptor }: OpenFile, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to;) {
    const count = readSync(descriptor, chunk, 0, Math.min(CHUNK_BYTES, to - at), at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}

export interface FolderListing {
  readonly folders: readonly string[];
  readonly files: ReadonlySet<string>;
  readonly issues: readonly LoadIssue[];
  /** Links to folders below the root. Only a job's trials are read through them, since targets appear under their own path. */
  readonly linkedFolders: readonly string[];
}

export function listOrNull(root: LoadRoot, folder: string): FolderEntries | null {
  try {
    return listOpenedInside(`${root.path}/${folder}`, root.path);
  } catch {
    return null;
  }
}

export function listFolder(root: LoadRoot, folder: string): FolderListing | LoadIssue {
  const folders: string[] = [];
  const linkedFolders: string[] = [];
  const files = new Set<string>();
  const issues: LoadIssue[] = [];
  try {
    const listing = listOpenedInside(`${root.path}/${folder}`, root.path);
    if (listing === null) return refuseLink(root, folder);
    issues.push(...reportGarbled(root, folder, listing.garbled));
    for (const entry of listing.entries.toSorted((a, b) => compareText(a.name, b.name))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (!entry.isSymbolicLink()) files.add(entry.name);
      else if (isFolderLink(root, path, issues)) linkedFolders.push(entry.name);
      else files.add(entry.name);
    }
  } catch (error) {
    return prepareIssue(root, "folder_unreadable", folder, describeErrorCode(readErrorCode(error)));
  }
  return { folders, files, issues, linkedFolders };
}

const MOST_GARBLED = 20;

function reportGarbled(root: LoadRoot, folder: string, garbled: readonly GarbledEntry[]): LoadIssue[] {
  const issues = garbled.slice(0, MOST_GARBLED).map(({ name, isFolder }) => {
    const code = isFolder ? "folder_unreadable" : "file_unreadable";
    return prepareIssue(root, code, joinFolder(folder, name), GARBLED_NAME);
  });
  if (garbled.length <= MOST_GARBLED) return issues;
  const detail = `${garbled.length} names in this folder are not UTF-8 text, so these entries cannot be opened.`;
  return [...issues, prepareIssue(root, "folder_unreadable", folder, detail)];
}

function isFolderLink(root: LoadRoot, path: string, issues: LoadIssue[]): boolean {
  const link = resolveLink(root, path);
  if ("failure" in link) return false;
  if (link.target === null) {
    if (statSync(join(root.path, path), { throwIfNoEntry: false })?.isDirectory())
      issues.push(refuseLink(root, path));
    return false;
  }
  return statSync(join(root.path, link.target), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
