import type { FileForm } from "@/lib/core/domain/file-view";
import type { ImageType } from "@/lib/core/domain/trial-file";

export const HEAD_BYTES = 8 * 1024;

const IMAGE_HEAD_BYTES = 16;

/** Detects an image type by content. SVG is excluded. */
export function detectImageType(head: Uint8Array): ImageType | null {
  const text = toLatin(head, IMAGE_HEAD_BYTES);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  return text.startsWith("RIFF") && text.slice(8, 12) === "WEBP" ? "image/webp" : null;
}

function toLatin(head: Uint8Array, length: number): string {
  return Buffer.from(head.subarray(0, length)).toString("latin1");
}

const CLOSED: readonly (readonly [begins: string, what: string])[] = [
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive or a file made of one"],
  ["\x1f\x8b", "a gzip archive"],
  ["\xfd7zXZ\0", "an xz archive"],
  ["\x28\xb5\x2f\xfd", "a Zstandard archive"],
  ["BZh", "a bzip2 archive"],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive"],
  ["SQLite format 3\0", "an SQLite database"],
  ["\x7fELF", "a program for Linux"],
];
const TAR_MARK_AT = 257;

function detectClosedType(head: Uint8Array): string | null {
  const text = toLatin(head, TAR_MARK_AT + 5);
  if (text.slice(TAR_MARK_AT) === "ustar") return "a tar archive";
  return CLOSED.find(([begins]) => text.startsWith(begins))?.[1] ?? null;
}

export interface FileType {
  readonly kind: "image" | "audio" | "video" | "closed" | "binary" | "text" | TextType;
  readonly what: string;
  readonly forms: readonly FileForm[];
}

type TextType = "json" | "records" | "table" | "notebook" | "recording";

const TEXT_TYPES: Readonly<Record<string, TextType>> = {
  cast: "recording",
  csv: "table",
  tsv: "table",
  json: "json",
  jsonl: "records",
  ndjson: "records",
  ipynb: "notebook",
};

export function detectType(head: Uint8Array, path: string): FileType {
  const what = detectClosedType(head);
  if (detectImageType(head) !== null) return { kind: "image", what: "", forms: ["preview", "hex"] };
  const media = detectMediaType(head)?.startsWith("audio/");
  if (media !== undefined) return { kind: media ? "audio" : "video", what: "", forms: ["preview", "hex"] };
  if (what !== null) return { kind: "closed", what, forms: ["preview", "hex"] };
  if (isBinary(head)) return { kind: "binary", what: "", forms: ["hex", "text"] };
  const kind = TEXT_TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];
  if (kind !== undefined) return { kind, what: "", forms: ["preview", "text", "hex"] };
  // Agent logs are often JSON lines under any name.
  if (beginsWithRecord(head)) return { kind: "records", what: "", forms: ["text", "preview", "hex"] };
  return { kind: "text", what: "", forms: ["text", "hex"] };
}

function beginsWithRecord(head: Uint8Array): boolean {
  const [first = "", second] = Buffer.from(head).toString("utf8").split("\n", 2);
  return second !== undefined && /^\{".*\}\s*$/.test(first) && second.startsWith("{");
}

/** True if over a tenth is invalid UTF-8 or control bytes other than white space, escape and NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, HEAD_BYTES);
  if (sample.length === 0) return false;
  let odd = 0;
  for (const byte of sample)
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b && byte !== 0x08)
      odd++;
  const wrong = Buffer.from(sample).toString("utf8").split("\uFFFD").length - 1;
  return odd + wrong > sample.length / 10;
}

export type MediaType =
  | "video/mp4"
  | "video/webm"
  | "audio/mp4"
  | "audio/wav"
  | "audio/mpeg"
  | "audio/ogg"
  | "audio/flac";

const WEBM_WITHIN = 64;

export function detectMediaType(head: Uint8Array): MediaType | null {
  const text = Buffer.from(head.subarray(0, WEBM_WITHIN)).toString("latin1");
  if (text.slice(4, 8) === "ftyp") return text.slice(8, 12) === "M4A " ? "audio/mp4" : "video/mp4";
  if (text.startsWith("\x1aE\xdf\xa3")) return text.includes("webm") ? "video/webm" : null;
  if (text.startsWith("RIFF")) return text.slice(8, 12) === "WAVE" ? "audio/wav" : null;
  if (text.startsWith("OggS")) return "audio/ogg";
  if (text.startsWith("fLaC")) return "audio/flac";
  return text.startsWith("ID3") || isMpegFrame(head) ? "audio/mpeg" : null;
}

function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isMarked = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  const rate = third >> 4;
  return isMarked && rate !== 0 && rate !== 15 && (third & 0x0c) !== 0x0c;
}
