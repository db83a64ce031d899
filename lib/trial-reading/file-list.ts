import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import type { TrialFileEntry } from "@/lib/domain/trial-file";
import { listTrialFiles, readLedgerDetails } from "@/lib/loader/detail";

import { countPlaceBytes, type TrialPlace } from "./place";

/** Files of a trial in path order, folders before what they hold, as many as a page shows. */
export interface FileList {
  readonly entries: readonly TrialFileEntry[];
  /** What was left out and why, as one sentence; null when all is listed. */
  readonly cutNote: string | null;
}

/** Of all rows of the list, and of a row beside what its address and its name take. */
const MAX_LIST_BYTES = 700_000;
const ROW_BYTES = 1_100;

/** All files of a trial; of a ledger's none but those that its record names. */
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

/** As many entries as fit on a page, in their order; every row's address names the path of the trial, `place`. */
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
