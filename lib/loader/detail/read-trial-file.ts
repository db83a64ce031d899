import type { FileContent, FileForm, FilePart, TrialFileView } from "@/lib/domain/file-view";

import { describeErrorCode, readErrorCode } from "../discover/load-root";
import { type FileBytes, findLine, readBytes } from "./files/file-bytes";
import { detectClosedType, detectImageType, HEAD_BYTES, isBinary } from "./files/file-type";
import { readHex } from "./files/hex-window";
import { readTextBefore, readTextFrom } from "./files/text-window";
import { openInside } from "./open-inside";

/** Lines that are shown before one that is asked for, unless they are longer than this. */
const LINES_AROUND = 40;
const MAX_AROUND_BYTES = 100_000;

/** What is asked of a file. */
export interface FileRequest extends FilePart {
  /** How it is shown; null as its type suggests. */
  readonly form: FileForm | null;
}

/** What a file is, by its first bytes and its name. */
interface FileType {
  /** How it can be shown, what its type suggests first. */
  readonly forms: readonly FileForm[];
  /** What its preview is; null for those without. */
  readonly preview: FileContent | null;
}

/** What one form of a file shows, with what was asked for and could not be had. */
interface Shown {
  readonly content: FileContent;
  readonly note: string | null;
}

/**
 * A part of one file of a trial, ready to be shown, in memory that does not grow with the file: 2,000 rows of a text, 8 KB
 * byte by byte. Files outside the trial, folders and pipes are a `problem`.
 */
export async function readTrialFile(
  trialPath: string,
  path: string,
  request: FileRequest,
): Promise<TrialFileView> {
  const opened = await openInside(trialPath, path);
  if (!opened.ok) return { kind: "problem", path, issue: opened.issue };
  const { handle, stats } = opened.value;
  const file: FileBytes = { handle, sizeBytes: stats.size };
  try {
    const { forms, preview } = detectType(await readBytes(file, 0, HEAD_BYTES));
    const form = chooseForm(forms, request);
    const shown = await readForm(file, form, preview, request);
    return { kind: "file", path, sizeBytes: stats.size, forms, form, ...shown };
  } catch (error) {
    const detail = describeErrorCode(readErrorCode(error));
    return { kind: "problem", path, issue: { code: "file_unreadable", path, detail } };
  } finally {
    await handle.close();
  }
}

function detectType(head: Uint8Array): FileType {
  if (detectImageType(head) !== null) return { forms: ["preview", "hex"], preview: { kind: "image" } };
  const what = detectClosedType(head);
  if (what !== null) return { forms: ["preview", "hex"], preview: { kind: "closed", what } };
  return { forms: isBinary(head) ? ["hex", "text"] : ["text", "hex"], preview: null };
}

function chooseForm(forms: readonly FileForm[], { form, line }: FileRequest): FileForm {
  if (form !== null && forms.includes(form)) return form;
  return line !== null && forms.includes("text") ? "text" : (forms[0] ?? "text");
}

async function readForm(
  file: FileBytes,
  form: FileForm,
  preview: FileContent | null,
  { line, from, end }: FilePart,
): Promise<Shown> {
  if (form === "preview" && preview !== null) return { content: preview, note: null };
  const isEnd = end === "end";
  const at = Math.min(from ?? (isEnd ? file.sizeBytes : 0), file.sizeBytes);
  if (form === "hex") return { content: { kind: "hex", hex: await readHex(file, at, isEnd) }, note: null };
  if (line !== null && from === null) return await readLine(file, line);
  const text = isEnd ? await readTextBefore(file, at) : await readTextFrom(file, at);
  return { content: { kind: "text", text, sought: null }, note: null };
}

/** The part of a text that holds a line; its end, or its start, where that line is not to be found. */
async function readLine(file: FileBytes, line: number): Promise<Shown> {
  const place = await findLine(file, line, LINES_AROUND);
  if (place.kind === "found") {
    const isShort = place.from - place.around < MAX_AROUND_BYTES;
    const start = await readTextFrom(file, 0);
    // As much of the file as it can be, where its beginning has the line.
    const text =
      place.from < start.toByte ? start : await readTextFrom(file, isShort ? place.around : place.from);
    return { content: { kind: "text", text, sought: findRow(text, line) }, note: null };
  }
  const isBeyond = place.kind === "beyond";
  const text = isBeyond ? await readTextBefore(file, file.sizeBytes) : await readTextFrom(file, 0);
  const asked = line.toLocaleString("en");
  const note = isBeyond
    ? `There is no line ${asked}: the last line is ${place.lastLine.toLocaleString("en")}.`
    : `Line ${asked} is beyond the first ${Math.round(place.searchedBytes / 1e6).toLocaleString("en")} MB, as far as lines were counted.`;
  return { content: { kind: "text", text, sought: null }, note };
}

/** Index of the row that a line begins at. */
function findRow(
  { lines, goesOn, firstLine }: Awaited<ReturnType<typeof readTextFrom>>,
  line: number,
): number | null {
  const inside = new Set(goesOn);
  let at = (firstLine ?? 1) - 1;
  const row = lines.findIndex((_, index) => {
    if (!inside.has(index) || index === 0) at++;
    return at === line;
  });
  return row < 0 ? null : row;
}
