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
