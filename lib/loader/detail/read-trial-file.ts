import type { TextBlock, TrialFileView } from "@/lib/domain/trial-file";

import { describeErrorCode, readErrorCode } from "../discover/load-root";
import { detectImageType } from "./open-raw-file";
import { openInside } from "./open-inside";
import { countLineBytes, prepareTextBlock, type TextLimits } from "./terminal-text";

const WINDOW_BYTES = 1024 * 1024;
const BINARY_SAMPLE = 8 * 1024;
const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;
/** In bytes of `countLineBytes`: some 400,000 letters. */
const MAX_BYTES = 800_000;

export type FileEnd = "start" | "end";

/**
 * One file of a trial, ready to be shown: the first (or last) MB of a text, at most 2,000 lines of 2,000 characters and
 * what a page holds. Binary when more than a tenth of its first 8 KB are no text. Files outside the trial, folders and
 * pipes are a `problem`.
 */
export async function readTrialFile(
  trialPath: string,
  path: string,
  end: FileEnd = "start",
): Promise<TrialFileView> {
  const opened = await openInside(trialPath, path);
  if (!opened.ok) return { kind: "problem", path, issue: opened.issue };
  const { handle, stats } = opened.value;
  try {
    const from = end === "end" ? Math.max(0, stats.size - WINDOW_BYTES) : 0;
    const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, stats.size - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const bytes = buffer.subarray(0, bytesRead);
    const isImage = from === 0 && detectImageType(bytes) !== null;
    if (isImage) return { kind: "image", path, sizeBytes: stats.size };
    if (isBinary(bytes)) return { kind: "binary", path, sizeBytes: stats.size };
    return { kind: "text", path, sizeBytes: stats.size, text: toBlock(bytes, stats.size, { from, end }) };
  } catch (error) {
    const detail = describeErrorCode(readErrorCode(error));
    return { kind: "problem", path, issue: { code: "file_unreadable", path, detail } };
  } finally {
    await handle.close();
  }
}

function toBlock(
  bytes: Buffer,
  sizeBytes: number,
  { from, end }: { readonly from: number; readonly end: FileEnd },
): TextBlock {
  const text = bytes.toString("utf8");
  const limits = { maxLines: MAX_LINES, maxLineChars: MAX_LINE_CHARS, maxBytes: MAX_BYTES };
  const block = end === "end" ? prepareEnd(text, limits) : prepareTextBlock(text, limits);
  if (bytes.length >= sizeBytes) return block;
  const part = `${from > 0 ? "The last" : "The first"} ${formatKb(bytes.length)} of ${formatKb(sizeBytes)} are read.`;
  return { ...block, cutNote: block.cutNote === null ? part : `${part} Of these, ${block.cutNote}` };
}

/** The end of a text is what was asked for, so that lines are left out at its start. */
function prepareEnd(text: string, limits: TextLimits): TextBlock {
  const all = text.split("\n");
  const block = prepareTextBlock(all.slice(-MAX_LINES).join("\n"), { ...limits, maxBytes: Infinity });
  let room = limits.maxBytes;
  const tooEarly = block.lines.findLastIndex((line) => {
    room -= countLineBytes(line);
    return room < 0;
  });
  const lines = block.lines.slice(tooEarly + 1);
  const nAll = all.length - (all.at(-1) === "" ? 1 : 0);
  if (lines.length >= nAll) return block;
  const cutNote = `The last ${lines.length.toLocaleString("en")} of ${nAll.toLocaleString("en")} lines are shown.`;
  return { lines, totalLines: nAll, cutNote };
}

function formatKb(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString("en")} KB`;
}

/** Whether bytes are no text: control bytes other than white space, escape and NUL, or wrong UTF-8, above a tenth. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, BINARY_SAMPLE);
  if (sample.length === 0) return false;
  let odd = 0;
  let nul = 0;
  for (const byte of sample) {
    if (byte === 0) nul++;
    else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b && byte !== 0x08)
      odd++;
  }
  const wrong = Buffer.from(sample).toString("utf8").split("\uFFFD").length - 1;
  return odd + wrong + nul > sample.length / 10;
}
