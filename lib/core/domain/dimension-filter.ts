export interface DimensionFilter {
  readonly name: string;
  readonly family: string | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Exclusive upper bound: the upper edge of a histogram bin; null is open. */
  readonly below: number | null;
  /** Selects finished trials without a share of the dimension, and ignores the range. */
  readonly isMissing: boolean;
}
