const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Orders two names by the numbers in them and whatever their case, so that `task-2` comes before `task-10`. */
export function compareNames(a: string, b: string): number {
  return NAMES.compare(a, b) || compareText(a, b);
}

/** Orders two texts by UTF-16 code units, as a database orders plain names. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
