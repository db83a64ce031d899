import type { Annotation } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";

import { computeChains, orderByFirst } from "../chain";
import type { AnnotationDb, AnnotationEvent } from "../record";
import type { AnnotationStore } from "../store";
import { selectQueueEvents } from "./labels";
import { type Lease, selectLeases } from "./leases";
import {
  type QueueHead,
  readHeadRow,
  readItemRow,
  type StoredItem,
  selectQueueRows,
  type StoredQueues,
  type UnreadableItem,
} from "./stored-queue";

export interface QueueItem extends StoredItem {
  readonly labels: readonly QueueLabel[];
}

export interface QueueLabel {
  readonly reviewerKey: string;
  /** Used for metrics: the last judgment saved while the page hid what the queue hides, else the last one. */
  readonly blind: Annotation;
  /** May have changed after the page revealed everything. */
  readonly latest: Annotation;
}

export interface QueueSkip {
  readonly position: number;
  readonly reviewerKey: string;
  readonly skippedAt: string;
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
    const { queues, unreadable } = await selectQueueRows(db);
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
    const [rows, labels, leases, skips] = await Promise.all([
      db
        .selectFrom("review_queue_item")
        .selectAll()
        .where("queue_id", "=", queueId)
        .orderBy("position")
        .execute(),
      selectQueueEvents(db, queueId).then((events) => groupLabels(events, head.settings)),
      selectLeases(db, queueId, now),
      selectSkips(db, queueId),
    ]);
    const read = rows.map(readItemRow);
    const items = read.flatMap((one) =>
      "item" in one ? { ...one.item, labels: labels.get(one.item.position) ?? [] } : [],
    );
    const unreadable = read.flatMap((one) => ("unreadable" in one ? one.unreadable : []));
    return { ...head, items, unreadable, leases, skips };
  });
}

export async function selectHead(db: AnnotationDb, queueId: string): Promise<QueueHead | null> {
  const row = await db
    .selectFrom("review_queue")
    .selectAll()
    .where("queue_id", "=", queueId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const last = await db
    .selectFrom("review_queue_event")
    .select("kind")
    .where("queue_id", "=", queueId)
    .where("position", "is", null)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const read = readHeadRow(row, last?.kind === "closed");
  if ("head" in read) return read.head;
  throw new StoreError("queue_unreadable", read.unreadable.problem);
}

export async function selectSkips(db: AnnotationDb, queueId: string): Promise<readonly QueueSkip[]> {
  const events = await db
    .selectFrom("review_queue_event")
    .selectAll()
    .where("queue_id", "=", queueId)
    .where("position", "is not", null)
    .orderBy("seq")
    .execute();
  const skips = new Map<string, QueueSkip>();
  for (const { position, reviewer_key: reviewerKey, kind, created_at: skippedAt } of events) {
    if (position === null) continue;
    const key = `${String(position)} ${reviewerKey}`;
    skips.delete(key);
    if (kind === "skipped") skips.set(key, { position, reviewerKey, skippedAt });
  }
  return [...skips.values()];
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
