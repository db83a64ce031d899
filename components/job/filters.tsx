import type { Route } from "next";
import type { ReactNode } from "react";

import type { ListName } from "@/components/ui/facets-of";
import { FilterChips } from "@/components/ui/filter-bar";
import { NoMatches } from "@/components/ui/no-matches";
import { Pager } from "@/components/ui/pager";
import type { ListPage } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { JobPage } from "@/lib/pages/job/page";

/** A list whose state is in the URL. */
export interface FilteredList<Params> {
  readonly params: Params;
  readonly hrefOf: (change: Partial<Params>) => Route;
  readonly count: (change: Partial<Params>) => Promise<number>;
}

/** A tab of a job with a filtered list. */
export interface ListTab<Panel, Params> {
  readonly page: JobPage;
  readonly panel: Panel;
  readonly list: FilteredList<Params>;
}

export interface ListFilter<Params> {
  readonly label: string;
  readonly off: Partial<Params>;
  /** Chips of its values, for filters without a menu. */
  readonly chips?: (
    params: Params,
  ) => readonly { readonly words: string; readonly without: Partial<Params> }[];
}

export type ListItem<List> = List extends readonly (infer Item extends string)[] ? Item : never;

/** Returns chips of a filter, one of each value. */
export function chipsOf<Params, Name extends ListName<Params>>(
  name: Name,
  wordsOf: (value: ListItem<Params[Name]>) => string,
): Required<ListFilter<Params>>["chips"] {
  return (params) => {
    const values = params[name] as readonly ListItem<Params[Name]>[]; // A list, by its name.
    return values.map((value) => ({
      words: wordsOf(value),
      without: { [name]: values.filter((one) => one !== value) } as Partial<Params>, // One of its parts.
    }));
  };
}

/** Filters that are on, then the rows or which filters leave none. */
export function FilteredRows<Params extends { readonly page: number }>({
  noun,
  list: { params, hrefOf, count },
  filters,
  page,
  children,
}: {
  noun: string;
  list: FilteredList<Params>;
  filters: readonly ListFilter<Params>[];
  page: ListPage<unknown>;
  children: ReactNode;
}) {
  const chips = filters.flatMap(({ chips: chipsOf }) => chipsOf?.(params) ?? []);
  return (
    <>
      {chips.length === 0 ? null : (
        <div className="flow job-chips">
          <FilterChips chips={chips.map(({ words, without }) => ({ words, href: hrefOf(without) }))} />
        </div>
      )}
      {page.rows.length > 0 ? (
        children
      ) : (
        <NoMatches
          noun={noun}
          params={params}
          filters={filters.map(({ label, off }) => [label, off])}
          hrefOf={(_, change) => hrefOf(change)}
          count={count}
        />
      )}
      <Pager
        page={page}
        noun={noun}
        label={`Pages of the ${noun}s`}
        hrefOf={(to) => hrefOf({ ...params, page: to })}
      />
    </>
  );
}

export function describeMatching(nMatching: number, n: number, noun: string): string {
  return `${nMatching === n ? "" : `${formatCount(nMatching)} of `}${formatPlural(n, noun)}`;
}
