import { compareNames } from "@/lib/core/domain/compare-text";

import type { IndexStore } from "../open-store";
import type { FacetName } from "../schema/stored-values";

export interface FacetValue<T extends string = string> {
  readonly value: T;
  readonly count: number;
}

/** Values by facet, most frequent first, then in natural order. Facets without values are absent. */
export type FacetValues = ReadonlyMap<FacetName, readonly FacetValue[]>;

export async function readJobFacets({ db }: IndexStore, jobRowId: number): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select(["facet", "value", "count"])
    .where("jobRowId", "=", jobRowId)
    .execute();
  return groupFacets(rows);
}

export async function readTrialFacets({ db }: IndexStore): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select((select) => ["facet", "value", select.fn.sum<number>("count").as("count")])
    .where("facet", "in", ["trial-outcome", "trial-exception", "trial-group", "trial-reward-key"])
    .groupBy(["facet", "value"])
    .execute();
  return groupFacets(rows);
}

export async function readCatalogFacets({ db }: IndexStore): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select((select) => ["facet", "value", select.fn.countAll<number>().as("count")])
    .where("facet", "in", ["job-agent", "job-model", "job-dataset", "job-state", "job-check"])
    .groupBy(["facet", "value"])
    .execute();
  return groupFacets(rows);
}

function groupFacets(rows: readonly (FacetValue & { readonly facet: FacetName })[]): FacetValues {
  const sorted = rows.toSorted((a, b) => b.count - a.count || compareNames(a.value, b.value));
  const groups = Map.groupBy(sorted, ({ facet }) => facet);
  return new Map(
    Array.from(groups, ([facet, own]) => [facet, own.map(({ value, count }) => ({ value, count }))]),
  );
}
