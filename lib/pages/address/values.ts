import { createMultiParser, createParser, parseAsStringLiteral, type SingleParserBuilder } from "nuqs/server";

const LONGEST_TEXT = 200;
const LONGEST_NAME = 4_096;

/** Trimmed, at most 200 characters; empty by default. */
export const text = createParser({
  parse: (value) => value.trim().slice(0, LONGEST_TEXT),
  serialize: String,
}).withDefault("");

/** Unchanged, at most 4,096 characters; null if missing or empty. */
export const name = createParser({
  parse: (value) => (value === "" ? null : value.slice(0, LONGEST_NAME)),
  serialize: String,
});

/** A date, a time, or whole days before now; null otherwise. */
export const since = createParser({
  parse: (value) => (Number.isNaN(findStart(value, 0)) ? null : value),
  serialize: String,
});

const DAY_MS = 86_400_000;

/** Returns milliseconds since 1970; NaN if it is no date, time or span. */
export function findStart(since: string, nowMs: number): number {
  const days = /^(\d{1,4})d$/.exec(since)?.[1];
  return days === undefined
    ? /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(since)
      ? Date.parse(since)
      : Number.NaN
    : nowMs - Number(days) * DAY_MS;
}

export const number = createParser({
  parse: (value) => {
    const parsed = value.trim() === "" ? Number.NaN : Number(value);
    // Turns -0 into 0.
    return Number.isFinite(parsed) ? parsed + 0 : null;
  },
  serialize: String,
});

export function wholeFrom(least: number) {
  return createParser({
    parse: (value) => {
      const parsed = number.parse(value);
      return parsed !== null && Number.isSafeInteger(parsed) && parsed >= least ? parsed : null;
    },
    serialize: String,
  });
}

export function flag(word: string) {
  return createParser<boolean>({
    parse: (value) => (value === word ? true : null),
    serialize: () => word,
  }).withDefault(false);
}

export const direction = createParser({
  parse: (value) => (value === "desc" ? true : value === "asc" ? false : null),
  serialize: (descends) => (descends ? "desc" : "asc"),
});

export const names = listOf(createParser({ parse: (value) => value, serialize: String }));

const MOST_COLUMNS = 40;

export const columns = createParser<readonly string[]>({
  parse: (value) => value.split(",", MOST_COLUMNS),
  serialize: (ids) => ids.join(),
});

/** The first known value is the default. */
export function oneOf<const T extends readonly [string, ...string[]]>(known: T) {
  return parseAsStringLiteral<T[number]>(known).withDefault(known[0]);
}

/** `former` maps retired values, which saved addresses may still have. */
export function someOf<const T extends string>(
  known: readonly T[],
  former: Readonly<Record<string, T>> = {},
) {
  const { parse } = parseAsStringLiteral(known);
  return listOf(createParser({ parse: (value) => parse(former[value] ?? value), serialize: String }));
}

function listOf<T extends string>(item: SingleParserBuilder<T>) {
  return createMultiParser<readonly T[]>({
    parse: (values) => {
      const known = values.flatMap((value) => item.parse(value) ?? []);
      return known.length === 0 ? null : known;
    },
    serialize: (values) => [...values],
    eq: (a, b) => a.length === b.length && a.every((value, at) => value === b[at]),
  }).withDefault([]);
}

/** Beyond every list, and exact in a query when multiplied by the rows of a page. */
const LAST_PAGE = 1_000_000_000;

export const pageNumber = createParser({
  parse: (value) => {
    const parsed = wholeFrom(1).parse(value);
    return parsed !== null && parsed <= LAST_PAGE ? parsed : null;
  },
  serialize: String,
}).withDefault(1);
