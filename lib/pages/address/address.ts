import type { Route } from "next";
import {
  createLoader,
  createSerializer,
  type inferParserType,
  type ParserMap,
  type SearchParams,
  type UrlKeys,
} from "nuqs/server";

import { ValidationError } from "@/lib/core/domain/app-error";
import type { ListColumn } from "@/lib/core/fields/field";

import { buildHref, type Query } from "./href";
import type { direction } from "./values";

/** As Next gives it: a name may occur once, several times or not at all. */
export type SearchValues = SearchParams;

/** Null and undefined are not written. */
type Given<Values> = { readonly [Name in keyof Values]?: Values[Name] | null | undefined };

/** @param keys - names in the address that differ from those in the code */
export function createAddress<P extends ParserMap>(parsers: P, keys: UrlKeys<P> = {}) {
  type Values = inferParserType<P>;
  const load = createLoader(parsers, { urlKeys: keys });
  const serialize = createSerializer(parsers, { urlKeys: keys });
  return {
    names: Object.keys(parsers).map((name) => keys[name] ?? name),

    /** Missing and invalid values become their defaults. */
    read: (search: SearchValues): Readonly<Values> => load(search),

    href: (path: string, values: Given<Values>, others: Query = {}): Route =>
      serialize(buildHref(path, others), values as Partial<Values>) as Route, // Next types literal paths only.

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

/** The address of an ordered list. Its direction is written only if it is not the one that its column starts with. */
export function createListAddress<
  P extends ParserMap & Readonly<Record<"sort", { parse(value: string): string | null }>>,
>(
  parsers: P & { readonly descending: typeof direction },
  keys: UrlKeys<P>,
  listed: Readonly<Record<string, Partial<ListColumn>>>,
) {
  type Values = Readonly<Omit<inferParserType<P>, "descending"> & { descending: boolean }>;
  const address = createAddress<P>(parsers, keys);
  const usual: string = address.read({}).sort;
  const descends = (sort: string) => listed[sort]?.ascends !== true;
  return {
    names: address.names,
    listUnknown: address.listUnknown,

    read: (search: SearchValues): Values => {
      const values = address.read(search);
      return { ...values, descending: (values["descending"] as boolean | null) ?? descends(values.sort) };
    },

    href: (path: string, values: Given<Values>, others: Query = {}): Route => {
      const { sort, descending }: Given<{ sort: string; descending: boolean }> = values;
      const isUsual = descending === descends(sort ?? usual);
      return address.href(path, { ...values, descending: isUsual ? null : descending } as never, others);
    },
  };
}

export type AddressValues<A extends { readonly read: (search: SearchValues) => unknown }> = ReturnType<
  A["read"]
>;

export function listSearchValues(url: string): SearchValues {
  const search = new URL(url).searchParams;
  return Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)]));
}

interface KnownNames {
  readonly names: readonly string[];
  readonly listUnknown: (search: SearchValues) => readonly string[];
}

/** Reads the address of a file. @param others - names that its caller reads @throws ValidationError for an unknown name or value */
export function readFileSearch(
  url: string,
  { names, listUnknown }: KnownNames,
  others: readonly string[] = [],
): SearchValues {
  const search = listSearchValues(url);
  const isKnown = (name: string) => names.includes(name) || others.includes(name);
  refuseUnknown([...Object.keys(search).filter((name) => !isKnown(name)), ...listUnknown(search)]);
  return search;
}

/** A file cannot say that it ignored a value, and all rows instead of some would be wrong. @throws ValidationError */
export function refuseUnknown(keys: readonly string[]): void {
  if (keys.length > 0) throw new ValidationError(`This URL has unknown values: ${keys.join(", ")}.`, {});
}

export function toggleValue<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

export function listValues(href: Route): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(href.split("?")[1])];
}
