import "server-only";
import type { JobHead } from "@/lib/store/tables";

import { getIndex } from "./catalog";

export type DerivedDetailsState = "complete" | "reading";

/** If details are missing, this job is read first from now on. */
export async function getDerivedDetailsState(job: JobHead): Promise<DerivedDetailsState> {
  if (job.hasDerivedDetails) return "complete";
  const index = await getIndex();
  index.prioritise(job.rowId);
  return "reading";
}
