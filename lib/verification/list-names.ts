/** Up to three names as a sentence lists them, with the number of others: `a, b, c and 4 more`. */
export function listNames(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${names.slice(0, 3).join(", ")}${more}`;
}
