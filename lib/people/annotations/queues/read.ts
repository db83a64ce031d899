import type { Annotation } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";

import { computeChains, orderByFirst } from "../chain";
import type { AnnotationEvent } from "../record";
import type { AnnotationStore } from "../store";
import { type Lease, selectLeases } from "./leases";
import {
  describeUnreadableTrial,
  type QueueHead,
  type QueueSkip,
  selectHead,
  selectItems,
  selectQueueEvents,
  selectQueueLabels,
  selectQueues,
  selectSkips,
  type StoredItem,
  type StoredQueues,
  type UnreadableItem,
} from "./stored-queue";

export interface QueueItem extends StoredItem {
  readonly labels: readonly QueueLabel[];
}

interface QueueLabel {
  readonly reviewerKey: string;
  /** Used for metrics: the last judgment saved while the page hid what the queue hides, else the last one. */
  readonly blind: Annotation;
  /** May have changed after the page revealed everything. */
  readonly latest: Annotation;
}

export interface Queue extends QueueHead {
  readonly items: readonly QueueItem[];
  readonly unreadable: readonly UnreadableItem[];
  readonly leases: readonly Lease[];
  readonly skips: readonly QueueSkip[];
}

/** Lists queues without trials, newest first. An unreadable queue does not affect others. @throws StoreError */
export function listQueues(store: AnnotationStore): Promise<StoredQueues> {
  return store.read<StoredQueues>({ queues: [], unreadable: [] }, async (db) => {
    const { queues, unreadable } = await selectQueues(db);
    return { queues: queues.toReversed(), unreadable: unreadable.toReversed() };
  });
}

export function readQueue(
  store: AnnotationStore,
  queueId: string,
  now: Date = new Date(),
): Promise<Queue | null> {
  return store.read<Queue | null>(null, async (db) => {
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

function groupLabels(
  events: readonly AnnotationEvent[],
  { hides }: QueueSettings,
): ReadonlyMap<number, readonly QueueLabel[]> {
  const byPosition = Map.groupBy(events, ({ queue }) => queue?.position ?? -1);
  return new Map(
    [...byPosition].map(([position, ofTrial]) => [
      position,
      orderByFirst(computeChains(ofTrial)).flatMap(({ reviewerKey, versions }): QueueLabel[] => {
        const standing = versions.filter(({ status }) => status !== "withdrawn");
        const [latest] = standing;
        if (latest === undefined) return [];
        const blind = standing.find(({ hidden }) => hides.every((part) => hidden?.includes(part) === true));
        return [{ reviewerKey, latest, blind: blind ?? latest }];
      }),
    ]),
  );
}

export interface OpenItem extends StoredItem {
  readonly head: QueueHead;
  readonly nItems: number;
  readonly judges: ReadonlyMap<number, ReadonlySet<string>>;
  readonly skipped: ReadonlyMap<string, ReadonlySet<number>>;
  readonly leases: readonly Lease[];
}

/** Reads no judgment texts. @throws StoreError `queue_unreadable` */
export function readQueueItem(
  store: AnnotationStore,
  queueId: string,
  position: number,
  now: Date = new Date(),
): Promise<OpenItem | null> {
  return store.read<OpenItem | null>(null, async (db) => {
    const head = await selectHead(db, queueId);
    const { items, unreadable } = await selectItems(db, queueId);
    const item = items.find((one) => one.position === position);
    const wrong = unreadable.find((one) => one.position === position);
    if (head !== null && wrong !== undefined)
      throw new StoreError("queue_unreadable", describeUnreadableTrial(wrong));
    if (head === null || item === undefined) return null;
    const skips = Map.groupBy(await selectSkips(db, queueId), ({ reviewerKey }) => reviewerKey);
    const leases = await selectLeases(db, queueId, now);
    return {
      head,
      ...item,
      nItems: items.length + unreadable.length,
      judges: await selectQueueLabels(db, queueId),
      skipped: new Map([...skips].map(([key, own]) => [key, new Set(own.map((skip) => skip.position))])),
      leases: leases.filter((lease) => lease.position === position),
    };
  });
}
