/**
 * Orders two texts by UTF-16 code units, as a database orders plain names.
 *
 * @returns negative, zero or positive; equal texts keep the order that they came in
 */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
