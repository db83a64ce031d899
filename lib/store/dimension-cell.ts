import type { MeanBounds } from "@/lib/stats";

/** The mean share of one dimension over the trials of one group. */
export interface DimensionCell {
  readonly mean: number;
  readonly bounds: MeanBounds | null;
  /** Trials that state a share. */
  readonly n: number;
  /** Finished trials of the group that state none. They are in no mean. */
  readonly nMissing: number;
}
