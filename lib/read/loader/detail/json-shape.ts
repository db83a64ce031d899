export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deeper than any results writer nests, and safe for recursive code. */
export const MAX_NESTING = 500;

export function isNestedDeeper(value: unknown, levels = MAX_NESTING): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

/** Returns undefined if invalid or too deep. For files use `parseLooseJson`. */
export function parseJsonText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedDeeper(value) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

export function writeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const MAX_INDENTED_CHARS = 200_000;
const MAX_INDENTED_LEVELS = 20;

export function writeIndented(value: unknown): string {
  const text = JSON.stringify(value);
  const isPlain = text.length <= MAX_INDENTED_CHARS && !isNestedDeeper(value, MAX_INDENTED_LEVELS);
  return isPlain ? JSON.stringify(value, null, 2) : text;
}

export function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function pickText(object: JsonObject, ...names: readonly string[]): string | null {
  const values = names.map((name) => object[name]);
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? null;
}

export function pickNumber(object: JsonObject, ...names: readonly string[]): number | null {
  const values = names.map((name) => object[name]);
  return values.find((value): value is number => Number.isFinite(value)) ?? null;
}

export function pickBoolean(object: JsonObject, name: string): boolean | null {
  const value = object[name];
  return typeof value === "boolean" ? value : null;
}

export function pickTexts(object: JsonObject, name: string): readonly string[] {
  return listOr(object[name]).map(writeValue);
}
