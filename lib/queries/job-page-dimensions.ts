import "server-only";

import { type DimensionCell, type IndexStore, type JobHead, readDimensions } from "@/lib/store";

import { getFindingsState, type FindingsState } from "./findings-state";

/** One dimension over all groups. */
export interface DimensionRow {
  readonly name: string;
  /** One per group of the job, in the job's order; null where no trial of the group states the dimension. */
  readonly cells: readonly (DimensionCell | null)[];
}

/** The dimensions tab. */
export interface DimensionsPanel {
  /** In the order in which the job's trials name them. */
  readonly rows: readonly DimensionRow[];
  readonly state: FindingsState;
}

/** The dimensions of a job, as of the last complete reading of its trials' files. */
export async function getDimensions(store: IndexStore, entry: JobHead): Promise<DimensionsPanel> {
  const dimensions = await readDimensions(store, entry.id);
  return {
    rows: dimensions.map(({ name, cells }) => ({
      name,
      cells: entry.groups.map(({ group }) => cells.get(group.key) ?? null),
    })),
    state: await getFindingsState(entry),
  };
}
