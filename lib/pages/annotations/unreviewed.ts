import "server-only";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { sumBy } from "@/lib/core/domain/sum-by";
import { type IndexStore, type JobHead, readFinishedPlaces } from "@/lib/store/tables";

import type { JudgedOfJob } from "./judged";

const READ_AHEAD = 200;

/**
 * Returns the next finished trial that the reviewer has not reviewed, after `position` and wrapping around; null if none is left.
 */
export async function findUnreviewed(
  store: IndexStore,
  job: JobHead,
  position: number,
  judged: JudgedOfJob,
  reviewerId: string,
): Promise<string | null> {
  const reviewerKey = computeReviewerKey(reviewerId);
  const isJudged = (key: string) =>
    judged.get(key)?.judgments.latest.some((one) => computeReviewerKey(one.reviewerId) === reviewerKey) ===
    true;
  const ranges = [
    { first: position + 1, end: null },
    { first: 0, end: position },
  ];
  for (const range of ranges) {
    let { first } = range;
    for (;;) {
      const trials = await readFinishedPlaces(store, job.rowId, { ...range, first }, READ_AHEAD);
      const last = trials.at(-1);
      if (last === undefined) break;
      const next = trials.find(({ key }) => !isJudged(key));
      if (next !== undefined) return next.key;
      first = last.position + 1;
    }
  }
  return null;
}

/** Counts judged trials by reviewer key. */
export function countReviewed(judged: JudgedOfJob): Record<string, number> {
  const latest = [...judged.values()].flatMap(({ judgments }) => judgments.latest);
  return Object.fromEntries(sumBy(latest, ({ reviewerId }) => computeReviewerKey(reviewerId)));
}
