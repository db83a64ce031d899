import type { FilePreview, JsonRecord } from "@/lib/core/domain/file-preview";
import { fitPage } from "@/lib/core/domain/page-bytes";

import { stripTerminal } from "../terminal-text";
import { countLine, type FileBytes, LINE_FEED, readBytes } from "./file-bytes";
import { drawJson, type JsonSource, parseJsonValues } from "./json-tree";

const MAX_BYTES = 8 << 20;
const WINDOW_BYTES = 1 << 20;
const MAX_RECORDS = 200;
const MAX_BAD_BYTES = 1_500;

export async function previewJson(file: FileBytes): Promise<FilePreview | string> {
  if (file.sizeBytes > MAX_BYTES) return "Files of more than 8 MB are not shown as a tree.";
  const text = (await readBytes(file, 0, file.sizeBytes)).toString("utf8");
  const value = parseJsonValues(text);
  if ("what" in value) {
    const line = text.slice(0, value.at).split("\n").length.toLocaleString("en");
    return `This is not valid JSON: line ${line} has ${value.what}.`;
  }
  const [root] = drawJson([{ text, value }]);
  return root === undefined ? "The file is empty." : { kind: "json", root };
}

export async function previewRecords(
  file: FileBytes,
  at: number,
  isEnd: boolean,
): Promise<FilePreview | string> {
  const from = isEnd ? Math.max(0, at - WINDOW_BYTES) : at;
  const bytes = await readBytes(file, from, isEnd ? at : from + WINDOW_BYTES);
  const lines = isEnd ? takeLast(bytes, from > 0) : takeFirst(bytes, from + bytes.length >= file.sizeBytes);
  const fromByte = from + (lines[0]?.from ?? 0);
  const toByte = from + (lines.at(-1)?.to ?? bytes.length);
  const firstLine = await countLine(file, fromByte);
  const sources: JsonSource[] = [];
  const records = lines.flatMap(({ from: start, to }, index): (JsonRecord & { source: number | null })[] => {
    const text = bytes.toString("utf8", start, to).trim();
    if (text === "") return [];
    const line = firstLine === null ? null : firstLine + index;
    const value = parseJsonValues(text);
    if (!("what" in value))
      return [{ line, node: null, problem: null, source: sources.push({ text, value }) - 1 }];
    const problem = {
      text: fitPage(stripTerminal(text.slice(0, MAX_BAD_BYTES)).toWellFormed(), MAX_BAD_BYTES),
      reason: value.what,
    };
    return [{ line, node: null, problem, source: null }];
  });
  const nodes = drawJson(sources);
  const drawn = records.map(({ source, ...record }) => ({
    ...record,
    node: source === null ? null : (nodes[source] ?? null),
  }));
  return { kind: "records", records: drawn, window: { fromByte, toByte } };
}

interface Line {
  readonly from: number;
  readonly to: number;
}

function takeFirst(bytes: Buffer, isLast: boolean): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < bytes.length && lines.length < MAX_RECORDS;) {
    const found = bytes.indexOf(LINE_FEED, from);
    // A cut-off line starts the next window, unless it fills this one.
    if (found < 0 && !isLast && from > 0) break;
    const to = found < 0 ? bytes.length : found + 1;
    lines.push({ from, to });
    from = to;
  }
  return lines;
}

function takeLast(bytes: Buffer, isCut: boolean): readonly Line[] {
  const lines: Line[] = [];
  for (let to = bytes.length; to > 0 && lines.length < MAX_RECORDS;) {
    const from = to < 2 ? 0 : bytes.lastIndexOf(LINE_FEED, to - 2) + 1;
    if (from === 0 && isCut && lines.length > 0) break;
    lines.unshift({ from, to });
    to = from;
  }
  return lines;
}
