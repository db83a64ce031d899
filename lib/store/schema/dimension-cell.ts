import type { CorrelationPair, EndEffects, MeanBounds } from "@/lib/stats";

/** What the finished trials of one group say of one dimension of a family. */
export interface DimensionCell {
  readonly mean: number;
  readonly bounds: MeanBounds | null;
  /** Trials that state a share. */
  readonly n: number;
  /** Finished trials of the group and family that state none. They are in no figure. */
  readonly nMissing: number;
  /** Tasks with a trial that states a share. */
  readonly nTasks: number;
  /** Shares by tenths: `low <= share < high`, the last with its upper edge. */
  readonly counts: readonly number[];
  readonly ends: EndEffects;
}

/** Dimensions of a family that are correlated: its first ones. */
export const MOST_CORRELATED = 50;

/** Correlations as the index keeps them, every pair once: 0 with 1, 0 with 2 ... 1 with 2 ... */
export interface StoredCorrelations {
  /** The correlation, or why there is none. */
  readonly r: readonly (number | CorrelationPair["reason"])[];
  /** Trials that state both. */
  readonly n: readonly number[];
}
