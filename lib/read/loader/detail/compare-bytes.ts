import type { FileHandle } from "node:fs/promises";

import type { LoadIssue } from "@/lib/core/domain/load-issue";

import { describeErrorCode, readErrorCode } from "../discover/load-root";
import { type FoundInside, type OpenFile, openInside } from "./open-inside";

export interface BytesComparison {
  readonly sizes: { readonly a: number; readonly b: number };
  /** Byte offset; the shorter length if one file is a prefix of the other; null if equal. */
  readonly firstDifference: number | null;
  readonly linesBefore: number;
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Compares in chunks, so that files may have any size. Issue paths omit the folder. @param maxBytes - limit per file */
export async function compareBytes(
  folderA: string,
  folderB: string,
  path: string,
  maxBytes: number,
): Promise<FoundInside<BytesComparison>> {
  const a = await openInside(folderA, path);
  if (!a.ok) return a;
  const b = await openInside(folderB, path);
  if (!b.ok) {
    await a.value.handle.close();
    return b;
  }
  try {
    return { ok: true, value: await compareOpened(a.value, b.value, maxBytes) };
  } catch (error) {
    return { ok: false, issue: describeFailure(path, error), isAbsent: false };
  } finally {
    await a.value.handle.close();
    await b.value.handle.close();
  }
}

async function compareOpened(a: OpenFile, b: OpenFile, maxBytes: number): Promise<BytesComparison> {
  const sizes = { a: a.stats.size, b: b.stats.size };
  const end = Math.min(sizes.a, sizes.b, maxBytes);
  const [chunkA, chunkB] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
  let linesBefore = 0;
  let at = 0;
  while (at < end) {
    const length = Math.min(CHUNK_BYTES, end - at);
    const partA = await readPart(a.handle, chunkA, at, length);
    const partB = await readPart(b.handle, chunkB, at, length);
    const equal = countEqualBytes(partA, partB);
    linesBefore += countLineFeeds(partA.subarray(0, equal));
    at += equal;
    if (equal < length) return { sizes, firstDifference: at, linesBefore, isWhole: true };
  }
  const isWhole = at === Math.min(sizes.a, sizes.b);
  return { sizes, firstDifference: isWhole && sizes.a !== sizes.b ? at : null, linesBefore, isWhole };
}

async function readPart(handle: FileHandle, chunk: Buffer, at: number, length: number): Promise<Buffer> {
  const { bytesRead } = await handle.read(chunk, 0, length, at);
  return chunk.subarray(0, bytesRead);
}

function countEqualBytes(a: Buffer, b: Buffer): number {
  if (a.equals(b)) return a.length;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  return at;
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

export async function readWindow(
  folder: string,
  path: string,
  from: number,
  length: number,
): Promise<FoundInside<Buffer>> {
  const opened = await openInside(folder, path);
  if (!opened.ok) return opened;
  const { handle, stats } = opened.value;
  try {
    const size = Math.min(length, Math.max(0, stats.size - from));
    return { ok: true, value: await readPart(handle, Buffer.alloc(size), from, size) };
  } catch (error) {
    return { ok: false, issue: describeFailure(path, error), isAbsent: false };
  } finally {
    await handle.close();
  }
}

function describeFailure(path: string, error: unknown): LoadIssue {
  return { code: "file_unreadable", path, detail: describeErrorCode(readErrorCode(error)) };
}
