import type { Annotation } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import type { QueueSettings } from "@/lib/domain/review";

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
  /** What each reviewer judged for this queue, in the order of their first judgments. */
  readonly labels: readonly QueueLabel[];
}

export interface QueueLabel {
  readonly reviewerKey: string;
  /**
   * The judgment that figures count: the last one that was saved while the page hid what the queue hides, or the last one where
   * none was.
   */
  readonly blind: Annotation;
  /** The last judgment, which may have been changed after everything was shown. */
  readonly latest: Annotation;
}

/** A skipped trial of a queue stands at its reviewer's end until it is put back. */
export interface QueueSkip {
  readonly position: number;
  readonly reviewerKey: string;
  /** UTC, ISO 8601. */
  readonly skippedAt: string;
}

export interface Queue extends QueueHead {
  readonly items: readonly QueueItem[];
  /** Its trials that cannot be read, which `items` lacks. */
  readonly unreadable: readonly UnreadableItem[];
  readonly leases: readonly Lease[];
  /** In the order in which they were skipped. */
  readonly skips: readonly QueueSkip[];
}

/** Reads all queues without their trials, the newest first. One that cannot be read costs no other. @throws StoreError */
export function listQueues(store: AnnotationStore): Promise<StoredQueues> {
  return store.read<StoredQueues>({ queues: [], unreadable: [] }, async (db) => {
    const { queues, unreadable } = await selectQueueRows(db);
    return { queues: queues.toReversed(), unreadable: unreadable.toReversed() };
  });
}

/** A queue with its trials and judgments; null when there is none of this id. @throws StoreError */
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

/** A queue without its trials, within a transaction; null when there is none. @throws StoreError `queue_unreadable` */
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

/** Trials that reviewers put off and did not put back, in the order in which they did. */
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
