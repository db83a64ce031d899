/** The same program in ASCII, of which V8 keeps a byte a character instead of two. */
export function toAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
