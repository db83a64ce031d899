import type { FileHandle } from "node:fs/promises";

import type { Parsed } from "@/lib/domain/load-issue";
import type { ImageType } from "@/lib/domain/trial-file";

import { detectImageType, IMAGE_HEAD_BYTES } from "./files/file-type";
import { openInside, resolveInside } from "./open-inside";

/** A file of a trial as bytes. Reading `body` to its end or cancelling it closes the file. */
export interface RawFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** What its first bytes prove it to be; null for everything that is not such an image. */
  readonly imageType: ImageType | null;
  /** Breaks off with an error where the file became shorter meanwhile: it must not look complete. */
  readonly body: ReadableStream<Uint8Array>;
}

const CHUNK_BYTES = 64 * 1024;

/**
 * Opens a file of a trial for sending exactly the bytes that it has now. Issues: `link_outside_root`, `file_unreadable`.
 */
export async function openRawFile(trialPath: string, path: string): Promise<Parsed<RawFile>> {
  const opened = await openInside(trialPath, path);
  if (!opened.ok) return opened;
  const { handle, stats } = opened.value;
  const head = Buffer.alloc(IMAGE_HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, IMAGE_HEAD_BYTES, 0);
  // Nobody reads the body of an empty file to its end.
  if (stats.size === 0) await handle.close();
  return {
    ok: true,
    value: {
      name: path.split("/").at(-1) ?? "file",
      sizeBytes: stats.size,
      imageType: detectImageType(head.subarray(0, bytesRead)),
      body: stats.size === 0 ? new Blob().stream() : streamBytes(handle, stats.size),
    },
  };
}

function streamBytes(handle: FileHandle, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  const readNext = async (): Promise<Uint8Array> => {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error("The file became shorter while it was sent.");
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
        // With the last of it, not when more is asked for.
        if (at < size) return;
        await handle.close();
        controller.close();
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}

/** Which of some files are there, below `folder`; a link that leads out of it is not. */
export async function listPresentFiles(folder: string, files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => resolveInside(folder, file)));
  return files.filter((_, at) => found[at]?.ok === true);
}
