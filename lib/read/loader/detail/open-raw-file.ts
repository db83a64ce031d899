import type { FileHandle } from "node:fs/promises";

import type { Parsed } from "@/lib/core/domain/load-issue";
import type { ImageType } from "@/lib/core/domain/trial-file";

import { readBytes } from "./files/file-bytes";
import { detectImageType, HEAD_BYTES, detectMediaType, type MediaType } from "./files/file-type";
import { openInside, resolveInside } from "./open-inside";

/** Reading `body` to the end, or cancelling it, closes the file. */
export interface RawFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly shownType: ImageType | MediaType | null;
  /** Quoted ETag. */
  readonly version: string;
  readonly range: ByteRange | "beyond" | null;
  /** Fails if the file shrank meanwhile, so that it never looks complete. */
  readonly body: ReadableStream<Uint8Array>;
}

const CHUNK_BYTES = 64 * 1024;
const WHOLE: RangeRequest = { range: null, ifRange: null };

export async function openRawFile(
  trialPath: string,
  path: string,
  asked: RangeRequest = WHOLE,
): Promise<Parsed<RawFile>> {
  const opened = await openInside(trialPath, path);
  if (!opened.ok) return opened;
  const { handle, stats } = opened.value;
  const bytes = await readBytes(opened.value, 0, HEAD_BYTES);
  const version = `"${stats.size.toString(36)}-${stats.mtimeMs.toString(36)}"`;
  const range = chooseRange(asked, stats.size, version);
  const sent = range === "beyond" ? { from: 0, to: 0 } : (range ?? { from: 0, to: stats.size });
  // An empty body is never read to its end.
  const isEmpty = sent.from === sent.to;
  if (isEmpty) await handle.close();
  return {
    ok: true,
    value: {
      name: path.split("/").at(-1) ?? "file",
      sizeBytes: stats.size,
      shownType: detectImageType(bytes) ?? detectMediaType(bytes),
      version,
      range,
      body: isEmpty ? new Blob().stream() : streamBytes(handle, sent),
    },
  };
}

function streamBytes(handle: FileHandle, { from, to }: ByteRange): ReadableStream<Uint8Array> {
  let at = from;
  const readNext = async (): Promise<Uint8Array> => {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, to - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error("The file shrank while it was sent.");
    at += bytesRead;
    return chunk.subarray(0, bytesRead);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          controller.enqueue(await readNext());
        } catch (error) {
          await handle.close();
          throw error;
        }
        // Close with the last chunk, not on the next pull.
        if (at < to) return;
        await handle.close();
        controller.close();
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}

export function listPresentFiles(folder: string, files: readonly string[]): string[] {
  return files.filter((file) => resolveInside(folder, file).ok);
}

export interface RangeRequest {
  readonly range: string | null;
  readonly ifRange: string | null;
}

/** `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Returns the requested byte range; null for the whole file, which also answers several ranges, other units and ranges of
 * another version. `beyond` if it starts after the file's end.
 * @see RFC 9110, sections 13.1.5 and 14.2
 */
export function chooseRange(
  { range, ifRange }: RangeRequest,
  sizeBytes: number,
  version: string,
): ByteRange | "beyond" | null {
  const found = range === null ? null : ONE_RANGE.exec(range.trim());
  if (found === null || (ifRange !== null && ifRange !== version)) return null;
  const [, first = "", last = ""] = found;
  if (first === "") return last === "" ? null : takeEnd(Number(last), sizeBytes);
  const from = Number(first);
  const to = last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== "" && Number(last) < from) return null;
  return from >= sizeBytes ? "beyond" : { from, to };
}

function takeEnd(n: number, sizeBytes: number): ByteRange | "beyond" {
  return n === 0 || sizeBytes === 0 ? "beyond" : { from: Math.max(0, sizeBytes - n), to: sizeBytes };
}
