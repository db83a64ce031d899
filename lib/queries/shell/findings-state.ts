import "server-only";

import type { JobHead } from "@/lib/store";

import { getIndex } from "./catalog";

/** Whether a job's findings are those of its files as they are, or are about to be read. */
export type FindingsState = "complete" | "reading";

/** How far a job's findings are; one whose are missing comes first from now on. */
export async function getFindingsState(entry: JobHead): Promise<FindingsState> {
  if (entry.hasFindings) return "complete";
  const index = await getIndex();
  index.prioritise(entry.id);
  return "reading";
}
