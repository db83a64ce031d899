import type { FileWindow } from "@/lib/core/domain/file-preview";

import { type FileBytes, readBytes } from "./file-bytes";

const ROW_BYTES = 16;
const WINDOW_BYTES = 512 * ROW_BYTES;
const GROUP = 8;

export async function readHex(
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
