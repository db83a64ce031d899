import "server-only";

import { getAnnotationStore, listAll } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import type { JobEntry } from "@/lib/domain/catalog";
import type { TrialRecord } from "@/lib/domain/trial";

import { readReviews, type Reviews } from "./job-page-reviews";

/** How many of some trials reviewers judged, and on how many of those one contradicts the verifier. */
export interface ReviewCounts {
  readonly nJudged: number;
  readonly nDisagreeing: number;
}

/** Names of all trials that were ever judged; null when the store cannot be read. */
export async function listJudgedNames(): Promise<ReadonlySet<string> | null> {
  try {
    const trials = await listAll(getAnnotationStore());
    return new Set(trials.map(({ subject }) => subject.trialName));
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** Judgments of a job's trials by trial key, asked of the store only for trials that somebody judged. */
export async function readJobReviews(
  entry: JobEntry,
  judgedNames: ReadonlySet<string> | null,
): Promise<Reviews> {
  if (judgedNames === null) return null;
  if (judgedNames.size === 0) return new Map();
  const judged = entry.trials.filter((trial) => judgedNames.has(trial.trialName));
  return judged.length === 0 ? new Map() : readReviews(entry, judged);
}

/** Counts over some trials of a job; null when the store cannot be read, which is not "nobody judged". */
export function countReviews(
  reviews: Reviews,
  trials: readonly Pick<TrialRecord, "key">[],
): ReviewCounts | null {
  if (reviews === null) return null;
  const found = reviews.size === 0 ? [] : trials.flatMap(({ key }) => reviews.get(key) ?? []);
  return { nJudged: found.length, nDisagreeing: found.filter(({ disagrees }) => disagrees).length };
}
