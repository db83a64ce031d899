import type { QueuePlace } from "@/lib/core/domain/annotation";

import type { AnnotationDb } from "../tables";

/** Duration of a lease after the last heartbeat, in milliseconds. */
export const LEASE_MS = 10 * 60_000;

const CLOCK_SKEW_MS = 60_000;

export interface Lease {
  readonly position: number;
  readonly reviewerKey: string;
  readonly reviewerId: string;
  /** Known only to the page that holds the lease. */
  readonly token: string;
  readonly grantedAt: string;
  readonly expiresAt: string;
}

export async function selectLeases(db: AnnotationDb, queueId: string, now: Date): Promise<readonly Lease[]> {
  return (
    db
      .selectFrom("review_lease")
      .select(["position", "reviewer_key as reviewerKey", "reviewer_id as reviewerId", "token"])
      .select(["granted_at as grantedAt", "expires_at as expiresAt"])
      .where("queue_id", "=", queueId)
      .where("expires_at", ">", now.toISOString())
      // A lease that ends later than possible comes from a clock that was set back since.
      .where("expires_at", "<=", new Date(now.getTime() + LEASE_MS + CLOCK_SKEW_MS).toISOString())
      .orderBy("position")
      .orderBy("granted_at")
      .execute()
  );
}

/** Leases a trial to a reviewer and ends their earlier lease on it. Callers check for a free place. */
export async function grantLease(
  db: AnnotationDb,
  place: QueuePlace,
  reviewer: Pick<Lease, "reviewerKey" | "reviewerId" | "token">,
  now: Date,
): Promise<Lease> {
  await endLease(db, place, reviewer.reviewerKey);
  const grantedAt = now.toISOString();
  const expiresAt = new Date(now.getTime() + LEASE_MS).toISOString();
  await db
    .insertInto("review_lease")
    .values({
      queue_id: place.queueId,
      position: place.position,
      reviewer_key: reviewer.reviewerKey,
      reviewer_id: reviewer.reviewerId,
      token: reviewer.token,
      granted_at: grantedAt,
      expires_at: expiresAt,
    })
    .execute();
  return { ...reviewer, grantedAt, expiresAt, position: place.position };
}

export async function endLease(
  db: AnnotationDb,
  { queueId, position }: QueuePlace,
  reviewerKey: string,
): Promise<void> {
  await db
    .deleteFrom("review_lease")
    .where("queue_id", "=", queueId)
    .where("position", "=", position)
    .where("reviewer_key", "=", reviewerKey)
    .execute();
}
