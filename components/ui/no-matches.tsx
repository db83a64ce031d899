import type { Route } from "next";

import { formatPlural } from "@/lib/format/number";

import { ButtonLink } from "./button";
import { Notice } from "./notice";
import { Link } from "./link";

/** A filter of a list: what it is called, and the change that takes it off. */
export type Filter<Params> = readonly [label: string, off: Partial<Params>];

/** A filtered list without rows. */
export interface Filtered<Params> {
  params: Params;
  /** Rows of the list with these changes. */
  count: (change: Partial<Params>) => Promise<number>;
}

/** Rows are there, but the filters leave none: each with its value, a link that removes it, and what that would show. */
export async function NoMatches<Params extends object>({
  noun,
  plural,
  params,
  filters,
  hrefOf,
  count,
}: Filtered<Params> & {
  /** What a row is, in the singular; in the plural where that is not the singular with an s. */
  noun: string;
  plural?: string;
  filters: readonly Filter<Params>[];
  hrefOf: (params: Params, change: Partial<Params>) => Route;
}) {
  const used = filters.filter(([, off]) => listValues(params, off).length > 0);
  const all = Object.assign({}, ...used.map(([, off]) => off)) as Partial<Params>; // Parts of parameters are parts.
  const lines = await Promise.all(
    used.map(async ([label, off]) => ({
      label,
      words: listValues(params, off).join(", "),
      href: hrefOf(params, off),
      nRows: await count(off),
    })),
  );
  return (
    <Notice
      title={`No ${noun} matches ${used.length === 1 ? "this filter" : `these ${used.length} filters`}`}
      actions={
        used.length > 1 ? (
          <ButtonLink href={hrefOf(params, all)}>Remove all {used.length} filters</ButtonLink>
        ) : undefined
      }
    >
      <ul>
        {lines.map(({ label, words, href, nRows }) => (
          <li key={label}>
            {label}: <b>{words}</b>.{" "}
            <Link href={href} mode="replace">
              Remove it
            </Link>
            {nRows === 0 ? ": still none" : ` to see ${formatPlural(nRows, noun, plural)}`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The values that a change takes away, as words; none where it takes nothing away. */
function listValues<Params extends object>(params: Params, off: Partial<Params>): readonly string[] {
  return Object.entries({ ...params }).flatMap(([name, value]: [string, unknown]) => {
    if (!(name in off) || value === "") return [];
    if (typeof value === "number") return /min$/i.test(name) ? `from ${value}` : `to ${value}`;
    return Array.isArray(value) ? value.map(String) : typeof value === "string" ? value : [];
  });
}
