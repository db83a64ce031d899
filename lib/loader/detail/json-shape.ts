/** A JSON object after parsing. Values are unknown until narrowed by the functions here. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Levels of nesting that are read: more than any writer of results uses, and few enough for whatever walks them. */
export const MAX_NESTING = 500;

/** Whether lists and objects are nested more than `levels` deep. */
export function isNestedDeeper(value: unknown, levels = MAX_NESTING): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

/** What a text is as JSON; undefined when it is none, or nested too deep for whatever walks it. For text that only may be JSON: files have `parseLooseJson`. */
export function parseJsonText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedDeeper(value) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Text as it is, anything else as JSON. Never throws for what JSON.parse gave and {@link isNestedDeeper} let pass. */
export function writeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** More is mostly indentation. */
const MAX_INDENTED_CHARS = 200_000;
const MAX_INDENTED_LEVELS = 20;

/** A value as JSON, an entry a line; on one line where it is too long or nested too deep for that. */
export function writeIndented(value: unknown): string {
  const text = JSON.stringify(value);
  const isPlain = text.length <= MAX_INDENTED_CHARS && !isNestedDeeper(value, MAX_INDENTED_LEVELS);
  return isPlain ? JSON.stringify(value, null, 2) : text;
}

/** The value as an object, else an empty one: for optional parts of a loose format. */
export function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list, else an empty one. */
export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The first non-empty string among the named fields, else null. */
export function pickText(object: JsonObject, ...names: readonly string[]): string | null {
  const values = names.map((name) => object[name]);
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? null;
}

/** The first finite number among the named fields, else null. */
export function pickNumber(object: JsonObject, ...names: readonly string[]): number | null {
  const values = names.map((name) => object[name]);
  return values.find((value): value is number => Number.isFinite(value)) ?? null;
}

/** The field as a boolean, else null. */
export function pickBoolean(object: JsonObject, name: string): boolean | null {
  const value = object[name];
  return typeof value === "boolean" ? value : null;
}

/** Strings of a list field, in order; other members are written as JSON. */
export function pickTexts(object: JsonObject, name: string): readonly string[] {
  return listOr(object[name]).map(writeValue);
}
