import "server-only";
import type { TrialRef } from "@/lib/pages/beside/address";
import { type BesideFiles, readApart } from "@/lib/read/trial-reading";

import { requireTrial } from "../trial/locate";

/** @throws NotFoundError, ReadingError */
export async function getBesideFiles(a: TrialRef, b: TrialRef, file: string | null): Promise<BesideFiles> {
  const { place } = await requireTrial(a.jobKey, a.trialKey);
  const other = await requireTrial(b.jobKey, b.trialKey);
  return readApart("beside-files", place.path ?? "", place, other.place, file);
}
