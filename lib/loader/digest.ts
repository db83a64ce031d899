import { hash } from "node:crypto";

/** Hexadecimal digits that are kept: 128 bits, which nobody finds two contents for by accident. */
const DIGITS = 32;

/** The first 128 bits of the SHA-256 of some bytes, or of a text as UTF-8, as 32 lower-case hexadecimal digits. */
export function computeDigest(content: Uint8Array | string): string {
  return hash("sha256", content, "hex").slice(0, DIGITS);
}

/**
 * The digest of several files: of their paths and their own digests, whatever their order. Null as soon as one of them is
 * unknown; no files at all have a digest too.
 * @param files - digests by path relative to the trial folder
 */
export function combineDigests(files: ReadonlyMap<string, string | null>): string | null {
  const parts = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.some(([, digest]) => digest === null) ? null : computeDigest(JSON.stringify(parts));
}
