import { findStringEnd } from "@/lib/core/domain/count-values";
import type { PyValue } from "@/lib/core/scoring";

interface Skim {
  readonly isWhole: boolean;
  /** Top-level object: first 10,000 keys; numbers and long texts null, other values empty. Null if cut off. */
  readonly value: Map<string, PyValue> | null;
}

const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const TORN: Skim = { isWhole: false, value: null };
const MOST_KEYS = 10_000;
const MOST_CHARACTERS = 64;
const COLON = /\s*:\s*/y;
const SPACE = /\s*/y;

/** Reads top-level keys without building other values. Deeper levels are only checked for closing. */
export function skimDocument(text: string): Skim {
  const value = new Map<string, PyValue>();
  const start = skip(SPACE, text, 0);
  if (text.charCodeAt(start) !== OPEN_OBJECT) return { isWhole: true, value: null };
  let depth = 0;
  let isAtKey = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = findStringEnd(text, at);
      if (isAtKey) addEntry(value, text, at, end);
      isAtKey = false;
      at = end;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth++;
      isAtKey = depth === 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth--;
      if (depth > 0) continue;
      return skip(SPACE, text, at + 1) === text.length ? { isWhole: true, value } : TORN;
    } else if (code === COMMA && depth === 1) isAtKey = true;
  }
  return TORN;
}

function addEntry(value: Map<string, PyValue>, text: string, start: number, end: number): void {
  const key = value.size < MOST_KEYS ? readShortText(text, start, end) : null;
  if (key !== null) value.set(key, readOutline(text, skip(COLON, text, end + 1)));
}

function readShortText(text: string, start: number, end: number): string | null {
  if (end - start > MOST_CHARACTERS) return null;
  const raw = text.slice(start, end + 1);
  if (!raw.includes("\\")) return raw.endsWith('"') ? raw.slice(1, -1) : null;
  try {
    return String(JSON.parse(raw));
  } catch {
    return null;
  }
}

function readOutline(text: string, at: number): PyValue {
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT) return new Map();
  if (code === OPEN_LIST) return [];
  return code === QUOTE ? readShortText(text, at, findStringEnd(text, at)) : null;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
