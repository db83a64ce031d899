/**
 * Domain values as JSON text and back, with everything JSON cannot say: maps, whole numbers of any size, NaN, infinities
 * and the negative zero. Plain objects of the domain have fixed field names, so a name that starts with `$` is ours;
 * names that come from files are only ever keys of maps.
 *
 * Undefined fields are left out, as in JSON. Byte arrays, dates and class instances are not values of the domain.
 */
export function encodeValue<T>(value: T): Json<T> {
  return JSON.stringify(encode(value)) as Json<T>;
}

/** The value that {@link encodeValue} made a text of: texts come only from the index, which this very version of the code wrote. */
export function decodeValue<T>(text: Json<T>): T {
  const encoded: unknown = JSON.parse(text);
  return decode(encoded) as T; // Its type stands in the type of the text.
}

declare const stored: unique symbol;

/** A value as {@link encodeValue} writes it. */
export type Json<T> = string & { readonly [stored]: T };

/**
 * Fields of the objects of which there are several a trial: they are written as lists of their values, without names. Of
 * 100,000 trials a record takes 1,070 bytes so and 1,860 with the names; the whole index 2,660. Any other object keeps its
 * names, so that an entry that is out of date costs room and nothing else.
 */
const SHAPES = [
  // Times, tokens, reward files and exceptions.
  "text epochMs zoned",
  "startedAt finishedAt",
  "environmentSetup agentSetup agentExecution verifier",
  "inputTokens cacheTokens outputTokens costUsd",
  "kind",
  "kind file rewards",
  "kind file reasonCode message",
  "type message traceback occurredAt policyOverride configuredOverride recordedPolicy",
  // A step, a trial, an attempt and a cell of the tasks table.
  "stepName hasVerifierResult rewards rewardFile otherRewardFile exception agentExecution verifier tokens",
  "key folder ledger id jobUuid trialName taskName taskDigest source agent agentVersion groupKey model recordedModel " +
    "provider attempt state outcome rewards rewardsProblem recordedValidity isRewardValid rewardFile otherRewardFile " +
    "exception time phases tokens traceTokens simulatedUser settings environment steps sourceTrial resultDigest",
  "key id jobUuid trialName attempt outcome hasFolder exceptionType",
  "attempts nPassed nEnded",
].map((names) => names.split(" "));

/** What a list begins with where it is one, and where it is a map; any other number is that of a shape. */
const LIST = -1;
const MAP = -2;

function encode(value: unknown): unknown {
  if (typeof value === "number") return isPlainNumber(value) ? value : { $f: nameNumber(value) };
  if (typeof value === "bigint") return { $i: value.toString() };
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map)
    return [MAP, ...Array.from(value, ([key, item]) => [encode(key), encode(item)]).flat()];
  if (Array.isArray(value)) return [LIST, ...value.map(encode)];
  const object = value as Readonly<Record<string, unknown>>; // What is left of the domain.
  const names = Object.keys(object);
  const index = SHAPES.findIndex(
    (shape) => shape.length === names.length && shape.every((name) => object[name] !== undefined),
  );
  const shape = SHAPES[index];
  if (shape !== undefined) return [index, ...shape.map((name) => encode(object[name]))];
  const fields = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(fields.map((name) => [name, encode(object[name])]));
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
