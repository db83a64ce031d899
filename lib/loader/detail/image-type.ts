import type { ImageType } from "@/lib/domain/trial-file";

/** Number of leading bytes that {@link detectImageType} needs. */
export const IMAGE_HEAD_BYTES = 16;

/** The image type that the first bytes prove; null for everything else, SVG included. File names are not looked at. */
export function detectImageType(head: Uint8Array): ImageType | null {
  const text = Buffer.from(head.subarray(0, IMAGE_HEAD_BYTES)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  return text.startsWith("RIFF") && text.slice(8, 12) === "WEBP" ? "image/webp" : null;
}
