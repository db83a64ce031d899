/** A JSON object after parsing. Values are unknown until narrowed by the functions here. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

/** The first finite number among the named fields, else null. */
export function pickNumber(object: JsonObject, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return null;
}

/** The field as a boolean, else null. */
export function pickBoolean(object: JsonObject, name: string): boolean | null {
  const value = object[name];
  return typeof value === "boolean" ? value : null;
}

/** Strings of a list field, in order; other members are written as JSON. */
export function pickTexts(object: JsonObject, name: string): readonly string[] {
  return listOr(object[name]).map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
}
