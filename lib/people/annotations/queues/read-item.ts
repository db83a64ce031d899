import { StoreError } from "@/lib/core/domain/app-error";

import type { AnnotationStore } from "../store";
import { selectQueueLabels } from "./labels";
import { type Lease, selectLeases } from "./leases";
import { selectHead, selectSkips } from "./read";
import { describeUnreadableTrial, type QueueHead, readItemRow, type StoredItem } from "./stored-queue";

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
    const items = db.selectFrom("review_queue_item").where("queue_id", "=", queueId);
    const row = await items.selectAll().where("position", "=", position).executeTakeFirst();
    if (head === null || row === undefined) return null;
    const read = readItemRow(row);
    if ("unreadable" in read)
      throw new StoreError("queue_unreadable", describeUnreadableTrial(read.unreadable));
    const { nItems } = await items
      .select(({ fn }) => fn.countAll<number>().as("nItems"))
      .executeTakeFirstOrThrow();
    const skips = Map.groupBy(await selectSkips(db, queueId), ({ reviewerKey }) => reviewerKey);
    const leases = await selectLeases(db, queueId, now);
    return {
      head,
      ...read.item,
      nItems: nItems,
      judges: await selectQueueLabels(db, queueId),
      skipped: new Map([...skips].map(([key, own]) => [key, new Set(own.map((skip) => skip.position))])),
      leases: leases.filter((lease) => lease.position === position),
    };
  });
}
