import { ValidationError } from "@/lib/domain/app-error";
import type { Route } from "next";
import {
  createLoader,
  createSerializer,
  type inferParserType,
  type ParserMap,
  type SearchParams,
  type UrlKeys,
} from "nuqs/server";

import { buildHref, type Query } from "./href";

/** The query of an address as Next gives it: a name may stand there once, several times or not at all. */
export type SearchValues = SearchParams;

/**
 * Reads and writes the query of one page's address.
 *
 * @param keys - names in the address where they differ from those in the code
 */
export function createAddress<P extends ParserMap>(parsers: P, keys: UrlKeys<P> = {}) {
  type Values = inferParserType<P>;
  const load = createLoader(parsers, { urlKeys: keys });
  const serialize = createSerializer(parsers, { urlKeys: keys });
  return {
    /** Every name that the address may have. */
    names: Object.keys(parsers).map((name) => keys[name] ?? name),

    /** The values of the address; one that is missing or wrong is its default. */
    read: (search: SearchValues): Readonly<Values> => load(search),

    /** The path with those of the values that are not their default, after the values `others`. */
    href: (
      path: string,
      values: { readonly [Name in keyof Values]?: Values[Name] | null | undefined },
      others: Query = {},
    ): Route => serialize(buildHref(path, others), values as Partial<Values>) as Route, // Next types literal paths only.

    listUnknown: (search: SearchValues): readonly string[] =>
      Object.entries(parsers).flatMap(([name, parser]) => {
        const key = keys[name] ?? name;
        const values = [search[key] ?? []].flat().filter((value) => value !== "");
        const parse = (value: string): unknown =>
          parser.type === "multi" ? parser.parse([value]) : parser.parse(value);
        return values.every((value) => parse(value) !== null) ? [] : [key];
      }),
  };
}

/** What an address says, by the names in the code. */
export type AddressValues<A extends { readonly read: (search: SearchValues) => unknown }> = ReturnType<
  A["read"]
>;

/** The query of a request for something that is no page, as a page would get it. */
export function listSearchValues(url: string): SearchValues {
  const search = new URL(url).searchParams;
  return Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)]));
}

/**
 * A file cannot say, as a page does, that it passed over a value: with all rows in place of some it would be a wrong one.
 * @param keys - of the values that nobody knows
 * @throws ValidationError when there is one
 */
export function refuseUnknown(keys: readonly string[]): void {
  if (keys.length > 0)
    throw new ValidationError(
      `This address has values that Assay does not recognise: ${keys.join(", ")}.`,
      {},
    );
}

/** The list with `value` added, or removed when it was in it. */
export function toggleValue<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** Names and values of an address, as the hidden fields of a form keep them. */
export function listValues(href: Route): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(href.split("?")[1])];
}
