import type { FilePreview, TableRow } from "@/lib/core/domain/file-preview";
import { countPageBytes } from "@/lib/core/domain/page-bytes";
import { cutText } from "@/lib/core/domain/text-bounder";

import { stripTerminal } from "../terminal-text";
import { countLine, type FileBytes, readBytes } from "./file-bytes";

const WINDOW_BYTES = 1 << 20;
const MAX_ROWS = 200;
const MAX_COLUMNS = 40;
const MAX_CELL = 300;
const MAX_BYTES = 600_000;
const CELL_BYTES = 60;
const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x0a, 0x0d];
const DELIMITERS = [",", ";", "\t", "|"] as const;

export async function previewTable(file: FileBytes, at: number): Promise<FilePreview | string> {
  const head = await readBytes(file, 0, WINDOW_BYTES);
  const delimiter = detectDelimiter(head);
  const first = takeRow(head, 0, delimiter, file.sizeBytes <= head.length);
  if (typeof first === "string") return `This is not a table: line 1 begins a row where ${explain(first)}.`;
  const from = Math.max(at, first.to);
  const bytes = await readBytes(file, from, from + WINDOW_BYTES);
  const isLast = from + bytes.length >= file.sizeBytes;
  let line = await countLine(file, from);
  let bytesLeft = MAX_BYTES;
  const rows: TableRow[] = [];
  let to = 0;
  while (to < bytes.length && rows.length < MAX_ROWS && bytesLeft > 0) {
    const row = takeRow(bytes, to, delimiter, isLast);
    if (row === "cut" && rows.length > 0) break;
    if (typeof row === "string") {
      const where = line === null ? "a line" : `line ${line.toLocaleString("en")}`;
      return `This is not a table: ${where} begins a row where ${explain(row)}.`;
    }
    bytesLeft -= row.cells.reduce((sum, cell) => sum + CELL_BYTES + countPageBytes(cell), CELL_BYTES);
    rows.push({ line, cells: row.cells, nCells: row.nCells });
    if (line !== null) line += row.nBreaks;
    to = row.to;
  }
  const window = { fromByte: from === first.to ? 0 : from, toByte: from + to };
  return { kind: "table", header: first.cells, nColumns: first.nCells, rows, window };
}

function detectDelimiter(head: Buffer): number {
  const end = head.indexOf(LINE_FEED);
  const line = head.toString("latin1", 0, end < 0 ? head.length : end);
  const [best = ","] = DELIMITERS.toSorted((a, b) => line.split(b).length - line.split(a).length);
  return best.charCodeAt(0);
}

interface Row {
  readonly cells: readonly string[];
  readonly nCells: number;
  readonly nBreaks: number;
  readonly to: number;
}

type NoRow = "cut" | "unclosed";

function explain(reason: NoRow): string {
  return reason === "cut" ? "more than 1 MB comes before its end" : "a quote is opened and never closed";
}

function takeRow(bytes: Buffer, from: number, delimiter: number, isLast: boolean): Row | NoRow {
  const cells: string[] = [];
  let nCells = 0;
  let nBreaks = 0;
  let at = from;
  for (;;) {
    const stop = findCellEnd(bytes, at, delimiter);
    if (stop < 0) return isLast ? "unclosed" : "cut";
    if (++nCells <= MAX_COLUMNS) cells.push(toCell(bytes, at, stop));
    for (let n = at; n < stop; n++) if (bytes[n] === LINE_FEED) nBreaks++;
    if (stop < bytes.length && bytes[stop] === delimiter) at = stop + 1;
    else if (stop < bytes.length || isLast) return { cells, nCells, nBreaks: nBreaks + 1, to: stop + 1 };
    else return "cut";
  }
}

function findCellEnd(bytes: Buffer, from: number, delimiter: number): number {
  let stop = bytes[from] === QUOTE ? findQuoteEnd(bytes, from) : from;
  while (stop >= 0 && stop < bytes.length && bytes[stop] !== delimiter && bytes[stop] !== LINE_FEED) stop++;
  return stop;
}

function findQuoteEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 2))
    if (bytes[at + 1] !== QUOTE) return at + 1;
  return -1;
}

function toCell(bytes: Buffer, from: number, to: number): string {
  const isQuoted = bytes[from] === QUOTE;
  const end = !isQuoted && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
  const text = bytes.toString("utf8", from, Math.min(end, from + 4 * MAX_CELL));
  const plain = isQuoted ? text.slice(1).replace(/"\s*$/, "").replaceAll('""', '"') : text;
  const shown = stripTerminal(plain.replace(/^\uFEFF/, "")).toWellFormed();
  return shown.length > MAX_CELL || end - from > 4 * MAX_CELL ? `${cutText(shown, MAX_CELL)} …` : shown;
}
