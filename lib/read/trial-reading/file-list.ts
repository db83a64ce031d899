import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import type { TrialFileEntry } from "@/lib/core/domain/trial-file";
import { listTrialFiles, readLedgerDetails } from "@/lib/read/loader/detail";

import { countPlaceBytes, type TrialPlace } from "./place";

export interface FileList {
  readonly entries: readonly TrialFileEntry[];
  readonly cutNote: string | null;
}

const MAX_LIST_BYTES = 700_000;
const ROW_BYTES = 1_100;

/** A ledger's trial has only the files that its record names. */
export async function readFileList(place: TrialPlace): Promise<FileList> {
  if (place.ledger !== null) {
    const { entries } = await readLedgerDetails(place.root, place.ledger);
    return limitEntries(entries, place.ledger.folder);
  }
  if (place.path === null) return { entries: [], cutNote: null };
  const { entries, cutNote } = await listTrialFiles(place.path);
  const shown = limitEntries(entries, place.path);
  return { ...shown, cutNote: shown.cutNote ?? cutNote };
}

export function limitEntries(all: readonly TrialFileEntry[], place: string): FileList {
  const placeBytes = countPlaceBytes(place);
  const entries = takeFitting(
    all,
    MAX_LIST_BYTES,
    ({ path }) => ROW_BYTES + placeBytes + countAddressBytes(path) + countPageBytes(path),
  );
  if (entries === all) return { entries, cutNote: null };
  const [some, whole] = [entries.length, all.length].map((n) => n.toLocaleString("en"));
  return { entries, cutNote: `Only the first ${some} of ${whole} are listed.` };
}
