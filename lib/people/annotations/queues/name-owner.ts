import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ForbiddenError } from "@/lib/core/domain/app-error";

import type { Actor } from "../owner";
import type { AnnotationDb } from "../tables";
import { listStanding, type QueueHead, selectQueueEvents } from "./stored-queue";

export interface QueueWorker {
  readonly queueId: string;
  readonly reviewerId: string;
  readonly actor?: Actor;
}

export const NO_QUEUE = "There is no such queue.";

/**
 * Reserves a name in a queue for named reviewers to the first browser that judged under it, while one of its judgments counts.
 * The name decides what is assigned and hidden, and anyone can type it.
 * @throws ForbiddenError
 */
export async function refuseTakenName(
  db: AnnotationDb,
  { queueId, settings: { reviewers } }: Pick<QueueHead, "queueId" | "settings">,
  reviewerId: string,
  { browserKeyHash, isAdmin }: Actor,
): Promise<void> {
  if (reviewers.length === 0 || isAdmin) return;
  const reviewerKey = computeReviewerKey(reviewerId);
  const first = listStanding(await selectQueueEvents(db, queueId)).find(
    (event) => event.reviewerKey === reviewerKey && event.browserKeyHash !== null,
  );
  if (first === undefined || first.browserKeyHash === browserKeyHash) return;
  const others = reviewers.filter((name) => computeReviewerKey(name) !== reviewerKey);
  const another = others.length === 0 ? "" : `, review as ${others.join(" or ")}`;
  throw new ForbiddenError(
    `In this queue, the name ${reviewerId.trim()} belongs to the browser that first reviewed under it, not to this one. ` +
      `Continue in that browser${another}, or ask your administrator.`,
  );
}
