import "server-only";

import type { JobHead } from "@/lib/store";

import { getIndex } from "./catalog";

/**
 * Whether the files of a job's trials were read. `complete`: they were, as they are. `reading`: they are about to be, and
 * what is shown is of an earlier reading, or nothing.
 */
export type FindingsState = "complete" | "reading";

/** How far a job's findings are; one whose are missing comes first from now on. */
export async function getFindingsState(entry: JobHead): Promise<FindingsState> {
  if (entry.hasFindings) return "complete";
  const index = await getIndex();
  index.prioritise(entry.id);
  return "reading";
}
