import { hash } from "node:crypto";

const DIGITS = 32;

/** Returns the first 128 bits of the SHA-256 as 32 lower-case hex digits. Text is hashed as UTF-8. */
export function computeDigest(content: Uint8Array | string): string {
  return hash("sha256", content, "hex").slice(0, DIGITS);
}

/** Combines digests by path, independent of order. Null if any is unknown; an empty map also has a digest. */
export function combineDigests(files: ReadonlyMap<string, string | null>): string | null {
  const parts = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.some(([, digest]) => digest === null) ? null : computeDigest(JSON.stringify(parts));
}
