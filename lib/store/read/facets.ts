import type { FacetName } from "./facet-names";
import type { IndexStore } from "../open-store";

/** A value to filter by and how many rows carry it. */
export interface FacetValue<T extends string = string> {
  readonly value: T;
  readonly count: number;
}

/** Values by facet, most frequent first, then by value. A facet that nothing carries is absent. */
export type FacetValues = ReadonlyMap<FacetName, readonly FacetValue[]>;

/** The values that trials, tasks and figures of one job can be filtered by. */
export async function readJobFacets({ db }: IndexStore, jobId: number): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select(["facet", "value", "count"])
    .where("job_id", "=", jobId)
    .orderBy("count", "desc")
    .orderBy("value")
    .execute();
  return groupFacets(rows);
}

/** The values that jobs can be filtered by, with the number of jobs that carry each. */
export async function readCatalogFacets({ db }: IndexStore): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select((select) => ["facet", "value", select.fn.countAll<number>().as("count")])
    .where("facet", "in", ["job-agent", "job-model", "job-dataset", "job-state", "job-seal"])
    .groupBy(["facet", "value"])
    .orderBy("count", "desc")
    .orderBy("value")
    .execute();
  return groupFacets(rows);
}

function groupFacets(
  rows: readonly { readonly facet: string; readonly value: string; readonly count: number }[],
): FacetValues {
  const groups = new Map<FacetName, FacetValue[]>();
  for (const { facet, value, count } of rows) {
    const name = facet as FacetName; // The indexer writes members of the closed list.
    const values = groups.get(name) ?? [];
    groups.set(name, values);
    values.push({ value, count });
  }
  return groups;
}
