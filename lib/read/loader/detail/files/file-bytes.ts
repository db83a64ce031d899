import type { FileHandle } from "node:fs/promises";

export interface FileBytes {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

export const LINE_FEED = 0x0a;
const BLOCK_BYTES = 1 << 20;
const COUNT_MS = 2_000;

export async function readBytes(
  { handle, sizeBytes }: FileBytes,
  from: number,
  to: number,
): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(to, sizeBytes) - from));
  let read = 0;
  while (read < buffer.length) {
    const { bytesRead } = await handle.read(buffer, read, buffer.length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}

/** Returns the line number, from 1, of a byte; null if counting takes too long. */
export async function countLine(file: FileBytes, at: number): Promise<number | null> {
  let line = 1;
  for await (const block of readBlocks(file, at)) {
    if (block === null) return null;
    const { bytes } = block;
    // Ten times as fast as `indexOf` for short lines.
    for (let index = 0; index < bytes.length; index++) if (bytes[index] === LINE_FEED) line++;
  }
  return line;
}

export function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

export async function findLine(file: FileBytes, line: number, nAround: number) {
  const first = Math.max(1, line - nAround);
  let at = 1;
  let around = 0;
  if (line === 1) return { kind: "found" as const, line, from: 0, around };
  for await (const block of readBlocks(file, file.sizeBytes)) {
    if (block === null) return { kind: "unknown" as const, searchedBytes: around };
    const { bytes, from } = block;
    for (let index = bytes.indexOf(LINE_FEED); index >= 0; index = bytes.indexOf(LINE_FEED, index + 1)) {
      at++;
      // A final line break starts no new line.
      if (from + index + 1 >= file.sizeBytes) return { kind: "beyond" as const, lastLine: at - 1 };
      if (at === first) around = from + index + 1;
      if (at === line) return { kind: "found" as const, line, from: from + index + 1, around };
    }
    if (at < first) around = from + bytes.length;
  }
  return { kind: "beyond" as const, lastLine: at };
}

async function* readBlocks(
  { handle, sizeBytes }: FileBytes,
  to: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly from: number } | null> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  const end = Math.min(to, sizeBytes);
  const start = performance.now();
  let from = 0;
  while (from < end) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(BLOCK_BYTES, end - from), from);
    if (bytesRead === 0) return;
    yield { bytes: buffer.subarray(0, bytesRead), from };
    from += bytesRead;
    if (performance.now() - start > COUNT_MS) {
      yield null;
      return;
    }
  }
}
