import type { QueuePlace } from "@/lib/domain/annotation";

import type { AnnotationDb } from "../record";

/** How long a trial of a queue stays with its reviewer after the last sign of life, in milliseconds. */
export const LEASE_MS = 10 * 60_000;

/** How far the clocks of several servers may be apart. */
const CLOCK_SKEW_MS = 60_000;

export interface Lease {
  readonly position: number;
  readonly reviewerKey: string;
  readonly reviewerId: string;
  /** Known to the page that holds it alone. */
  readonly token: string;
  /** UTC, ISO 8601. */
  readonly grantedAt: string;
  readonly expiresAt: string;
}

/** The leases of a queue that hold at a time, in the order of their trials. */
export async function selectLeases(db: AnnotationDb, queueId: string, now: Date): Promise<readonly Lease[]> {
  const rows = await db
    .selectFrom("review_lease")
    .selectAll()
    .where("queue_id", "=", queueId)
    .where("expires_at", ">", now.toISOString())
    // One that ends later than any lease can was granted by a clock that was put back since.
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

/** Gives a trial of a queue to a reviewer; what they held of it before ends. Callers make sure that a place is free. */
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
