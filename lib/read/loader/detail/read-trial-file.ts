import { resolve } from "node:path";

import type { FilePreview, FileWindow } from "@/lib/core/domain/file-preview";
import type { FileContent, FileForm, FilePart, TrialFileView } from "@/lib/core/domain/file-view";

import { enterFile } from "../large-files";
import { type FileBytes, findLine, readBytes } from "./files/file-bytes";
import { detectType, type FileType, HEAD_BYTES } from "./files/file-type";
import { previewJson, previewRecords } from "./files/preview-json";
import { previewNotebook } from "./files/preview-notebook";
import { previewRecording } from "./files/preview-recording";
import { previewTable } from "./files/preview-table";
import { readTextBefore, readTextFrom } from "./files/text-window";
import { useFileInside } from "./open-inside";

const LINES_AROUND = 40;
const MAX_AROUND_BYTES = 100_000;

export interface FileRequest extends FilePart {
  readonly form: FileForm | null;
}

interface Shown {
  readonly form: FileForm;
  readonly content: FileContent;
  readonly note: string | null;
}

/** Reads a bounded part: 2,000 rows of text or 8 KB of hex. Links out, folders and pipes are a `problem`. */
export async function readTrialFile(
  trialPath: string,
  path: string,
  request: FileRequest,
): Promise<TrialFileView> {
  const read = await useFileInside(trialPath, path, async (file) => {
    const type = detectType(await readBytes(file, 0, HEAD_BYTES), path);
    const form = chooseForm(type.forms, request);
    // Only parsing happens next, so a crash can be attributed to this file.
    const refusal = enterFile(resolve(trialPath, file.path), file.sizeBytes, file.handle.fd);
    const shown =
      form === "preview" && refusal !== null
        ? { ...(await readForm(file, "text", request)), note: refusal }
        : form === "preview"
          ? await readPreview(file, type, request)
          : await readForm(file, form, request);
    return { kind: "file", path, sizeBytes: file.sizeBytes, forms: type.forms, ...shown } as const;
  });
  return read.ok ? read.value : { kind: "problem", path, issue: read.issue };
}

function chooseForm(forms: readonly FileForm[], { form, line }: FileRequest): FileForm {
  if (form !== null && forms.includes(form)) return form;
  return line !== null && forms.includes("text") ? "text" : (forms[0] ?? "text");
}

async function readPreview(file: FileBytes, { kind, what }: FileType, request: FileRequest): Promise<Shown> {
  const show = (content: FileContent): Shown => ({ form: "preview", content, note: null });
  if (kind === "image" || kind === "audio" || kind === "video") return show({ kind });
  if (kind === "closed") return show({ kind, what });
  const isEnd = request.end === "end";
  const at = Math.min(request.from ?? (isEnd ? file.sizeBytes : 0), file.sizeBytes);
  const previewed = await preview(file, kind, at, isEnd);
  if (typeof previewed !== "string") return show({ kind: "preview", preview: previewed });
  return { ...(await readForm(file, "text", request)), note: previewed };
}

/** Returns the reason if there is none. */
async function preview(
  file: FileBytes,
  kind: Exclude<FileType["kind"], "image" | "audio" | "video" | "closed">,
  at: number,
  isEnd: boolean,
): Promise<FilePreview | string> {
  switch (kind) {
    case "json":
      return await previewJson(file);
    case "records":
      return await previewRecords(file, at, isEnd);
    case "table":
      return await previewTable(file, at);
    case "notebook":
      return await previewNotebook(file);
    case "recording":
      return await previewRecording(file);
    case "text":
    case "binary":
      return "This file has no preview.";
  }
}

async function readForm(
  file: FileBytes,
  form: Exclude<FileForm, "preview">,
  { line, from, end }: FilePart,
): Promise<Shown> {
  const isEnd = end === "end";
  const at = Math.min(from ?? (isEnd ? file.sizeBytes : 0), file.sizeBytes);
  if (form === "hex")
    return { form, content: { kind: "hex", hex: await readHex(file, at, isEnd) }, note: null };
  if (line !== null && from === null) return { form, ...(await readLine(file, line)) };
  const text = isEnd ? await readTextBefore(file, at) : await readTextFrom(file, at);
  return { form, content: { kind: "text", text, sought: null }, note: null };
}

async function readLine(file: FileBytes, line: number): Promise<Omit<Shown, "form">> {
  const place = await findLine(file, line, LINES_AROUND);
  if (place.kind === "found") {
    const isShort = place.from - place.around < MAX_AROUND_BYTES;
    const start = await readTextFrom(file, 0);
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

const ROW_BYTES = 16;
const WINDOW_BYTES = 512 * ROW_BYTES;
const GROUP = 8;

async function readHex(
  file: FileBytes,
  at: number,
  isEnd: boolean,
): Promise<FileWindow & { readonly rows: readonly string[] }> {
  const first = isEnd ? Math.ceil(at / ROW_BYTES) * ROW_BYTES - WINDOW_BYTES : at - (at % ROW_BYTES);
  const fromByte = Math.max(0, first);
  const bytes = await readBytes(file, fromByte, Math.min(fromByte + WINDOW_BYTES, file.sizeBytes));
  const nDigits = Math.max(8, file.sizeBytes.toString(16).length);
  const rows: string[] = [];
  for (let row = 0; row < bytes.length; row += ROW_BYTES) {
    const offset = (fromByte + row).toString(16).padStart(nDigits, "0");
    rows.push(`${offset}  ${writeRow(bytes.subarray(row, row + ROW_BYTES))}`);
  }
  return { rows, fromByte, toByte: fromByte + bytes.length };
}

function writeRow(bytes: Uint8Array): string {
  const hex = Array.from({ length: ROW_BYTES }, (_, index) => {
    const byte = bytes[index];
    const gap = index === GROUP ? " " : "";
    return gap + (byte === undefined ? "  " : byte.toString(16).padStart(2, "0"));
  });
  const printed = Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".",
  );
  return `${hex.join(" ")}  ${printed.join("")}`;
}
