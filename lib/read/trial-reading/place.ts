import { countAddressBytes, takeFitting } from "@/lib/core/domain/page-bytes";
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

const MAX_LIST_BYTES = 600_000;
const ROW_BYTES = 800;

/** Takes the entries whose rows fit into a list of links to files of these trials. */
export function takeFileRows<Entry extends { readonly path: string }>(
  entries: readonly Entry[],
  trialPaths: readonly string[],
  countRows: (entry: Entry) => number = () => 1,
): readonly Entry[] {
  const linkBytes = trialPaths.reduce((sum, path) => sum + countPlaceBytes(path), ROW_BYTES);
  return takeFitting(
    entries,
    MAX_LIST_BYTES,
    (entry) => countRows(entry) * (linkBytes + 2 * countAddressBytes(entry.path)),
  );
}
