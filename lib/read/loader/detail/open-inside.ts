import { closeSync, constants, openSync, realpathSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

import { isPlaceholder, NOT_FETCHED } from "@/lib/core/domain/bucket";
import type { LoadIssue, LoadIssueCode, Parsed } from "@/lib/core/domain/load-issue";

import { type FolderEntry, readEntries } from "../discover/folder-entries";
import { describeErrorCode, readErrorCode } from "../discover/load-root";
import { FILE_LIMITS } from "../file-access";
import { enterFile } from "../large-files";
import { isInside, isOpenedInside, nameOpened, OPEN_FOLDER_FLAGS, staysInside } from "../opened-inside";
import type { FileBytes } from "./files/file-bytes";

interface OpenFile extends FileBytes {
  readonly stats: Stats;
  readonly path: string;
}

export type FoundInside<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: LoadIssue; readonly isAbsent: boolean };

/**
 * Resolves a real path below `folder`, itself a real absolute path. Links inside the folder are allowed. Issues:
 * `link_outside_root` (also for `..`, absolute paths and NUL) and `file_unreadable`.
 */
export function resolveInside(folder: string, path: string): FoundInside<string> {
  if (path.includes("\0") || isAbsolute(path) || !isInside(folder, resolve(folder, path))) {
    return fail("link_outside_root", path, "The path points outside the trial folder and is not followed.");
  }
  try {
    const named = resolve(folder, path);
    const target = realpathSync.native(named);
    if (staysInside(folder, named, target)) return { ok: true, value: target };
    return refuseLink(path);
  } catch (error) {
    return failToRead(path, error);
  }
}

/** Opens a regular file below `folder`. Rejects pipes, devices, folders and files swapped meanwhile. */
export async function openInside(folder: string, path: string): Promise<FoundInside<OpenFile>> {
  const resolved = resolveInside(folder, path);
  if (!resolved.ok) return resolved;
  try {
    const handle = await open(
      /*turbopackIgnore: true*/ resolved.value,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const checked = await checkOpened(handle, path, resolved.value, folder).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    if (!checked.ok) await handle.close();
    return checked;
  } catch (error) {
    return failToRead(path, error);
  }
}

async function checkOpened(
  handle: FileHandle,
  path: string,
  target: string,
  folder: string,
): Promise<FoundInside<OpenFile>> {
  const stats = await handle.stat();
  if (!isOpenedInside(handle.fd, target, folder)) return refuseLink(path);
  if (isPlaceholder(target, stats.mode)) return fail("object_not_fetched", path, NOT_FETCHED);
  if (stats.isFile()) {
    const place = relative(folder, target).split(sep).join("/");
    return { ok: true, value: { handle, sizeBytes: stats.size, stats, path: place } };
  }
  const what = stats.isDirectory() ? "This is a folder, not a file." : "This is not a regular file.";
  return fail("file_unreadable", path, what);
}

/** Opens a file as {@link openInside} does, and closes it after `use`. */
export async function useFileInside<T>(
  folder: string,
  path: string,
  use: (file: OpenFile) => Promise<T>,
): Promise<FoundInside<T>> {
  const opened = await openInside(folder, path);
  if (!opened.ok) return opened;
  try {
    return { ok: true, value: await use(opened.value) };
  } catch (error) {
    return failToRead(path, error);
  } finally {
    await opened.value.handle.close();
  }
}

/** Calls `use` with a path that stays inside `folder` even if an entry is swapped meanwhile. */
export async function useFolderInside<T>(
  folder: string,
  path: string,
  use: (place: string) => Promise<T>,
): Promise<FoundInside<T>> {
  const resolved = resolveInside(folder, path);
  if (!resolved.ok) return resolved;
  let descriptor: number | null = null;
  try {
    descriptor = openSync(/*turbopackIgnore: true*/ resolved.value, OPEN_FOLDER_FLAGS | constants.O_NOFOLLOW);
    if (!isOpenedInside(descriptor, resolved.value, folder)) return refuseLink(path);
    return { ok: true, value: await use(nameOpened(descriptor, resolved.value)) };
  } catch (error) {
    return failToRead(path, error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Lists a folder below `folder`; empty if it cannot be read. */
export async function listFolderInside(folder: string, path: string): Promise<readonly FolderEntry[]> {
  const list = (place: string) => Promise.resolve(readEntries(place).entries);
  const listed = await useFolderInside(folder, path, list);
  return listed.ok ? listed.value : [];
}

export async function readBytesInside(
  folder: string,
  path: string,
  maxBytes: number = FILE_LIMITS.evidence.bytes,
): Promise<Parsed<Buffer> | null> {
  const read = await useFileInside(folder, path, async ({ handle, sizeBytes, path: place }) => {
    if (sizeBytes > maxBytes)
      return fail("file_too_large", path, `The file has ${sizeBytes} bytes; at most ${maxBytes} are read.`);
    const bytes = await handle.readFile();
    // Only parsing happens next, so a crash can be attributed to this file.
    const reason = enterFile(resolve(folder, place), sizeBytes, handle.fd);
    return reason === null ? ({ ok: true, value: bytes } as const) : fail("reader_stopped", path, reason);
  });
  if (read.ok) return read.value;
  return read.isAbsent ? null : read;
}

/** Reads UTF-8 text; invalid bytes become U+FFFD. Null if absent. */
export async function readTextInside(
  folder: string,
  path: string,
  maxBytes: number = FILE_LIMITS.evidence.bytes,
): Promise<Parsed<string> | null> {
  const read = await readBytesInside(folder, path, maxBytes);
  return read?.ok === true ? { ok: true, value: read.value.toString("utf8") } : read;
}

function refuseLink(path: string): Failure {
  return fail("link_outside_root", path, "A link that points outside the trial folder is not followed.");
}

function failToRead(path: string, error: unknown): Failure {
  const code = readErrorCode(error);
  const isAbsent = code === "ENOENT" || code === "ENOTDIR";
  return {
    ...fail("file_unreadable", path, isAbsent ? "The file is not there." : describeErrorCode(code)),
    isAbsent,
  };
}

type Failure = Extract<FoundInside<never>, { readonly ok: false }>;

function fail(code: LoadIssueCode, path: string, detail: string): Failure {
  return { ok: false, issue: { code, path, detail }, isAbsent: false };
}
