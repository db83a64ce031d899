import { StoreError } from "@/lib/core/domain/app-error";

import type { AnnotationStore } from "../store";
import { selectQueueLabels } from "./labels";
import { type Lease, selectLeases } from "./leases";
import {
  describeUnreadableTrial,
  type QueueHead,
  selectHead,
  selectItems,
  selectSkips,
  type StoredItem,
} from "./stored-queue";

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
