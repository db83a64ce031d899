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
  const rows = await db
    .selectFrom("review_lease")
    .selectAll()
    .where("queue_id", "=", queueId)
    .where("expires_at", ">", now.toISOString())
    // A lease that ends later than possible comes from a clock that was set back since.
    .where("expires_at", "<=", new Date(now.getTime() + LEASE_MS + CLOCK_SKEW_MS).toISOString())
    .orderBy("position")
    .orderBy("granted_at")
    .execute();
  return rows.map((row) => ({
    position: row.position,
    reviewerKey: row.reviewer_key,
    reviewerId: row.reviewer_id,
    token: row.token,
    grantedAt: row.granted_at,
    expiresAt: row.expires_at,
  }));
}

/** Leases a trial to a reviewer and ends their earlier lease on it. Callers check for a free place. */
export async function grantLease(
  db: AnnotationDb,
  place: QueuePlace,
  reviewer: Pick<Lease, "reviewerKey" | "reviewerId" | "token">,
  now: Date,
): Promise<Lease> {
  await endLease(db, place, reviewer.reviewerKey);
  const times = {
    grantedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + LEASE_MS).toISOString(),
  };
  const row = {
    queue_id: place.queueId,
    position: place.position,
    reviewer_key: reviewer.reviewerKey,
    reviewer_id: reviewer.reviewerId,
    token: reviewer.token,
    granted_at: times.grantedAt,
    expires_at: times.expiresAt,
  };
  await db.insertInto("review_lease").values(row).execute();
  return { ...reviewer, ...times, position: place.position };
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
