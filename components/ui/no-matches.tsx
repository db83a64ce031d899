import type { Route } from "next";

import { formatPlural } from "@/lib/core/format/number";

import { ButtonLink } from "./button";
import { Link } from "./link";
import { Notice } from "./notice";

export type Filter<Params> = readonly [label: string, off: Partial<Params>];

export interface Filtered<Params> {
  params: Params;
  count: (change: Partial<Params>) => Promise<number>;
}

export async function NoMatches<Params extends object>({
  noun,
  plural,
  params,
  filters,
  hrefOf,
  count,
}: Filtered<Params> & {
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

function listValues<Params extends object>(params: Params, off: Partial<Params>): readonly string[] {
  return Object.entries({ ...params }).flatMap(([name, value]: [string, unknown]) => {
    if (!(name in off) || value === "") return [];
    if (typeof value === "number") return /min$/i.test(name) ? `from ${value}` : `to ${value}`;
    return Array.isArray(value) ? value.map(String) : typeof value === "string" ? value : [];
  });
}
