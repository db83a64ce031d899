import "server-only";

import type { JobHead } from "@/lib/store";

import { getIndex } from "./catalog";

/** Whether a job's derived details are those of its files as they are, or are about to be read. */
export type DerivedDetailsState = "complete" | "reading";

/** How far a job's derived details are; one whose are missing comes first from now on. */
export async function getDerivedDetailsState(job: JobHead): Promise<DerivedDetailsState> {
  if (job.hasDerivedDetails) return "complete";
  const index = await getIndex();
  index.prioritise(job.rowId);
  return "reading";
}
