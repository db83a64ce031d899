import { reprFinite, reprInt } from "./repr";
import { compareCodePoints, type PyValue } from "./value";

export interface DumpOptions {
  /** Sorts keys in code point order, like `sort_keys=True`; default: insertion order. */
  readonly sortKeys?: boolean;
}

const NEEDS_ESCAPE = /["\\]|[^ -~]/g;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\f", "\\f"],
  ["\b", "\\b"],
]);

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function dumpString(text: string): string {
  return `"${text.replace(NEEDS_ESCAPE, escapeUnit)}"`;
}

function dumpFloat(x: number): string {
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "Infinity" : "-Infinity";
  return reprFinite(x);
}

/**
 * Returns the text of Python's `json.dumps(value)`, the inverse of {@link parsePythonJson}: ASCII only, floats by `repr`.
 * @throws PythonError ValueError for an int of more than 4,300 digits
 */
export function dumpPythonJson(value: PyValue, options: DumpOptions = {}): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "bigint") return reprInt(value);
  if (typeof value === "number") return dumpFloat(value);
  if (typeof value === "string") return dumpString(value);
  if (value instanceof Map) return dumpDict(value, options);
  return `[${value.map((item) => dumpPythonJson(item, options)).join(", ")}]`;
}

function dumpDict(dict: ReadonlyMap<string, PyValue>, options: DumpOptions): string {
  const entries = [...dict];
  if (options.sortKeys === true) entries.sort(([a], [b]) => compareCodePoints(a, b));
  const items = entries.map(([key, value]) => `${dumpString(key)}: ${dumpPythonJson(value, options)}`);
  return `{${items.join(", ")}}`;
}
