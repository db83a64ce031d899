import { computeReviewerKey } from "@/lib/core/domain/annotation";

import { insertStatements } from "../insert";
import type { Actor } from "../owner";
import type { AnnotationDb } from "../record";

export interface QueueWorker {
  readonly queueId: string;
  readonly reviewerId: string;
  readonly actor?: Actor;
}

export const NO_QUEUE = "There is no such queue.";

export async function insertEvent(
  db: AnnotationDb,
  { queueId, reviewerId }: QueueWorker,
  event: { readonly position: number | null; readonly kind: "skipped" | "requeued" | "closed" | "reopened" },
  now: Date,
): Promise<void> {
  const row = {
    ...event,
    queue_id: queueId,
    reviewer_key: computeReviewerKey(reviewerId),
    reviewer_id: reviewerId,
    created_at: now.toISOString(),
  };
  await insertStatements(db, "review_queue_event", [row]);
}
