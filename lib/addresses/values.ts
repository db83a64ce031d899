import { createMultiParser, createParser, parseAsStringLiteral, type SingleParserBuilder } from "nuqs/server";

const LONGEST_TEXT = 200;
const LONGEST_NAME = 4_096;

/** A text without surrounding space and at most 200 characters; empty when there is none. */
export const text = createParser({
  parse: (value) => value.trim().slice(0, LONGEST_TEXT),
  serialize: String,
}).withDefault("");

/** A name, key or path as it stands there, at most 4,096 characters of it; null when there is none or it is empty. */
export const name = createParser({
  parse: (value) => (value === "" ? null : value.slice(0, LONGEST_NAME)),
  serialize: String,
});

/** A finite number; null when there is none. */
export const number = createParser({
  parse: (value) => {
    const parsed = value.trim() === "" ? Number.NaN : Number(value);
    // There is one zero.
    return Number.isFinite(parsed) ? parsed + 0 : null;
  },
  serialize: String,
});

/** A whole number that is not less than `least`; null when there is none. */
export function wholeFrom(least: number) {
  return createParser({
    parse: (value) => {
      const parsed = number.parse(value);
      return parsed !== null && Number.isSafeInteger(parsed) && parsed >= least ? parsed : null;
    },
    serialize: String,
  });
}

/** Whether the text is `word`. */
export function flag(word: string) {
  return createParser<boolean>({
    parse: (value) => (value === word ? true : null),
    serialize: () => word,
  }).withDefault(false);
}

/** Whether an order descends; null when the address leaves that to the column. */
export const direction = createParser({
  parse: (value) => (value === "desc" ? true : value === "asc" ? false : null),
  serialize: (descends) => (descends ? "desc" : "asc"),
});

/** Every value under a name, in their order; a value may hold any character. */
export const names = listOf(createParser({ parse: (value) => value, serialize: String }));

const MOST_COLUMNS = 40;

/** Ids of the shown columns in their order, which the table checks; null for all of them. */
export const columns = createParser<readonly string[]>({
  parse: (value) => value.split(",", MOST_COLUMNS),
  serialize: (ids) => ids.join(),
});

/** One of the known values, the first of them by default. */
export function oneOf<const T extends readonly [string, ...string[]]>(known: T) {
  return parseAsStringLiteral<T[number]>(known).withDefault(known[0]);
}

/** Those of the known values in the address. `former` maps retired values, which saved addresses may still have. */
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

/** Beyond every list, and exact in a query when it is multiplied with the rows of a page. */
const LAST_PAGE = 1_000_000_000;

/** A page of a list, from 1. */
export const pageNumber = createParser({
  parse: (value) => {
    const parsed = wholeFrom(1).parse(value);
    return parsed !== null && parsed <= LAST_PAGE ? parsed : null;
  },
  serialize: String,
}).withDefault(1);
