/** Escapes to ASCII: V8 keeps one byte per character instead of two. */
export function toAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
