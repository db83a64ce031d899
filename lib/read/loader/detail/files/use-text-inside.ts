import { useFileInside } from "../open-inside";
import { stripTerminal } from "../terminal-text";
import { LINE_FEED, readBytes } from "./file-bytes";
import { HEAD_BYTES, isBinary } from "./file-type";

const BLOCK_BYTES = 1 << 20;
const ESCAPE = /[\u001B\u0080-\u009F]/u;

export interface TextPiece {
  readonly text: string;
  readonly nBytes: number;
}

/**
 * Passes a text file to `use` as terminals would show it, with unchanged line numbers, until `use` returns false.
 * @returns why there is no text; null if there was
 */
export async function useTextInside(
  folder: string,
  path: string,
  use: (piece: TextPiece) => boolean,
): Promise<"binary" | "unreadable" | null> {
  const read = await useFileInside(folder, path, async (file) => {
    if (isBinary(await readBytes(file, 0, HEAD_BYTES))) return "binary";
    for (let at = 0; at < file.sizeBytes;) {
      const bytes = await readBytes(file, at, at + BLOCK_BYTES);
      if (bytes.length === 0) break;
      const isLast = at + bytes.length >= file.sizeBytes;
      const lastBreak = isLast ? -1 : bytes.lastIndexOf(LINE_FEED);
      const nBytes = lastBreak < 0 ? bytes.length : lastBreak + 1;
      at += nBytes;
      if (!use({ text: toPlain(bytes.toString("utf8", 0, nBytes)), nBytes })) break;
    }
    return null;
  });
  return read.ok ? read.value : "unreadable";
}

function toPlain(text: string): string {
  return ESCAPE.test(text) ? text.split("\n").map(stripTerminal).join("\n") : text;
}
