import type { PythonError } from "@/lib/core/scoring";

const POSITION = /^(.*): char (\d+)$/s;
const BAD_STRING = "Invalid escape or control character in string";
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Returns CPython's message for invalid JSON, with line, column and position in code points; other errors keep theirs. */
export function describeJsonError(error: PythonError, text: string): string {
  if (text.startsWith("\ufeff")) {
    return `Unexpected UTF-8 BOM (decode using utf-8-sig): ${describePlace(text, 0)}`;
  }
  const match = POSITION.exec(error.message);
  if (match === null) return error.message;
  const [, reason = "", position = "0"] = match;
  const at = Number(position);
  if (reason === BAD_STRING) return describeBadString(text, at - 1);
  const words = reason === "Unterminated string" ? `${reason} starting at` : reason;
  return `${words}: ${describePlace(text, at)}`;
}

function describePlace(text: string, at: number): string {
  const before = text.slice(0, at);
  const column = countCodePoints(before.slice(before.lastIndexOf("\n") + 1)) + 1;
  const line = before.split("\n").length;
  return `line ${String(line)} column ${String(column)} (char ${String(countCodePoints(before))})`;
}

function countCodePoints(text: string): number {
  return text.length - (text.match(PAIR)?.length ?? 0);
}

/** Describes a problem inside the string whose closing quote is at `end`; everything before that string is valid. */
function describeBadString(text: string, end: number): string {
  let at = findStringStart(text, end);
  while (++at < end) {
    if (text.charCodeAt(at) < 0x20) return `Invalid control character at: ${describePlace(text, at)}`;
    if (text.charAt(at) !== "\\") continue;
    const escape = text.charAt(at + 1);
    if (escape === "u") {
      if (!/^[\da-f]{4}$/i.test(text.slice(at + 2, at + 6))) {
        return `Invalid \\uXXXX escape: ${describePlace(text, at + 1)}`;
      }
    } else if (!'"\\/bfnrt'.includes(escape)) {
      return `Invalid \\escape: ${describePlace(text, at)}`;
    }
    at++;
  }
  return `${BAD_STRING}: ${describePlace(text, end)}`;
}

/** Returns the start of the string that closes at `end`: unescaped quotes alternate between open and close. */
function findStringStart(text: string, end: number): number {
  let start = -1;
  for (let at = 0; at < end; at++) {
    if (start !== -1 && text.charAt(at) === "\\") at++;
    else if (text.charAt(at) === '"') start = start === -1 ? at : -1;
  }
  return start;
}
