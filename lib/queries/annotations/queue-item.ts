import "server-only";

import { cache } from "react";

import {
  type Actor,
  getAnnotationStore,
  type OpenItem,
  readHistory,
  readOwnIds,
  readQueueItem,
} from "@/lib/annotations";
import type { BlindPart } from "@/lib/domain/review";
import { NotFoundError } from "@/lib/domain/app-error";
import { findTrialPlace } from "@/lib/labels/scope-trials";
import type { TrialPlace } from "@/lib/store";

import { getStore } from "../shell/catalog";
import { getActor } from "./actor";
import { type BrowserReviewer, getReviewer } from "./reviewer";
import { readPlacesByName } from "./scope";

/** A trial of a queue as this browser's reviewer finds it. */
export interface QueueItemView extends Pick<
  OpenItem,
  "head" | "position" | "nItems" | "nReviewers" | "subject"
> {
  /** Where it is in the open folders now; null when it is in none. */
  readonly place: TrialPlace | null;
  readonly reviewer: BrowserReviewer;
  /** Whether a judgment of this reviewer stands. */
  readonly isMine: boolean;
  /** Trials of the queue that this reviewer judged. */
  readonly nMine: number;
  /** What the page hides from this reviewer now: nothing once they judged it from this browser. */
  readonly hidden: readonly BlindPart[];
  /** Whether it was shown to this browser before, which then undid its judgment: what is judged from now on is not blind. */
  readonly wasShown: boolean;
  /** Positions of the trials before and behind it; null at the ends. */
  readonly previous: number | null;
  readonly next: number | null;
  /** The nearest that this reviewer neither judged nor skipped; null without any. */
  readonly previousOpen: number | null;
  readonly nextOpen: number | null;
}

/** A trial of a queue, by its place from 0; null when there is no such queue or trial. @throws StoreError */
export const getQueueItem = cache(
  async (queueId: string, position: number): Promise<QueueItemView | null> => {
    const annotations = getAnnotationStore();
    const item = await readQueueItem(annotations, queueId, position);
    if (item === null) return null;
    const { subject, nItems, judges, skipped } = item;
    const [store, reviewer, actor] = await Promise.all([getStore(), getReviewer(), getActor()]);
    const places = await readPlacesByName(store, [subject]);
    const { reviewerKey } = reviewer;
    const isMineAt = (at: number) => judges.get(at)?.has(reviewerKey) === true;
    const isOpen = (at: number) =>
      at !== position && !isMineAt(at) && skipped.get(reviewerKey)?.has(at) !== true;
    const range = Array.from({ length: nItems }, (_, at) => at);
    const isMine = isMineAt(position);
    // A name is typed, so it opens nothing: the judgment has to come from this browser too, as far as browsers can be told apart.
    const own = await readOwnLabels(item, actor);
    const isOwn = isMine && own.some((label) => label.reviewerKey === reviewerKey && label.stands);
    const { head, nReviewers } = item;
    return {
      head,
      position,
      nItems,
      nReviewers,
      subject,
      place: findTrialPlace(places, subject),
      reviewer,
      isMine,
      nMine: range.filter(isMineAt).length,
      hidden: isOwn ? [] : head.settings.hides,
      wasShown: own.length > 0,
      previous: position === 0 ? null : position - 1,
      next: position + 1 < nItems ? position + 1 : null,
      previousOpen: range.slice(0, position).findLast(isOpen) ?? null,
      nextOpen: range.slice(position + 1).find(isOpen) ?? null,
    };
  },
);

/** Only in development does nobody get a key; elsewhere a request without one is of a program, which is shown nothing. */
function hasNoKeys({ browserKeyHash }: Actor): boolean {
  return browserKeyHash === null && process.env.NODE_ENV !== "production";
}

/** What was ever saved of a queue's trial from this browser; from any where browsers cannot be told apart. */
async function readOwnLabels(
  { head, position, subject }: OpenItem,
  actor: Actor,
): Promise<readonly { readonly reviewerKey: string; readonly stands: boolean }[]> {
  const store = getAnnotationStore();
  const [chains, own] = await Promise.all([
    readHistory(store, subject),
    readOwnIds(store, subject.trialName, actor),
  ]);
  return chains.flatMap(({ reviewerKey, versions }) =>
    versions.flatMap(({ versionId, status, queue }) =>
      queue?.queueId === head.queueId &&
      queue.position === position &&
      (hasNoKeys(actor) || own.has(versionId))
        ? { reviewerKey, stands: status !== "withdrawn" }
        : [],
    ),
  );
}

/** {@link getQueueItem}. @throws NotFoundError */
export async function requireQueueItem(queueId: string, position: number): Promise<QueueItemView> {
  const item = await getQueueItem(queueId, position);
  if (item === null) throw new NotFoundError("This queue has no such trial.");
  return item;
}
