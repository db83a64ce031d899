export interface MirrorStatus {
  readonly phase: "listing" | "fetching" | "idle";
  /** Whether all results were here once. */
  readonly isComplete: boolean;
  /** Objects that the listing under way has seen, or the last one. */
  readonly nListed: number;
  /** Objects that were fetched since the last listing, and that are to be. */
  readonly nFetched: number;
  readonly nToFetch: number;
  /** Why the bucket could not be listed or read, and what to do; null when it could. */
  readonly problem: string | null;
}

/** Of a mirror that nothing was done about yet. */
export const NO_STATUS: MirrorStatus = {
  phase: "idle",
  isComplete: false,
  nListed: 0,
  nFetched: 0,
  nToFetch: 0,
  problem: null,
};
