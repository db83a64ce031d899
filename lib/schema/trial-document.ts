import { parsePythonJson, PythonError, type PyValue } from "@/lib/scoring";

import { type PlainValue, toPlainValue } from "./plain-value";
import { hasTrialResultKeys, recogniseHarborDocument } from "./recognise";

/** A trial's result.json: a JavaScript view for names, times and counts, and the exact tree for rewards. */
export interface TrialDocument {
  readonly plain: PlainValue;
  /** Holds at least `verifier_result` and `step_results` where the file does. */
  readonly exact: ReadonlyMap<string, PyValue>;
}

/** The document of an exactly parsed file; null when that is no trial result. */
export function prepareTrialDocument(value: PyValue): TrialDocument | null {
  if (!(value instanceof Map) || recogniseHarborDocument(value) !== "trial-result") return null;
  return { plain: toPlainValue(value), exact: value };
}

const KEY = '"verifier_result"';
const VALUE_START = /\s*:\s*(?=\{)/y;

/**
 * The document of the usual single-step result, three times as fast: JavaScript's own parser reads the file and only the
 * rewards are parsed exactly.
 *
 * @returns null for everything else, which is to be parsed as a whole: files that JSON.parse refuses, other documents,
 *   multi-step trials, and files in which the rewards cannot be told apart beyond doubt
 */
export function parseTrialText(text: string): TrialDocument | null {
  const plain = parseNative(text);
  if (plain === null || typeof plain !== "object" || Array.isArray(plain)) return null;
  if (!hasTrialResultKeys((key) => Object.hasOwn(plain, key)) || (plain["step_results"] ?? null) !== null)
    return null;
  const native = plain["verifier_result"] ?? null;
  if (native === null) return { plain, exact: new Map() };
  const exact = parseSoleObject(text);
  // A doubled or differently escaped key would have led elsewhere.
  const isSame = exact instanceof Map && JSON.stringify(toPlainTree(exact)) === JSON.stringify(native);
  return isSame ? { plain, exact: new Map([["verifier_result", exact]]) } : null;
}

/** Like {@link toPlainValue} with nothing left out. */
function toPlainTree(value: PyValue): PlainValue {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [key, toPlainTree(item)]));
  return Array.isArray(value) ? value.map(toPlainTree) : value;
}

function parseNative(text: string): PlainValue | null {
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- JSON.parse gives this type and no other
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The exact value of the only `"verifier_result": {...}` in the text; null when there are several or none. */
function parseSoleObject(text: string): PyValue | null {
  const at = text.indexOf(KEY);
  // Inside a string the quotes would be escaped, so an occurrence is a key or a whole string, and a sole one the key.
  if (at === -1 || text.indexOf(KEY, at + 1) !== -1) return null;
  VALUE_START.lastIndex = at + KEY.length;
  if (!VALUE_START.test(text)) return null;
  const start = VALUE_START.lastIndex;
  try {
    return parsePythonJson(text.slice(start, findObjectEnd(text, start)));
  } catch (error) {
    if (error instanceof PythonError) return null;
    throw error;
  }
}

/** The index behind the brace that closes the one at `start`. */
function findObjectEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === "{") depth++;
    else if (!isInString && character === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}
