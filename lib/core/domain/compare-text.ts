const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Compares numbers by value, so that `task-2` comes before `task-10`; ignores case. */
export function compareNames(a: string, b: string): number {
  return NAMES.compare(a, b) || compareText(a, b);
}

/** Compares UTF-16 code units, as a database orders plain names. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
