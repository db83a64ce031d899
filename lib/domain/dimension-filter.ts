/** Which trials by what their verifiers say of one dimension. */
export interface DimensionFilter {
  readonly name: string;
  /** What `findTaskFamily` says of the task; null for the tasks of any family. */
  readonly family: string | null;
  /** Smallest and largest share, both included; null is an open end. */
  readonly min: number | null;
  readonly max: number | null;
  /** The share below which, and not at which: the upper edge of a histogram's bin. Null is an open end. */
  readonly below: number | null;
  /** Finished trials that state no share of it, instead of those that do; the range is not asked then. */
  readonly isMissing: boolean;
}
