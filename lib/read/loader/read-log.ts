import { hash } from "node:crypto";

import { ReadingError } from "@/lib/core/domain/app-error";

/** Reading is synchronous, so one log at a time is enough. */
let open: Map<string, string> | null = null;

/**
 * Returns the result of a synchronous reading and the SHA-256 (64 lower-case hex digits) of every file read, by absolute path.
 * Omits absent and refused files.
 * @throws ReadingError when a file changed between two reads
 */
export function logReads<T>(read: () => T): {
  readonly value: T;
  readonly files: ReadonlyMap<string, string>;
} {
  const outer = open;
  const files = new Map<string, string>();
  open = files;
  try {
    return { value: read(), files };
  } finally {
    open = outer;
  }
}

export function noteRead(path: string, bytes: Uint8Array): void {
  if (open === null) return;
  const digest = hash("sha256", bytes, "hex");
  const before = open.get(path) ?? digest;
  if (before !== digest) throw new ReadingError(`${path} changed while it was read. Try again in a moment.`);
  open.set(path, digest);
}
