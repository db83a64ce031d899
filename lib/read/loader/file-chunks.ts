import { closeSync, fstatSync, openSync, readSync } from "node:fs";

import { isPlaceholder } from "@/lib/core/domain/bucket";

import type { LoadRoot } from "./discover/load-root";
import { OPEN_FLAGS } from "./file-access";
import { statGuarded } from "./file-stamp";
import { enterFile, leaveLargeFile } from "./large-files";
import { isOpenedInside } from "./opened-inside";

const CHUNK_BYTES = 1 << 18;
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

export interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
}

export function openForReading<T>(
  root: LoadRoot,
  file: string,
  read: (open: OpenFile) => T,
): T | "absent" | "refused" {
  const stat = statGuarded(root, file);
  if (stat.kind === "absent") return "absent";
  if (stat.kind !== "there" || !stat.stats.isFile()) return "refused";
  let descriptor: number | null = null;
  try {
    descriptor = openSync(stat.path, OPEN_FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isOpenedInside(descriptor, stat.path, root.path)) return "refused";
    if (isPlaceholder(stat.path, stats.mode)) return "refused";
    if (enterFile(stat.path, stats.size, descriptor) !== null) return "refused";
    return read({ descriptor, size: stats.size });
  } catch {
    return "refused";
  } finally {
    leaveLargeFile();
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Each chunk is valid until the next. */
export function* readChunks({ descriptor }: OpenFile, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to;) {
    const count = readSync(descriptor, chunk, 0, Math.min(CHUNK_BYTES, to - at), at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}
