import "server-only";

import { computeMeanInterval, type MeanBounds } from "@/lib/stats";
import type { IndexStore, JobHead } from "@/lib/store";

import { type FoundTrial, getFindings } from "./job-page-findings";

/** The mean share of one dimension over the trials of one group. */
export interface DimensionCell {
  readonly mean: number;
  readonly bounds: MeanBounds | null;
  /** Trials that state a share. */
  readonly n: number;
  /** Finished trials of the group that state none. They are in no mean. */
  readonly nMissing: number;
}

/** One dimension over all groups. */
export interface DimensionRow {
  readonly name: string;
  /** One per group of the job, in the job's order; null where no trial of the group states the dimension. */
  readonly cells: readonly (DimensionCell | null)[];
}

/** The dimensions of a job in the order in which its trials name them. */
export async function getDimensions(store: IndexStore, entry: JobHead): Promise<readonly DimensionRow[]> {
  const found = await getFindings(store, entry);
  const names = new Set(found.flatMap(({ findings }) => [...(findings?.dimensions.keys() ?? [])]));
  const byGroup = Map.groupBy(
    found.filter(({ isFinished }) => isFinished),
    ({ groupKey }) => groupKey,
  );
  const groups = entry.groups.map(({ group }) => byGroup.get(group.key) ?? []);
  return [...names].map((name) => ({ name, cells: groups.map((trials) => computeCell(trials, name)) }));
}

function computeCell(trials: readonly FoundTrial[], name: string): DimensionCell | null {
  const tasks = [...Map.groupBy(trials, ({ taskName }) => taskName)].map(([task, attempts]) => ({
    task,
    values: attempts.map(({ findings }) => findings?.dimensions.get(name) ?? null),
  }));
  const interval = computeMeanInterval(tasks, { missing: "exclude" });
  if (interval.kind !== "computed") return null;
  return {
    mean: interval.mean,
    bounds: interval.bounds.kind === "computed" ? interval.bounds : null,
    n: interval.n,
    nMissing: interval.nMissing,
  };
}
