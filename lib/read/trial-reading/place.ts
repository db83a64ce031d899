import { countAddressBytes } from "@/lib/core/domain/page-bytes";
import type { Trial } from "@/lib/core/domain/trial";

export interface TrialPlace {
  /** Absolute path of its folder, or of a ledger's record; null if it has none. */
  readonly path: string | null;
  readonly root: { readonly index: number; readonly label: string; readonly path: string };
  readonly stepNames: readonly string[] | null;
  /** The trial if a ledger's record names its files; null for a Harbor trial. */
  readonly ledger: Trial | null;
}

/** Returns the bytes, as in `countPageBytes`, that a trial's path adds to the address of each link. */
export function countPlaceBytes(path: string): number {
  return countAddressBytes(path.split("/").slice(-2).join("/"));
}
