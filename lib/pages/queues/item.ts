import "server-only";
import { cache } from "react";

import { NotFoundError } from "@/lib/core/domain/app-error";
import {
  type Actor,
  getAnnotationStore,
  type QueueItem,
  readHistory,
  readOwnIds,
  readQueueItem,
} from "@/lib/people/annotations";
import { findTrialPlace } from "@/lib/people/labels/draws";

import { readPlacesByName } from "../annotations/judged";
import { getActor, getReviewer } from "../annotations/reviewer";
import { getStore } from "../shell/catalog";

export type QueueItemView = Awaited<ReturnType<typeof requireQueueItem>>;

/** Takes a position from 0. */
export const getQueueItem = cache(async (queueId: string, position: number) => {
  const annotations = getAnnotationStore();
  const item = await readQueueItem(annotations, queueId, position);
  if (item === null) return null;
  const { queue, subject, nItems, nReviewers } = item;
  const { items, leases: _, skips, unreadable: __, ...head } = queue;
  const [store, reviewer, actor] = await Promise.all([getStore(), getReviewer(), getActor()]);
  const places = await readPlacesByName(store, [subject]);
  const { reviewerKey } = reviewer;
  const isOfReviewer = (one: { readonly reviewerKey: string }) => one.reviewerKey === reviewerKey;
  const mine = new Set(items.flatMap((one) => (one.labels.some(isOfReviewer) ? one.position : [])));
  const isMineAt = (at: number) => mine.has(at);
  const skipped = new Set(skips.filter(isOfReviewer).map((skip) => skip.position));
  const isOpen = (at: number) => at !== position && !isMineAt(at) && !skipped.has(at);
  const range = Array.from({ length: nItems }, (_, at) => at);
  const isMine = isMineAt(position);
  // A name is typed and proves nothing, so the judgment must also come from this browser where browsers have keys.
  const own = await readOwnLabels(head.queueId, item, actor);
  const isOwn = isMine && own.some((label) => isOfReviewer(label) && label.stands);
  return {
    head,
    position,
    nItems,
    nReviewers,
    subject,
    place: findTrialPlace(places, subject),
    reviewer,
    isMine,
    nMine: mine.size,
    hidden: isOwn ? [] : head.settings.hides,
    // By this browser, even if the judgment is undone: later ones are not blind.
    wasShown: own.length > 0,
    previous: position === 0 ? null : position - 1,
    next: position + 1 < nItems ? position + 1 : null,
    previousOpen: range.slice(0, position).findLast(isOpen) ?? null,
    nextOpen: range.slice(position + 1).find(isOpen) ?? null,
  };
});

/** Only development gives browsers no key. Elsewhere a request without one comes from a program, which is shown nothing. */
function hasNoKeys({ browserKeyHash }: Actor): boolean {
  return browserKeyHash === null && process.env.NODE_ENV !== "production";
}

/** Reads all versions that this browser saved for the queue's trial; those of any browser without keys. */
async function readOwnLabels(
  queueId: string,
  { position, subject }: Pick<QueueItem, "position" | "subject">,
  actor: Actor,
) {
  const store = getAnnotationStore();
  const [chains, own] = await Promise.all([
    readHistory(store, subject),
    readOwnIds(store, subject.trialName, actor),
  ]);
  return chains.flatMap(({ reviewerKey, versions }) =>
    versions.flatMap(({ versionId, status, queue }) =>
      queue?.queueId === queueId && queue.position === position && (hasNoKeys(actor) || own.has(versionId))
        ? { reviewerKey, stands: status !== "withdrawn" }
        : [],
    ),
  );
}

export async function requireQueueItem(queueId: string, position: number) {
  const item = await getQueueItem(queueId, position);
  if (item === null) throw new NotFoundError("This trial is not in the queue.");
  return item;
}
