import { Readable } from "node:stream";

import type { Parsed } from "@/lib/domain/load-issue";
import type { ImageType } from "@/lib/domain/trial-file";

import { detectImageType, IMAGE_HEAD_BYTES } from "./image-type";
import { openInside, resolveInside } from "./open-inside";

/** A file of a trial as bytes. Reading or cancelling `body` to its end closes the file. */
export interface RawFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** What its first bytes prove it to be; null for everything that is not such an image. */
  readonly imageType: ImageType | null;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Opens a file of a trial for sending. Exactly the bytes that it has now are sent, also when it grows meanwhile.
 * Issue codes: `link_outside_root`, `file_unreadable`.
 */
export async function openRawFile(trialPath: string, path: string): Promise<Parsed<RawFile>> {
  const opened = await openInside(trialPath, path);
  if (!opened.ok) return opened;
  const { handle, stats } = opened.value;
  const head = Buffer.alloc(IMAGE_HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, IMAGE_HEAD_BYTES, 0);
  const stream = handle.createReadStream({ start: 0, end: Math.max(0, stats.size - 1) });
  return {
    ok: true,
    value: {
      name: path.split("/").at(-1) ?? "file",
      sizeBytes: stats.size,
      imageType: detectImageType(head.subarray(0, bytesRead)),
      // Node's and the DOM's stream types differ by name only.
      body: Readable.toWeb(stream) as ReadableStream<Uint8Array>,
    },
  };
}

/** Which of some files are there, below `folder`; a link that leads out of it is not. */
export async function listPresentFiles(folder: string, files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => resolveInside(folder, file)));
  return files.filter((_, at) => found[at]?.ok === true);
}
