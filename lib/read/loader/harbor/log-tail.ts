import { stripVTControlCharacters } from "node:util";

import { countLineFeeds } from "../detail/files/file-bytes";
import type { LoadRoot } from "../discover/load-root";
import { listOrNull } from "../file-access";
import { type OpenFile, openForReading, readChunks } from "../file-chunks";
import { statFolder } from "../file-stamp";

const TAIL_BYTES = 1 << 18;
const MAX_COUNTED_BYTES = 64 << 20;
const MAX_LOGS = 16;
const MAX_LINE = 2000;

export interface LogTail {
  readonly lines: readonly string[];
  readonly texts: readonly string[];
  readonly isWhole: boolean;
  readonly countBefore: () => number | null;
}

/** Reads the last 256 KiB of a log while it is open; null if absent or unreadable. @param file - relative to the root */
export function useLogTail<T>(root: LoadRoot, file: string, use: (tail: LogTail) => T): T | null {
  const read = openForReading(root, file, (open) => {
    const from = Math.max(0, open.size - TAIL_BYTES);
    const texts = readTail(open, from).split("\n");
    const lines = texts.map(cleanLine);
    const countBefore = () => (from === 0 ? 0 : countLines(open, from));
    return { value: use({ lines, texts, isWhole: from === 0, countBefore }) };
  });
  return typeof read === "string" ? null : read.value;
}

export function listLogs(root: LoadRoot, folder: string): readonly string[] {
  if (!statFolder(root, folder).canEnter) return [];
  const entries = listOrNull(root, folder)?.entries ?? [];
  return entries
    .map(({ name }) => name)
    .filter((name) => /\.(?:txt|log)$/.test(name) && name !== "reward.txt")
    .sort()
    .slice(0, MAX_LOGS);
}

function readTail(open: OpenFile, from: number): string {
  const pieces = [...readChunks(open, from, open.size)].map((bytes) => Buffer.from(bytes));
  return Buffer.concat(pieces).toString("utf8");
}

function cleanLine(text: string): string {
  return stripVTControlCharacters(text.slice(0, MAX_LINE)).trimEnd();
}

function countLines(open: OpenFile, to: number): number | null {
  if (to > MAX_COUNTED_BYTES) return null;
  let count = 0;
  for (const bytes of readChunks(open, 0, to)) count += countLineFeeds(bytes);
  return count;
}
