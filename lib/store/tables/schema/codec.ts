/**
 * Encodes domain values as JSON, including what JSON lacks: maps, integers of any size, NaN, infinities and negative zero. Domain
 * objects have fixed field names, so names that start with `$` are reserved; names from files are only keys of maps. Undefined
 * fields are left out, as in JSON.
 * @throws TypeError for sets, byte arrays and other class instances, which JSON would write as `{}`
 */
export function encodeValue<T>(value: T): Json<T> {
  return JSON.stringify(value, encodeSpecial) as Json<T>;
}

/** Does not validate: texts only come from an index that the same version wrote. */
export function decodeValue<T>(text: Json<T>): T {
  return decode(JSON.parse(text)) as T; // The type of the text has its type.
}

declare const stored: unique symbol;

export type Json<T> = string & { readonly [stored]: T };

function encodeSpecial(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (value instanceof Map) return { $map: [...value] };
    // `value` is what `toJSON` returned, which buffers have.
    if (Object.getPrototypeOf(this[name]) === Object.prototype) return value;
    throw new TypeError(`${name} is ${Object.prototype.toString.call(this[name])}, which cannot be encoded`);
  }
  if (typeof value === "bigint") return { $int: value.toString() };
  if (Object.is(value, -0)) return { $float: "-0" };
  if (typeof value === "number" && !Number.isFinite(value)) return { $float: String(value) };
  return value;
}

/** A function for `JSON.parse` would take six times as long. */
function decode(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  if ("$map" in value)
    return new Map((value.$map as [unknown, unknown][]).map(([key, item]) => [decode(key), decode(item)]));
  if ("$int" in value) return BigInt(String(value.$int));
  if ("$float" in value) return Number(value.$float);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decode(item)]));
}
