import { hash, createHash } from "node:crypto";

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

export function computeShortHash(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 6);
}

/**
 * Returns the name if it is unique among `items`, else `name~hash6` of its origin. `/` becomes `_`, because a key is one URL
 * segment; `.`, `..` and the empty name always get a hash.
 */
export function assignKeys<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  originOf: (item: Item) => readonly string[],
): string[] {
  const counts = new Map<string, number>();
  const names = items.map((item) => nameOf(item).replaceAll("/", "_"));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return items.map((item, index) => {
    const name = names[index] ?? "";
    const isPlain = counts.get(name) === 1 && !/^\.{0,2}$/.test(name);
    return isPlain ? name : `${name}~${computeShortHash(...originOf(item))}`;
  });
}
