import { countAddressBytes } from "@/lib/domain/page-bytes";
import type { TrialRecord } from "@/lib/domain/trial";

/** Where a trial lies, for whoever reads its files. */
export interface TrialPlace {
  /** Absolute path of its folder, or of its record where it is a ledger's; null when it has none. */
  readonly path: string | null;
  /** The opened folder that it lies in. */
  readonly root: { readonly index: number; readonly label: string; readonly path: string };
  /** Names of its steps in the order they ran; null for a single-step trial. */
  readonly stepNames: readonly string[] | null;
  /** The trial itself where it is a ledger's, whose files its record names; null for one that Harbor wrote. */
  readonly ledger: TrialRecord | null;
}

/** Bytes of a page, as `countPageBytes` counts them, that the job and the trial of a path take in the address of each link. */
export function countPlaceBytes(path: string): number {
  return countAddressBytes(path.split("/").slice(-2).join("/"));
}
