import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import { computeMeanInterval, type MeanBounds } from "@/lib/stats";

import { getFindings } from "./job-page-findings";
import { getTrialRows, type TrialRow } from "./job-page-rows";

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
export async function getDimensions(entry: JobEntry): Promise<readonly DimensionRow[]> {
  const findings = await getFindings(entry);
  const { byGroup } = getTrialRows(entry);
  const names = new Set([...findings.values()].flatMap(({ dimensions }) => [...dimensions.keys()]));
  const groups = entry.report.groups.map(({ key }) =>
    (byGroup.get(key) ?? []).filter(({ trial }) => trial.state === "finished"),
  );
  return [...names].map((name) => ({
    name,
    cells: groups.map((rows) =>
      computeCell(rows, (row) => findings.get(row.trial.key)?.dimensions.get(name) ?? null),
    ),
  }));
}

function computeCell(
  rows: readonly TrialRow[],
  read: (row: TrialRow) => number | null,
): DimensionCell | null {
  const tasks = [...Map.groupBy(rows, ({ trial }) => trial.taskName)].map(([task, attempts]) => ({
    task,
    values: attempts.map(read),
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
