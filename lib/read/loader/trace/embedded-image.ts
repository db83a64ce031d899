import type { EmbeddedImage } from "@/lib/core/domain/trajectory";

import { detectImageType } from "../detail/files/file-type";
import { isObject, type JsonObject, objectOr, pickText } from "../detail/json-shape";

const MAX_IMAGE_BYTES = 8_000_000;
const MAX_TYPE = 60;
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

export function splitDataAddress(address: string | null) {
  const [begins, type] = DATA_ADDRESS.exec(address?.slice(0, 300) ?? "") ?? [];
  return address === null || begins === undefined || type === undefined
    ? null
    : { type, base64: address.slice(begins.length) };
}

export function proveImage(base64: string, mediaType: string | null): EmbeddedImage | string {
  const sizeBytes = Buffer.byteLength(base64, "base64");
  const type = detectImageType(Buffer.from(base64.slice(0, HEAD_CHARS), "base64"));
  const size = `${Math.ceil(sizeBytes / 1024).toLocaleString("en")} KB`;
  if (type === null) {
    const stated =
      mediaType === null || mediaType === "" ? "no stated type" : `type ${mediaType.slice(0, MAX_TYPE)}`;
    return `An image of ${stated}, ${size}, is embedded in the trace. Only PNG, JPEG, GIF and WebP images are shown.`;
  }
  return sizeBytes > MAX_IMAGE_BYTES
    ? `An image of type ${type}, ${size}, is embedded in the trace. It is too large to be shown.`
    : { base64, type, sizeBytes };
}
