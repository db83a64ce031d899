/**
 * Domain values as JSON text and back, with everything JSON cannot say: maps, whole numbers of any size, NaN, infinities
 * and the negative zero. Plain objects of the domain have fixed field names, so a name that starts with `$` is ours;
 * names that come from files are only ever keys of maps.
 *
 * Undefined fields are left out, as in JSON. Byte arrays, dates and class instances are not values of the domain.
 */
export function encodeValue<T>(value: T): Json<T> {
  return JSON.stringify(toTagged(value)) as Json<T>;
}

/** The value that {@link encodeValue} made a text of: texts come only from the index, which this very version of the code wrote. */
export function decodeValue<T>(text: Json<T>): T {
  const tagged: unknown = JSON.parse(text);
  return fromTagged(tagged) as T; // Its type stands in the type of the text.
}

declare const stored: unique symbol;

/** A value as {@link encodeValue} writes it. */
export type Json<T> = string & { readonly [stored]: T };

function toTagged(value: unknown): unknown {
  if (typeof value === "number") return isPlainNumber(value) ? value : { $f: nameNumber(value) };
  if (typeof value === "bigint") return { $i: value.toString() };
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map) {
    return { $m: Array.from(value, ([key, item]) => [toTagged(key), toTagged(item)]) };
  }
  if (Array.isArray(value)) return value.map(toTagged);
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) plain[key] = toTagged(item);
  return plain;
}

function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function nameNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Changes what was parsed, which nobody else holds, in place: pages decode some hundred records each. */
function fromTagged(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    for (const [index, item] of items.entries()) items[index] = fromTagged(item);
    return items;
  }
  if ("$m" in value) return toMap(value.$m);
  if ("$i" in value) return BigInt(String(value.$i));
  if ("$f" in value) return Number(value.$f);
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "object" && item !== null) Object.assign(value, { [key]: fromTagged(item) });
  }
  return value;
}

function toMap(entries: unknown): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  if (!Array.isArray(entries)) return map;
  for (const entry of entries) {
    if (Array.isArray(entry)) map.set(fromTagged(entry[0]), fromTagged(entry[1]));
  }
  return map;
}
