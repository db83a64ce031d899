export interface MirrorStatus {
  readonly phase: "listing" | "fetching" | "idle";
  readonly isComplete: boolean;
  /** Count of the running listing, or of the last one. */
  readonly nListed: number;
  readonly nFetched: number;
  readonly nToFetch: number;
  readonly problem: string | null;
}

export const NO_STATUS: MirrorStatus = {
  phase: "idle",
  isComplete: false,
  nListed: 0,
  nFetched: 0,
  nToFetch: 0,
  problem: null,
};

export interface MirrorStart {
  readonly address: string;
  readonly dataFolder: string;
}

export type MirrorOrder =
  | { readonly kind: "scan" }
  | { readonly kind: "fill" }
  | { readonly kind: "bring"; readonly folder: string }
  | { readonly kind: "close" };
