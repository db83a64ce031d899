import { parsePythonJson, PythonError, type PyValue } from "@/lib/core/scoring";

import type { EvaluationIssue, JsonObject, JsonValue, Parsed } from "./types";

/** Deepest nesting of a plain value: above the scoring core's limit for text. */
const MAX_DEPTH = 2000;
/** Values copied before an input counts as endless. */
const MAX_VALUES = 10_000_000;

/**
 * Returns a fresh JSON value from an input: a text is parsed like Python's `json.loads`, anything else is copied.
 * @param input - undefined fields are dropped, a `Map` counts as an object, a `Date` as its ISO text
 * @returns an issue for bad JSON, for values that JSON lacks (functions, cycles, deep nesting) and for getters that throw
 */
export function readJsonInput(input: unknown): Parsed<JsonValue> {
  if (typeof input === "string") return readJsonText(input);
  try {
    return { ok: true, value: new Copier().copy(input) };
  } catch (error) {
    if (error instanceof InputFault) return { ok: false, issues: [error.issue] };
    return fail([], "unreadable", "Input could not be read");
  }
}

/** Parses a JSON text, with CPython's message for an error. */
export function readJsonText(text: string): Parsed<JsonValue> {
  try {
    return { ok: true, value: toJsonValue(parsePythonJson(text)) };
  } catch (error) {
    if (error instanceof PythonError) return fail([], error.name, describeJsonError(error, text));
    return fail([], "RecursionError", "maximum recursion depth exceeded while decoding JSON");
  }
}

/** Returns the fields of an input, see {@link readJsonInput}; none unless it is an object. */
export function readObject(input: unknown): JsonObject {
  const read = readJsonInput(input);
  return read.ok ? toObject(read.value) : {};
}

/** Returns the items of an input with their fields, see {@link readObject}; none unless it is a list. */
export function readObjects(input: unknown): JsonObject[] {
  const read = readJsonInput(input);
  return read.ok && Array.isArray(read.value) ? read.value.map(toObject) : [];
}

/** True for an object. The type of its fields is sound for a value from {@link readJsonInput} only. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Sets a key of any name, `__proto__` too, as an own field. */
export function setField<T>(target: Record<string, T>, key: string, value: T): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function fail(path: EvaluationIssue["path"], code: string, message: string): Parsed<never> {
  return { ok: false, issues: [{ path, code, message }] };
}

/** Converts Python's value: dicts become objects, ints become doubles. */
function toJsonValue(value: PyValue): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (!(value instanceof Map)) return value;
  const object: JsonObject = {};
  for (const [key, item] of value) setField(object, key, toJsonValue(item));
  return object;
}

class InputFault extends Error {
  readonly issue: EvaluationIssue;

  constructor(issue: EvaluationIssue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Copies one plain value. A shared part is copied once, so that it costs nothing. */
class Copier {
  private readonly copies = new Map<object, JsonValue>();
  private readonly open = new Set<object>();
  private readonly path: (string | number)[] = [];
  private count = 0;

  copy(value: unknown): JsonValue {
    if (++this.count > MAX_VALUES) throw this.fault("too_large", "Input holds too many values");
    if (value === undefined || value === null) return null;
    if (typeof value === "bigint") return Number(value);
    if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") return value;
    if (typeof value === "object") return this.copies.get(value) ?? this.copyObject(value);
    throw this.fault("not_json", "Input should be a value of JSON");
  }

  private copyObject(value: object): JsonValue {
    if (this.open.has(value)) throw this.fault("not_json", "Input should not contain itself");
    if (this.path.length > MAX_DEPTH) {
      throw new InputFault({ path: [], code: "RecursionError", message: "maximum recursion depth exceeded" });
    }
    if (ArrayBuffer.isView(value)) throw this.fault("not_json", "Input should be a value of JSON");
    if (value instanceof Date) return value.toISOString();
    this.open.add(value);
    const copy = Array.isArray(value) ? this.copyList(value) : this.copyFields(value);
    this.open.delete(value);
    this.copies.set(value, copy);
    return copy;
  }

  private copyList(list: readonly unknown[]): JsonValue[] {
    if (list.length > MAX_VALUES) throw this.fault("too_large", "Input holds too many values");
    const copy: JsonValue[] = [];
    for (let index = 0; index < list.length; index++) copy.push(this.copyAt(index, list[index]));
    return copy;
  }

  private copyFields(object: object): JsonObject {
    const copy: JsonObject = {};
    for (const [key, item] of object instanceof Map ? object : Object.entries(object)) {
      if (typeof key !== "string") throw this.fault("not_json", "Keys should be text");
      if (item !== undefined) setField(copy, key, this.copyAt(key, item));
    }
    return copy;
  }

  private copyAt(key: string | number, value: unknown): JsonValue {
    this.path.push(key);
    const copy = this.copy(value);
    this.path.pop();
    return copy;
  }

  private fault(code: string, message: string): InputFault {
    return new InputFault({ path: [...this.path], code, message });
  }
}

const POSITION = /^(.*): char (\d+)$/s;
const BAD_STRING = "Invalid escape or control character in string";
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Returns CPython's message for invalid JSON, with line, column and position in code points; other errors keep theirs. */
function describeJsonError(error: PythonError, text: string): string {
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
