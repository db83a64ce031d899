const SEPARATORS = ["/", "-", "_", ".", ":", " "];
/** A shorter beginning takes no more room than the dots in its place. */
const LEAST = 4;

/** Returns the beginning that several different names share, up to its last separator; empty when there is none worth folding. */
export function findSharedPrefix(names: readonly string[]): string {
  const [first = "", ...others] = new Set(names);
  if (others.length === 0) return "";
  let end = 0;
  while (end < first.length && others.every((name) => name[end] === first[end])) end++;
  const shared = first.slice(0, end);
  const length = Math.max(...SEPARATORS.map((separator) => shared.lastIndexOf(separator))) + 1;
  return length < LEAST ? "" : shared.slice(0, length);
}
