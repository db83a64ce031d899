const SEPARATORS = ["/", "-", "_", ".", ":", " "];
const LEAST = 4;

const LEAST_LEFT = 3;

/** Returns the prefix of several different names, up to a separator; empty if it is not worth folding. */
export function findSharedPrefix(names: readonly string[]): string {
  const [first = "", ...others] = new Set(names);
  if (others.length === 0) return "";
  let end = 0;
  while (end < first.length && others.every((name) => name[end] === first[end])) end++;
  const mostFolded = Math.min(first.length, ...others.map((name) => name.length)) - LEAST_LEFT;
  const shared = first.slice(0, Math.max(0, Math.min(end, mostFolded)));
  const length = Math.max(...SEPARATORS.map((separator) => shared.lastIndexOf(separator))) + 1;
  return length < LEAST ? "" : shared.slice(0, length);
}
