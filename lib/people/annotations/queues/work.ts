import { randomUUID } from "node:crypto";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ForbiddenError, NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { findNameProblem } from "@/lib/core/domain/name-problem";

import { NO_ACTOR } from "../owner";
import { addStatements } from "../statements/statement";
import type { AnnotationStore } from "../store";
import type { AnnotationDb } from "../tables";
import {
  endLease,
  grantLease,
  type Lease,
  selectLeases,
  NO_QUEUE,
  type QueueWorker,
  refuseTakenName,
  describeUnreadableTrial,
  prepareQueueEvent,
  type QueueHead,
  selectHead,
  selectItems,
  selectQueueLabels,
  selectSkips,
  isForReviewer,
} from "./stored-queue";

/**
 * Leases the first trial after `from`, wrapping around, that the reviewer has not reviewed and that has a free place. Skipped
 * trials come last. Ends their other leases.
 */
export function takeNext(
  store: AnnotationStore,
  worker: QueueWorker & { readonly from: number | null },
  now: Date = new Date(),
) {
  return store.write(async (db) => {
    const { reviewerKey, places } = await enter(db, worker, now);
    await db
      .deleteFrom("review_lease")
      .where((where) => where.and({ queue_id: worker.queueId, reviewer_key: reviewerKey }))
      .execute();
    const [next] = listNext(places, worker.from);
    if (next !== undefined)
      return { kind: "item", lease: await grant(db, worker, next.position, now) } as const;
    const held = places.filter(
      ({ isMine, holders, nNeeded }) => !isMine && nNeeded > 0 && holders.length > 0,
    );
    return { kind: "done", nHeld: held.length } as const;
  });
}

/**
 * Leases the trial if a place is free. An existing lease on it gets a new token; other leases stay. `steal` takes it from its
 * holders, who learn of it on their next heartbeat. `next` is the position that {@link takeNext} would return after this one.
 */
export function takeItem(
  store: AnnotationStore,
  worker: QueueWorker & { readonly position: number; readonly steal?: boolean },
  now: Date = new Date(),
) {
  return store.write(async (db) => {
    const { places, unreadable } = await enter(db, worker, now);
    const isWanted = ({ position }: { readonly position: number | null }) => position === worker.position;
    const wrong = unreadable.find(isWanted);
    if (wrong !== undefined) throw new StoreError("queue_unreadable", describeUnreadableTrial(wrong));
    const place = places.find(isWanted);
    if (place === undefined) throw new NotFoundError(NO_TRIAL);
    if (place.isMine || place.nNeeded <= 0) return { kind: "judged" } as const;
    const [holder] = place.holders;
    if (place.nFree <= 0 && holder !== undefined) {
      if (worker.steal !== true) return { kind: "held", holder } as const;
      // Usually one; more if a trial was judged without a lease.
      for (const { reviewerKey: key } of place.holders.slice(0, 1 - place.nFree))
        await endLease(db, worker, key);
    }
    const next = listNext(places, worker.position).find(({ position }) => position !== worker.position);
    const lease = await grant(db, worker, worker.position, now);
    return { kind: "item", lease, next: next?.position ?? null } as const;
  });
}

/** Extends a lease. Returns null if it expired and was reassigned, or was taken over. */
export function renewLease(
  store: AnnotationStore,
  worker: QueueWorker & { readonly position: number; readonly token: string },
  now: Date = new Date(),
): Promise<Lease | null> {
  const { queueId, position, reviewerId, token } = worker;
  const reviewerKey = computeReviewerKey(reviewerId);
  return store.write(async (db) => {
    const row = await db
      .selectFrom("review_lease")
      .select("token")
      .where((where) => where.and({ queue_id: queueId, position, reviewer_key: reviewerKey }))
      .executeTakeFirst();
    if (row?.token !== token) return null;
    // An expired lease continues until another reviewer needs its place.
    const leases = await selectLeases(db, queueId, now);
    if (!leases.some((lease) => lease.token === token)) {
      const { places } = await enter(db, worker, now);
      if ((places.find((place) => place.position === position)?.nFree ?? 0) <= 0) return null;
    }
    return grantLease(db, { queueId, position }, { reviewerKey, reviewerId, token }, now);
  });
}

export async function releaseLease(
  store: AnnotationStore,
  lease: { readonly queueId: string; readonly position: number; readonly token: string },
): Promise<void> {
  const { queueId: queue_id, position, token } = lease;
  await store.write((db) =>
    db
      .deleteFrom("review_lease")
      .where((where) => where.and({ queue_id, position, token }))
      .execute(),
  );
}

export async function moveItem(
  store: AnnotationStore,
  worker: QueueWorker & { readonly position: number; readonly kind: "skipped" | "requeued" },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const { reviewerKey, places, unreadable } = await enter(db, worker, now);
    if (![...places, ...unreadable].some(({ position }) => position === worker.position))
      throw new NotFoundError(NO_TRIAL);
    await endLease(db, worker, reviewerKey);
    const { queueId, reviewerId, position, kind } = worker;
    const event = { queueId, reviewerId, position, kind, at: now.toISOString() };
    await addStatements(db, [prepareQueueEvent(event)]);
  });
}

const NO_TRIAL = "This queue has no such trial.";

type Place = Awaited<ReturnType<typeof enter>>["places"][number];

function listNext(places: readonly Place[], from: number | null): readonly Place[] {
  const isBehind = ({ position }: Place) => from === null || position > from;
  const free = places.filter((place) => !place.isMine && place.nFree > 0);
  const inOrder = free.filter(({ skip }) => skip === null);
  const skipped = free.filter(({ skip }) => skip !== null).toSorted((a, b) => (a.skip ?? 0) - (b.skip ?? 0));
  const rest = skipped.filter(({ position }) => position !== from);
  return [...inOrder.filter(isBehind), ...inOrder.filter((place) => !isBehind(place)), ...rest, ...skipped];
}

async function enter(db: AnnotationDb, { queueId, reviewerId, actor = NO_ACTOR }: QueueWorker, now: Date) {
  const head = await selectHead(db, queueId);
  if (head === null) throw new NotFoundError(NO_QUEUE);
  const reviewerKey = computeReviewerKey(reviewerId);
  refuseStranger(head, reviewerKey);
  const problem = findNameProblem(reviewerId);
  if (problem !== null) throw new ForbiddenError(problem);
  await refuseTakenName(db, head, reviewerId, actor);
  const { items, unreadable } = await selectItems(db, queueId);
  const labels = await selectQueueLabels(db, queueId);
  const leases = Map.groupBy(await selectLeases(db, queueId, now), ({ position }) => position);
  const own = (await selectSkips(db, queueId)).filter((skip) => skip.reviewerKey === reviewerKey);
  const skips = new Map(own.map(({ position }, nth) => [position, nth]));
  const places = items.map(({ position, nReviewers }) => {
    const judges = labels.get(position) ?? new Set();
    // A reviewer who holds a trial they already judged is editing, and occupies no place.
    const others = (leases.get(position) ?? []).filter(
      (lease) => lease.reviewerKey !== reviewerKey && !judges.has(lease.reviewerKey),
    );
    const nNeeded = nReviewers - judges.size;
    return {
      position,
      isMine: judges.has(reviewerKey),
      nNeeded,
      holders: others,
      // Negative if more reviewers hold it than needed.
      nFree: nNeeded - others.length,
      skip: skips.get(position) ?? null,
    };
  });
  return { reviewerKey, places, unreadable };
}

function refuseStranger({ isClosed, settings }: QueueHead, reviewerKey: string): void {
  if (isClosed) throw new ForbiddenError("This queue is closed. Reopen it on its page to continue.");
  if (reviewerKey === "") throw new ForbiddenError("Enter your name first (shown with your judgments).");
  if (!isForReviewer(settings, reviewerKey))
    throw new ForbiddenError(`This queue is for ${settings.reviewers.join(", ")}. Use one of these names.`);
}

function grant(db: AnnotationDb, { queueId, reviewerId }: QueueWorker, position: number, now: Date) {
  const reviewer = { reviewerKey: computeReviewerKey(reviewerId), reviewerId, token: randomUUID() };
  return grantLease(db, { queueId, position }, reviewer, now);
}

/** Any named reviewer may do this if the queue names no reviewers; otherwise only its creator, its reviewers and admins. */
export async function closeQueue(
  store: AnnotationStore,
  worker: QueueWorker & { readonly isClosed: boolean },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const { queueId, reviewerId, isClosed } = worker;
    const head = await selectHead(db, queueId);
    if (head === null) throw new NotFoundError(NO_QUEUE);
    await refuseUnlessTheirs(db, head, worker, isClosed ? "close" : "open");
    const kind = isClosed ? "closed" : "reopened";
    await addStatements(db, [
      prepareQueueEvent({ queueId, reviewerId, position: null, kind, at: now.toISOString() }),
    ]);
    if (isClosed) await db.deleteFrom("review_lease").where("queue_id", "=", queueId).execute();
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
  if (isForReviewer(head.settings, reviewerKey)) await refuseTakenName(db, head, reviewerId, actor);
  else if (computeReviewerKey(head.createdBy) !== reviewerKey) {
    const may = new Set([...(head.createdBy.trim() === "" ? [] : [head.createdBy]), ...reviewers]);
    throw new ForbiddenError(
      `Only the creator and the reviewers of this queue can ${verb} it: ${[...may].join(", ")}. Your name is ${reviewerId.trim()}.`,
    );
  }
}
