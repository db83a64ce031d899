import type { EmbeddedImage } from "@/lib/core/domain/trajectory";

import { detectImageType } from "../detail/files/file-type";
import { isObject, type JsonObject, pickNumber, pickText, objectOr } from "../detail/json-shape";

const PLAYED =
  /^audio\/(?:wav|wave|x-wav|vnd\.wave|mpeg|mp3|mpga|x-mpeg|mp4|m4a|x-m4a|ogg|flac|x-flac|webm)$/iu;
const PLAYED_FILE = /\.(?:wav|mp3|m4a|mp4|ogg|oga|opus|flac|webm)$/iu;
const MAX_TYPE = 60;

export interface RawAudio {
  readonly kind: "audio";
  readonly mediaType: string | null;
  readonly path: string | null;
  readonly sizeBytes: number | null;
  readonly durationSec: number | null;
}

export function parseAudio(part: JsonObject): RawAudio {
  const stated = part["source"] ?? part["input_audio"];
  const source = isObject(stated) ? stated : part;
  const address = pickText(source, "path", "url");
  const within = splitDataAddress(address);
  const data = within?.base64 ?? pickText(source, "data");
  const path = within === null ? address : null;
  const duration = pickNumber(source, "duration_sec");
  return {
    kind: "audio",
    mediaType: within?.type ?? pickText(source, "media_type", "mime_type", "mimeType", "format"),
    path,
    sizeBytes: path !== null || data === null ? null : Buffer.byteLength(data, "base64"),
    durationSec: duration !== null && duration >= 0 ? duration : null,
  };
}

export function isPlayed({ mediaType }: RawAudio, path: string): boolean {
  return mediaType === null ? PLAYED_FILE.test(path) : PLAYED.test(mediaType.split(";", 1)[0]?.trim() ?? "");
}

export function describeAudio({ mediaType, sizeBytes }: RawAudio): string {
  if (sizeBytes === null) return "The step names no file for this audio.";
  return `Audio of ${describeData(mediaType, sizeBytes)}, is embedded in the trace and is not played.`;
}

const MAX_IMAGE_BYTES = 8_000_000;
const HEAD_CHARS = 64;
const DATA_ADDRESS = /^data:([^,;]{0,100})[^,]{0,100};base64,/iu;

export interface RawImage {
  readonly kind: "image";
  readonly mediaType: string | null;
  readonly path: string | null;
  readonly base64: string | null;
}

export function parseImage(part: JsonObject): RawImage {
  const stated = part["source"] ?? part["image_url"];
  const source = typeof stated === "string" ? { url: stated } : isObject(stated) ? stated : part;
  const address = pickText(objectOr(source), "path", "url");
  const data = splitDataAddress(address);
  if (data !== null) return { kind: "image", mediaType: data.type, path: null, base64: data.base64 };
  const mediaType = pickText(source, "media_type", "mimeType");
  const base64 = address === null ? pickText(source, "data") : null;
  return { kind: "image", mediaType, path: address, base64 };
}

function splitDataAddress(address: string | null) {
  const [begins, type] = DATA_ADDRESS.exec(address?.slice(0, 300) ?? "") ?? [];
  return address === null || begins === undefined || type === undefined
    ? null
    : { type, base64: address.slice(begins.length) };
}

export function proveImage(base64: string, mediaType: string | null): EmbeddedImage | string {
  const sizeBytes = Buffer.byteLength(base64, "base64");
  const type = detectImageType(Buffer.from(base64.slice(0, HEAD_CHARS), "base64"));
  if (type === null)
    return `An image of ${describeData(mediaType, sizeBytes)}, is embedded in the trace. Only PNG, JPEG, GIF and WebP images are shown.`;
  return sizeBytes > MAX_IMAGE_BYTES
    ? `An image of ${describeData(type, sizeBytes)}, is embedded in the trace. It is too large to be shown.`
    : { base64, type, sizeBytes };
}

function describeData(mediaType: string | null, sizeBytes: number): string {
  const type = mediaType ? `type ${mediaType.slice(0, MAX_TYPE)}` : "no stated type";
  return `${type}, ${Math.ceil(sizeBytes / 1024).toLocaleString("en")} KB`;
}
