import { hash } from "node:crypto";

import { ReadingError } from "@/lib/domain/app-error";

/** Reading is synchronous, so one log at a time is all that there can be. */
let open: Map<string, string> | null = null;

/**
 * Runs a synchronous reading and returns what it gave, with the SHA-256 (64 lower-case hexadecimal digits) of every file that it
 * read, by absolute path. Files that are absent or refused are not among them.
 *
 * @throws ReadingError when a file that was read twice had changed in between
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

/** Notes the bytes of a file for {@link logReads}; does nothing outside of it. */
export function noteRead(path: string, bytes: Uint8Array): void {
  if (open === null) return;
  const digest = hash("sha256", bytes, "hex");
  const before = open.get(path) ?? digest;
  if (before !== digest) throw new ReadingError(`${path} changed while it was read. Try again in a moment.`);
  open.set(path, digest);
}
