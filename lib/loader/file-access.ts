import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";

import type { LoadIssue } from "@/lib/domain/load-issue";

import { type LoadRoot, prepareIssue, readErrorCode, resolveLink } from "./load-root";

/** Sizes above which a file is reported instead of read. */
export const MAX_BYTES = { result: 64 << 20, lock: 256 << 20, config: 16 << 20, reward: 4 << 20 } as const;

/** What stands under a file's name. `stamp` changes whenever the content may have changed. */
export type FileState =
  | { readonly kind: "absent" }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly size: number;
      readonly stamp: string;
      readonly mtimeMs: number;
    }
  | { readonly kind: "refused"; readonly issue: LoadIssue };

/** Looks at a file without opening it. A link is followed when it stays below the root. */
export function statFile(root: LoadRoot, file: string): FileState {
  // Not path.join: it normalises character by character, and this runs several times a trial.
  const path = `${root.path}/${file}`;
  const refuse = (detail: string): FileState => ({
    kind: "refused",
    issue: prepareIssue(root, "file_unreadable", file, detail),
  });
  let stats: Stats | undefined;
  let target = path;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: "absent" };
    if (stats.isSymbolicLink()) {
      const link = resolveLink(root, file);
      if ("failure" in link) return refuse(`The link leads nowhere (${link.failure}).`);
      if (link.target === null) return { kind: "refused", issue: refuseLink(root, file) };
      target = join(root.path, link.target);
      stats = statSync(target);
    }
  } catch (error) {
    return refuse(`It cannot be read (${readErrorCode(error)}).`);
  }
  if (!stats.isFile())
    return refuse(
      `${stats.isDirectory() ? "A folder" : "A device or pipe"} stands where a file was expected.`,
    );
  const stamp = `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
  return { kind: "file", path: target, size: stats.size, stamp, mtimeMs: stats.mtimeMs };
}

function refuseLink(root: LoadRoot, folder: string): LoadIssue {
  const detail =
    "The link leads out of the opened folder and was not followed. Open its target as a folder of its own.";
  return prepareIssue(root, "link_outside_root", folder, detail);
}

/** The bytes of a file, or why they cannot be read. */
export type FileBytes =
  | { readonly kind: "absent" }
  | { readonly kind: "read"; readonly bytes: Buffer; readonly stamp: string; readonly mtimeMs: number }
  | { readonly kind: "refused"; readonly issue: LoadIssue };

/** Reads a whole file of at most `maxBytes`. Never blocks on a pipe and never follows a link out of the root. */
export function readFileBytes(root: LoadRoot, file: string, maxBytes: number): FileBytes {
  const state = statFile(root, file);
  if (state.kind !== "file") return state;
  try {
    const bytes = readRegularFile(state.path, maxBytes);
    if (bytes !== null) return { kind: "read", bytes, stamp: state.stamp, mtimeMs: state.mtimeMs };
    const mib = Math.round(state.size / (1 << 20));
    const detail = `It has ${mib} MiB and files above ${maxBytes >> 20} MiB are not read.`;
    return { kind: "refused", issue: prepareIssue(root, "file_too_large", file, detail) };
  } catch (error) {
    const code = readErrorCode(error);
    if (code === "ENOENT") return { kind: "absent" };
    return {
      kind: "refused",
      issue: prepareIssue(root, "file_unreadable", file, `It cannot be read (${code}).`),
    };
  }
}

function readRegularFile(path: string, maxBytes: number): Buffer | null {
  // The path was checked a moment ago; these flags hold even if it was swapped for a link or a pipe since.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    if (size > maxBytes) return null;
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    while (length < size) {
      const count = readSync(descriptor, bytes, length, size - length, null);
      if (count === 0) break;
      length += count;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** What a folder holds, names in code unit order. */
export interface FolderListing {
  readonly folders: readonly string[];
  readonly files: ReadonlySet<string>;
  readonly issues: readonly LoadIssue[];
  /** Links to folders below the root: shown under their own path, so only a job's trials are read through them. */
  readonly linkedFolders: readonly string[];
}

/** Lists a folder, or says why it cannot be listed. */
export function listFolder(root: LoadRoot, folder: string): FolderListing | LoadIssue {
  const folders: string[] = [];
  const linkedFolders: string[] = [];
  const files = new Set<string>();
  const issues: LoadIssue[] = [];
  try {
    const entries = readdirSync(`${root.path}/${folder}`, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (!entry.isSymbolicLink()) files.add(entry.name);
      else if (isFolderLink(root, path, issues)) linkedFolders.push(entry.name);
      else files.add(entry.name);
    }
  } catch (error) {
    const code = readErrorCode(error);
    // Bytes of a name that are no text come as this character, which leads nowhere.
    const isGarbled = code === "ENOENT" && folder.includes("\ufffd");
    const detail = isGarbled
      ? "Its name is not UTF-8 text, so it cannot be opened. Rename it."
      : `It cannot be listed (${code}).`;
    return prepareIssue(root, "folder_unreadable", folder, detail);
  }
  return { folders, files, issues, linkedFolders };
}

/** Whether a link leads to a folder below the root; one that leads out of it is added to `issues`. */
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

/** The stamp that {@link statFile} gives, as one text for every kind of state. */
export function describeStamp(state: FileState | FileBytes): string {
  if (state.kind === "absent") return "";
  return state.kind === "refused" ? "refused" : state.stamp;
}

/** Whether a folder is there and may be entered: no link out of the root stands in its place. */
export function canEnterFolder(root: LoadRoot, folder: string): boolean {
  try {
    const stats = lstatSync(`${root.path}/${folder}`, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isSymbolicLink()) return stats?.isDirectory() ?? false;
    const link = resolveLink(root, folder);
    return !("failure" in link) && link.target !== null;
  } catch (error) {
    readErrorCode(error);
    return false;
  }
}
