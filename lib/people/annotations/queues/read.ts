import { StoreError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";

import { type AnnotationEvent, computeChains, orderByFirst } from "../record";
import type { AnnotationStore } from "../store";
import {
  describeUnreadableTrial,
  selectHead,
  selectItems,
  selectLeases,
  selectQueueEvents,
  selectQueues,
  selectSkips,
} from "./stored-queue";

export type Queue = NonNullable<Awaited<ReturnType<typeof readQueue>>>;
export type QueueItem = Queue["items"][number];

/** Lists queues without trials, newest first. An unreadable queue does not affect others. */
export async function listQueues(store: AnnotationStore) {
  const stored = await store.read(null, selectQueues);
  return { queues: stored?.queues.toReversed() ?? [], unreadable: stored?.unreadable.toReversed() ?? [] };
}

export function readQueue(store: AnnotationStore, queueId: string, now: Date = new Date()) {
  return store.read(null, async (db) => {
    const head = await selectHead(db, queueId);
    if (head === null) return null;
    const [{ items, unreadable }, events, leases, skips] = await Promise.all([
      selectItems(db, queueId),
      selectQueueEvents(db, queueId),
      selectLeases(db, queueId, now),
      selectSkips(db, queueId),
    ]);
    const labels = groupLabels(events, head.settings);
    const labelled = items.map((item) => ({ ...item, labels: labels.get(item.position) ?? [] }));
    return { ...head, items: labelled, unreadable, leases, skips };
  });
}

function groupLabels(events: readonly AnnotationEvent[], { hides }: QueueSettings) {
  const byPosition = Map.groupBy(events, ({ body }) => body.queue?.position ?? -1);
  return new Map(
    [...byPosition].map(([position, ofTrial]) => [
      position,
      orderByFirst(computeChains(ofTrial)).flatMap(({ reviewerKey, versions }) => {
        const standing = versions.filter(({ status }) => status !== "withdrawn");
        // May have changed after the page revealed everything.
        const [latest] = standing;
        if (latest === undefined) return [];
        // Used for metrics: saved while the page hid what the queue hides, else the last one.
        const blind = standing.find(({ hidden }) => hides.every((part) => hidden?.includes(part) === true));
        return [{ reviewerKey, latest, blind: blind ?? latest }];
      }),
    ]),
  );
}

export async function readQueueItem(store: AnnotationStore, queueId: string, position: number) {
  const queue = await readQueue(store, queueId);
  const item = queue?.items.find((one) => one.position === position);
  const wrong = queue?.unreadable.find((one) => one.position === position);
  if (wrong !== undefined) throw new StoreError("queue_unreadable", describeUnreadableTrial(wrong));
  if (queue === null || item === undefined) return null;
  return { ...item, queue, nItems: queue.items.length + queue.unreadable.length };
}
