import { parsePythonJson, PythonError, type PyValue } from "@/lib/core/scoring";

import { type PlainValue, toPlainValue } from "./plain-value";
import { hasTrialResultKeys, recogniseHarborDocument } from "./recognise";

export interface TrialDocument {
  readonly plain: PlainValue;
  /** Contains at least `verifier_result` and `step_results`, if present. */
  readonly exact: ReadonlyMap<string, PyValue>;
}

export function prepareTrialDocument(value: PyValue): TrialDocument | null {
  if (!(value instanceof Map) || recogniseHarborDocument(value) !== "trial-result") return null;
  return { plain: toPlainValue(value), exact: value };
}

/** Python rejects integers with this many digits anywhere; JSON.parse returns Infinity. */
const TOO_MANY_DIGITS = 4_301;

/** True if the text has `many` digits in a row. Samples few characters, each at most four times. */
function hasDigits(text: string, many: number): boolean {
  const isDigit = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return code >= ZERO && code <= NINE;
  };
  // Any such run covers at least one of these positions.
  for (let at = many - 1; at < text.length; at += many) {
    let [start, end] = [at, at];
    while (start > at - many && isDigit(start)) start--;
    while (end < at + many && isDigit(end)) end++;
    if (end - start > many) return true;
  }
  return false;
}

const [ZERO, NINE] = [0x30, 0x39];

/** Python rejects deeper documents. JSON.parse has no limit, but recursive code would overflow. */
const MOST_LEVELS = 1_000;

function isTooDeep(text: string): boolean {
  if (countUpTo(text, "[", MOST_LEVELS) + countUpTo(text, "{", MOST_LEVELS) <= MOST_LEVELS) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length && depth <= MOST_LEVELS; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) isInString = !isInString;
    else if (isInString) continue;
    else if (code === OPEN || code === OPEN_LIST) depth++;
    else if (code === CLOSE || code === CLOSE_LIST) depth--;
  }
  return depth > MOST_LEVELS;
}

function countUpTo(text: string, part: string, most: number): number {
  let n = 0;
  for (let at = text.indexOf(part); at !== -1 && n <= most; at = text.indexOf(part, at + 1)) n++;
  return n;
}

const KEY = '"verifier_result"';
/** Searching from a rare letter is three times as fast. */
const KEY_END = 'fier_result"';
const VALUE_START = /\s*:\s*(?=\{)/y;
/**
 * Parses the usual single-step result three times as fast: only the rewards are parsed exactly.
 * @returns null if it needs a full parse: invalid JSON, multi-step trials, ambiguous rewards, and integers or nesting that Python
 * rejects
 */
export function parseTrialText(text: string): TrialDocument | null {
  if (hasDigits(text, TOO_MANY_DIGITS) || isTooDeep(text)) return null;
  const plain = parseNative(text);
  if (plain === null || typeof plain !== "object" || Array.isArray(plain)) return null;
  if (!hasTrialResultKeys((key) => Object.hasOwn(plain, key)) || (plain["step_results"] ?? null) !== null)
    return null;
  const native = plain["verifier_result"] ?? null;
  if (native === null) return { plain, exact: new Map() };
  const at = findSoleValue(text);
  if (at === null) return null;
  const exact = parseObjectAt(text, at);
  // False if a duplicate or escaped key misled the search.
  const isSame = exact !== null && isSameTree(exact, native);
  return isSame ? { plain, exact: new Map([["verifier_result", exact]]) } : null;
}

function isSameTree(exact: PyValue, native: PlainValue | undefined): boolean {
  if (typeof exact === "bigint") return Number(exact) === native;
  if (exact === null || typeof exact !== "object") return exact === native;
  if (native === null || typeof native !== "object") return false;
  if (Array.isArray(exact)) {
    if (!Array.isArray(native) || exact.length !== native.length) return false;
    return exact.every((item, index) => isSameTree(item, native[index]));
  }
  if (Array.isArray(native) || Object.keys(native).length !== exact.size) return false;
  for (const [key, item] of exact) {
    if (!Object.hasOwn(native, key) || !isSameTree(item, native[key])) return false;
  }
  return true;
}

function parseNative(text: string): PlainValue | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-return -- JSON.parse gives this type and no other
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function findSoleValue(text: string): number | null {
  const end = text.indexOf(KEY_END);
  // Quotes inside a string are escaped, so a sole match must be the key.
  if (end === -1 || text.indexOf(KEY_END, end + KEY_END.length) !== -1) return null;
  const start = end + KEY_END.length - KEY.length;
  if (!text.startsWith(KEY, start)) return null;
  VALUE_START.lastIndex = start + KEY.length;
  return VALUE_START.test(text) ? VALUE_START.lastIndex : null;
}

function parseObjectAt(text: string, start: number): PyValue | null {
  try {
    return parsePythonJson(text.slice(start, findObjectEnd(text, start)));
  } catch (error) {
    if (error instanceof PythonError) return null;
    throw error;
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];

function findObjectEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) isInString = !isInString;
    else if (isInString) continue;
    else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return at + 1;
  }
  return text.length;
}
