import type { TextWindow } from "@/lib/core/domain/file-view";
import type { TextLine } from "@/lib/core/domain/trial-file";

import { countLineBytes, prepareTextBlock } from "../terminal-text";
import { countLine, type FileBytes, LINE_FEED, readBytes } from "./file-bytes";

const CARRIAGE_RETURN = 0x0d;
const WINDOW_BYTES = 1 << 20;
const MAX_LINES = 2_000;
const ROW_BYTES = 2_000;
/** In bytes of `countLineBytes`: about 400,000 letters. */
const MAX_BYTES = 800_000;

interface Row {
  readonly from: number;
  readonly to: number;
  readonly goesOn: boolean;
}

export async function readTextFrom(file: FileBytes, from: number): Promise<TextWindow> {
  const bytes = await readBytes(file, from, from + WINDOW_BYTES);
  const start = skipContinuation(bytes);
  const isWhole = from + bytes.length >= file.sizeBytes;
  const lastBreak = isWhole ? -1 : bytes.lastIndexOf(LINE_FEED);
  const end = isWhole ? bytes.length : lastBreak >= 0 ? lastBreak + 1 : cutCharacter(bytes);
  const rows = splitRows(bytes, start, end, MAX_LINES + 1);
  const lines = prepareRows(bytes, rows.slice(0, MAX_LINES), MAX_BYTES);
  const next = rows[lines.length];
  return await toWindow(file, lines, rows, { from: from + start, to: from + (next?.from ?? end) });
}

export async function readTextBefore(file: FileBytes, to: number): Promise<TextWindow> {
  const base = Math.max(0, to - WINDOW_BYTES);
  const bytes = await readBytes(file, base, to);
  const rows = splitRows(bytes, findStart(bytes, base > 0), bytes.length, Infinity).slice(-MAX_LINES);
  const all = prepareRows(bytes, rows, Infinity);
  let room = MAX_BYTES;
  const tooEarly = all.findLastIndex((line) => {
    room -= countLineBytes(line);
    return room < 0;
  });
  const kept = rows.slice(tooEarly + 1);
  const from = base + (kept[0]?.from ?? bytes.length);
  return await toWindow(file, all.slice(tooEarly + 1), kept, { from, to: base + bytes.length });
}

async function toWindow(
  file: FileBytes,
  lines: readonly TextLine[],
  rows: readonly Row[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<TextWindow> {
  const firstLine = await countLine(file, from);
  const before = await readBytes(file, Math.max(0, from - 1), from);
  const isInside = before.length > 0 && before[0] !== LINE_FEED;
  const goesOn = lines.flatMap((_, index) =>
    (rows[index]?.goesOn ?? false) || (index === 0 && isInside) ? [index] : [],
  );
  return { lines, goesOn, firstLine, fromByte: from, toByte: to };
}

function findStart(bytes: Buffer, isCut: boolean): number {
  let at = bytes.length - 1;
  for (let n = 0; n <= MAX_LINES && at > 0; n++) at = bytes.lastIndexOf(LINE_FEED, at - 1);
  if (at > 0) return at + 1;
  const first = bytes.indexOf(LINE_FEED);
  if (isCut && first >= 0 && first + 1 < bytes.length) return first + 1;
  return isCut ? skipContinuation(bytes) : 0;
}

function splitRows(bytes: Buffer, start: number, end: number, most: number): readonly Row[] {
  const rows: Row[] = [];
  for (let at = start; at < end && rows.length < most;) {
    const found = bytes.indexOf(LINE_FEED, at);
    const stop = found < 0 || found >= end ? end : found;
    const shown = skipRewritten(bytes, at, stop);
    for (let from = shown; rows.length < most;) {
      const to = stop - from > ROW_BYTES ? from + ROW_BYTES - countCut(bytes, from + ROW_BYTES) : stop;
      rows.push({ from: from === shown ? at : from, to, goesOn: from > shown });
      from = to;
      if (to >= stop) break;
    }
    at = stop + 1;
  }
  return rows;
}

function skipRewritten(bytes: Buffer, from: number, to: number): number {
  const end = bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
  return from + bytes.subarray(from, end).lastIndexOf(CARRIAGE_RETURN) + 1;
}

function prepareRows(bytes: Buffer, rows: readonly Row[], maxBytes: number): readonly TextLine[] {
  const text = rows
    .map((row) => `${bytes.toString("utf8", skipRewritten(bytes, row.from, row.to), row.to)}\n`)
    .join("");
  return prepareTextBlock(text, { maxLines: rows.length, maxLineChars: ROW_BYTES, maxBytes }).lines;
}

function skipContinuation(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && isContinuation(bytes[at])) at++;
  return at;
}

/** Returns how many bytes before `at` belong to a character that continues there. */
function countCut(bytes: Buffer, at: number): number {
  let n = 0;
  while (n < 3 && isContinuation(bytes[at - n])) n++;
  return n;
}

function cutCharacter(bytes: Buffer): number {
  const last = bytes.length - 1;
  return last > 3 ? last - countCut(bytes, last) : bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
