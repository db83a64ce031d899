import { isObject, type JsonObject, pickNumber, pickText } from "../detail/json-shape";
import { splitDataAddress } from "./embedded-image";

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
  const type = mediaType === null ? "no stated type" : `type ${mediaType.slice(0, MAX_TYPE)}`;
  return `Audio of ${type}, ${Math.ceil(sizeBytes / 1024).toLocaleString("en")} KB, is embedded in the trace and is not played.`;
}
