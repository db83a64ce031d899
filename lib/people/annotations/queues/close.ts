import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ForbiddenError, NotFoundError } from "@/lib/core/domain/app-error";

import { NO_ACTOR } from "../owner";
import type { AnnotationStore } from "../store";
import type { AnnotationDb } from "../tables";
import { refuseTakenName } from "./name-owner";
import { insertQueueEvents, type QueueHead, selectHead } from "./stored-queue";
import { NO_QUEUE, type QueueWorker } from "./worker";

/**
 * Any named reviewer may do this if the queue names no reviewers; otherwise only its creator, its reviewers and admins.
 * @throws NotFoundError; ForbiddenError, which says who may
 */
export async function closeQueue(
  store: AnnotationStore,
  worker: QueueWorker & { readonly isClosed: boolean },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const head = await selectHead(db, worker.queueId);
    if (head === null) throw new NotFoundError(NO_QUEUE);
    const verb = worker.isClosed ? "close" : "open";
    await refuseUnlessTheirs(db, head, worker, verb);
    const { queueId, reviewerId } = worker;
    const kind = worker.isClosed ? "closed" : "reopened";
    await insertQueueEvents(db, [{ queueId, reviewerId, position: null, kind, at: now.toISOString() }]);
    if (worker.isClosed) await db.deleteFrom("review_lease").where("queue_id", "=", worker.queueId).execute();
  });
}

async function refuseUnlessTheirs(
  db: AnnotationDb,
  head: QueueHead,
  { reviewerId, actor = NO_ACTOR }: QueueWorker,
  verb: "close" | "open",
): Promise<void> {
  if (actor.isAdmin) return;
  const reviewerKey = computeReviewerKey(reviewerId);
  if (reviewerKey === "") throw new ForbiddenError(`Enter your name first. You need one to ${verb} a queue.`);
  const { reviewers } = head.settings;
  if (reviewers.length === 0) return;
  const isReviewer = reviewers.some((name) => computeReviewerKey(name) === reviewerKey);
  if (isReviewer) await refuseTakenName(db, head, reviewerId, actor);
  else if (computeReviewerKey(head.createdBy) !== reviewerKey) {
    const may = new Set([...(head.createdBy.trim() === "" ? [] : [head.createdBy]), ...reviewers]);
    throw new ForbiddenError(
      `Only the creator and the reviewers of this queue can ${verb} it: ${[...may].join(", ")}. Your name is ${reviewerId.trim()}.`,
    );
  }
}
