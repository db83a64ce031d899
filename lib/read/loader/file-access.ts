import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
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
import { formatStamp, statGuarded, stampGuarded, stampStat } from "./file-stamp";
import { enterFile } from "./large-files";
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
  /** True if permissions forbid reading. Then `stamp` comes from {@link stampGuarded}. */
  readonly isDenied: boolean;
}

const UNOPENED = { kind: "refused", bytes: null, mtimeMs: 0, isDenied: false } as const;

/** Does not open the file. Follows links that stay below the root. */
function statFile(
  root: LoadRoot,
  file: string,
): Exclude<FileReading, ReadFile> | { readonly kind: "file"; path: string; stamp: string } {
  const stat = statGuarded(root, file);
  const stamp = stampStat(stat);
  const refuse = (detail: string): RefusedFile => ({
    ...UNOPENED,
    issue: prepareIssue(root, "file_unreadable", file, detail),
    stamp,
  });
  switch (stat.kind) {
    case "absent":
      return { kind: "absent", stamp };
    case "outside":
      return { ...UNOPENED, issue: refuseLink(root, file), stamp };
    case "failed":
      return refuse(describeErrorCode(stat.code));
    case "there":
      if (stat.stats.isFile()) return { kind: "file", path: stat.path, stamp };
      return refuse(
        `${stat.stats.isDirectory() ? "A folder" : "A device or pipe"} was found where a file was expected. Put the file there.`,
      );
  }
}

/**
 * Reads a whole file of at most `maxBytes`. Never blocks on a pipe and never follows a link out of the root.
 * @param scratch - buffer for files that fit; the bytes are valid until the next read into it
 */
export function readFileBytes(
  root: LoadRoot,
  file: string,
  maxBytes: number,
  scratch: Buffer | null = null,
): FileReading {
  // Most entries are plain files, so open first and stat only on failure.
  const quick = readRegularFile(root, `${root.path}/${file}`, maxBytes, scratch);
  if (quick.kind === "read") return quick;
  if (quick.kind === "failed" && quick.code === "ENOENT") return { kind: "absent", stamp: "" };
  const state = statFile(root, file);
  if (state.kind !== "file") return state;
  const guarded = stampGuarded(root, file);
  const close = quick.kind === "left-out" ? quick : readRegularFile(root, state.path, maxBytes, scratch);
  if (close.kind === "read") return close;
  const refuse = (code: LoadIssue["code"], detail: string, stamp: string, isDenied = false): RefusedFile => ({
    ...UNOPENED,
    issue: prepareIssue(root, code, file, detail),
    stamp,
    isDenied,
  });
  if (close.kind === "left-out") return refuse(close.code, close.detail, close.stamp);
  if (close.kind === "outside") return { ...UNOPENED, issue: refuseLink(root, file), stamp: "?outside" };
  // Retry transient failures: use a stamp that no stat returns.
  const code = close.kind === "failed" ? close.code : "ESTALE";
  if (code === "ENOENT") return { kind: "absent", stamp: state.stamp };
  const isDenied = isDenial(code);
  return refuse("file_unreadable", describeErrorCode(code), isDenied ? guarded : `?${code}`, isDenied);
}

type RegularRead =
  | ReadFile
  | {
      readonly kind: "left-out";
      readonly code: LoadIssue["code"];
      readonly detail: string;
      readonly stamp: string;
    }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "irregular" }
  | { readonly kind: "outside" };

/** Safe even if the file was swapped for a link or a pipe since the stat. */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readRegularFile(
  root: LoadRoot,
  path: string,
  maxBytes: number,
  scratch: Buffer | null,
): RegularRead {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return { kind: "irregular" };
    if (!isOpenedInside(descriptor, path, root.path)) return { kind: "outside" };
    const size = Number(stats.size);
    const stamp = formatStamp(stats);
    if (size > maxBytes) {
      const mib = Math.round(size / (1 << 20));
      const detail = `It has ${mib} MiB and files above ${maxBytes >> 20} MiB are not read.`;
      return { kind: "left-out", code: "file_too_large", detail, stamp };
    }
    if (isPlaceholder(path, Number(stats.mode)))
      return { kind: "left-out", code: "object_not_fetched", detail: NOT_FETCHED, stamp };
    const detail = enterFile(path, size, descriptor);
    if (detail !== null) return { kind: "left-out", code: "reader_stopped", detail, stamp };
    const buffer = scratch !== null && size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
    let length = 0;
    while (length < size) {
      const count = readSync(descriptor, buffer, length, size - length, null);
      if (count === 0) break;
      length += count;
    }
    const bytes = buffer.subarray(0, length);
    noteRead(path, bytes);
    return { kind: "read", bytes, stamp, mtimeMs: Number(stats.mtimeMs) };
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    return { kind: "failed", code: readErrorCode(error) };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
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
