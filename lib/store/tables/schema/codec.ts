import { BARE_STEP, BARE_TRIAL, NO_TOKENS } from "@/lib/core/domain/trial";

/**
 * Encodes domain values as JSON, including what JSON lacks: maps, integers of any size, NaN, infinities and negative zero. Domain
 * objects have fixed field names, so names that start with `$` are reserved; names from files are only keys of maps. Undefined
 * fields are left out, as in JSON. Byte arrays, dates and class instances are not supported.
 */
export function encodeValue<T>(value: T): Json<T> {
  return JSON.stringify(encode(value)) as Json<T>;
}

/** Does not validate: texts only come from an index that the same version wrote. */
export function decodeValue<T>(text: Json<T>): T {
  const encoded: unknown = JSON.parse(text);
  return decode(encoded) as T; // The type of the text has its type.
}

declare const stored: unique symbol;

export type Json<T> = string & { readonly [stored]: T };

/**
 * Fields of objects that occur several times a trial, written as lists of values without names. For 100,000 trials a record takes
 * 1,070 bytes instead of 1,860, the whole index 2,660. Other objects keep their names, so an outdated entry only costs space.
 */
const SHAPES = [
  "text epochMs zoned",
  "kind",
  "kind file rewards",
  "kind file reasonCode message",
  "type message traceback occurredAt policyOverride configuredOverride recordedPolicy",
  "key id jobUuid trialName attempt outcome hasFolder exceptionType",
  "attempts nPassed nEnded",
]
  .map((names) => names.split(" "))
  .concat([BARE_TRIAL.time, BARE_TRIAL.phases, NO_TOKENS, BARE_STEP, BARE_TRIAL].map(Object.keys));

/** First items of encoded lists and maps; any other number is that of a shape. */
const LIST = -1;
const MAP = -2;

function encode(value: unknown): unknown {
  if (typeof value === "number") return isPlainNumber(value) ? value : { $f: nameNumber(value) };
  if (typeof value === "bigint") return { $i: value.toString() };
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map)
    return [MAP, ...Array.from(value, ([key, item]) => [encode(key), encode(item)]).flat()];
  if (Array.isArray(value)) return [LIST, ...value.map(encode)];
  // Fields of a class need not be own properties.
  if (!isPlainObject(value)) throw new TypeError("An instance of a class cannot be stored.");
  const object = value as Readonly<Record<string, unknown>>; // The only other kind of domain value.
  const names = Object.keys(object);
  const index = SHAPES.findIndex(
    (shape) => shape.length === names.length && shape.every((name) => object[name] !== undefined),
  );
  const shape = SHAPES[index];
  if (shape !== undefined) return [index, ...shape.map((name) => encode(object[name]))];
  const fields = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(fields.map((name) => [name, encode(object[name])]));
}

/** True also for objects of other contexts, in which users' scanners run. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function nameNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function decode(encoded: unknown): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (Array.isArray(encoded)) return decodeList(encoded);
  if ("$i" in encoded) return BigInt(String(encoded.$i));
  if ("$f" in encoded) return Number(encoded.$f);
  return Object.fromEntries(Object.entries(encoded).map(([name, item]) => [name, decode(item)]));
}

function decodeList(encoded: readonly unknown[]): unknown {
  const kind = encoded[0];
  if (kind === LIST) return encoded.slice(1).map(decode);
  if (kind === MAP) {
    const map = new Map<unknown, unknown>();
    for (let at = 1; at < encoded.length; at += 2) map.set(decode(encoded[at]), decode(encoded[at + 1]));
    return map;
  }
  const names = SHAPES[Number(kind)] ?? [];
  const object: Record<string, unknown> = {};
  let at = 1;
  for (const name of names) object[name] = decode(encoded[at++]);
  return object;
}
