import "server-only";

import { getAnnotationStore, judgmentsByTrial, type TrialJudgments } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import type { JobEntry } from "@/lib/domain/catalog";
import type { JudgmentFilter } from "@/lib/domain/job-filter";
import type { TrialRecord } from "@/lib/domain/trial";

/** Reviewers' judgments by trial key; null when the store cannot be read, which is not "nobody reviewed". */
export type Reviews = ReadonlyMap<string, TrialJudgments> | null;

/** The judgments of some trials of a job. */
export async function readReviews(entry: JobEntry, trials: readonly TrialRecord[]): Promise<Reviews> {
  try {
    return await judgmentsByTrial(getAnnotationStore(), { job: entry.job, trials });
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** Whether a trial's judgments fit any of the chosen filters. */
export function matchesJudgment(
  judgments: TrialJudgments | undefined,
  wanted: readonly JudgmentFilter[],
): boolean {
  return wanted.some((filter) => {
    if (filter === "none") return judgments === undefined;
    if (filter === "any") return judgments !== undefined;
    return filter === "disagrees" ? judgments?.disagrees === true : judgments?.judgment === filter;
  });
}
