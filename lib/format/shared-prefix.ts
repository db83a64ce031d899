const SEPARATORS = ["/", "-", "_", ".", ":", " "];
/** A shorter beginning takes no more room than the dots in its place. */
const LEAST = 4;

/** What is left of a name has more than a number to tell it by. */
const LEAST_LEFT = 3;

/** Returns the beginning that several different names share, up to a separator; empty when there is none worth folding. */
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
