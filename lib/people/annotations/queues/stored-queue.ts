import { z } from "zod";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { QueueSettings } from "@/lib/core/domain/review";
import { listNames } from "@/lib/core/format/list-names";

import { isIntact, MISMATCH, type StoredRow } from "../checksum";
import { check } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import { describeWrongColumn, readSubject, SUBJECT_SHAPE, timeColumn } from "../stored-columns";
import { settingsSchema } from "./create";

export interface QueueHead {
  readonly queueId: string;
  readonly settings: QueueSettings;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly isClosed: boolean;
}

export interface UnreadableQueue {
  /** The stored value as text, even if it is a number. */
  readonly queueId: string;
  readonly seq: number;
  readonly problem: string;
}

export interface StoredQueues {
  readonly queues: readonly QueueHead[];
  readonly unreadable: readonly UnreadableQueue[];
}

export interface UnreadableItem {
  readonly position: number | null;
  readonly problem: string;
}

export interface StoredItem {
  readonly position: number;
  readonly subject: AnnotationSubject;
  readonly nReviewers: 1 | 2;
}

const headSchema = z.object({
  queue_id: z.string(),
  settings: z
    .string()
    .refine((text) => parseJson(text) !== undefined, "not JSON")
    .transform(parseJson)
    .pipe(settingsSchema),
  created_at: timeColumn,
  created_by: z.string(),
});

const itemSchema = z.object({
  ...SUBJECT_SHAPE,
  position: z.int().min(0),
  n_reviewers: z.union([z.literal(1), z.literal(2)]),
});

export function readHeadRow(
  row: StoredRow,
  isClosed: boolean,
): { readonly head: QueueHead } | { readonly unreadable: UnreadableQueue } {
  const parsed = check(headSchema, row);
  const isDamaged = !isIntact("review_queue", row);
  if (parsed.success && !isDamaged) {
    const { queue_id: queueId, settings, created_at: createdAt, created_by: createdBy } = parsed.data;
    return { head: { queueId, settings, createdAt, createdBy, isClosed } };
  }
  const seq = Number(row["seq"]);
  const wrong = parsed.success
    ? `in a row that ${MISMATCH}`
    : `stored ${describeWrongColumn(parsed.error, "settings")}`;
  const problem =
    `This queue is ${wrong}. Nobody is given trials of it; judgments saved for it stay. ` +
    `Update Assay if a newer version wrote it, otherwise correct row ${String(seq)} of the table review_queue or restore a backup.`;
  return { unreadable: { queueId: String(row["queue_id"]), seq, problem } };
}

export async function selectQueueRows(
  db: AnnotationDb,
  after = 0,
): Promise<StoredQueues & { readonly last: number }> {
  const rows = await db
    .selectFrom("review_queue")
    .selectAll()
    .where("seq", ">", after)
    .orderBy("seq")
    .execute();
  const events = await db
    .selectFrom("review_queue_event")
    .select(["queue_id", "kind"])
    .where("position", "is", null)
    .orderBy("seq")
    .execute();
  const states = new Map(events.map(({ queue_id, kind }) => [queue_id, kind]));
  const read = rows.map((row) => readHeadRow(row, states.get(row.queue_id) === "closed"));
  return {
    queues: read.flatMap((one) => ("head" in one ? one.head : [])),
    unreadable: read.flatMap((one) => ("unreadable" in one ? one.unreadable : [])),
    last: rows.at(-1)?.seq ?? after,
  };
}

export function describeUnreadableQueues([first, ...others]: readonly UnreadableQueue[]): string | null {
  if (first === undefined) return null;
  const more =
    others.length === 0 ? "" : ` ${others.length.toLocaleString("en-US")} more cannot be read either.`;
  return `The queue ${first.queueId} cannot be read. ${first.problem}${more} The list of queues names each.`;
}

export function readItemRow(
  row: StoredRow,
): { readonly item: StoredItem } | { readonly unreadable: UnreadableItem } {
  const parsed = check(itemSchema, row);
  if (parsed.success && isIntact("review_queue_item", row)) {
    const { position, n_reviewers: nReviewers } = parsed.data;
    return { item: { position, nReviewers, subject: readSubject(parsed.data) } };
  }
  const { position } = row;
  return {
    unreadable: {
      position: typeof position === "number" ? position : null,
      problem: parsed.success ? `in a row that ${MISMATCH}` : describeWrongColumn(parsed.error, "position"),
    },
  };
}

export function describeUnreadableItems(items: readonly UnreadableItem[]): string | null {
  if (items.length === 0) return null;
  const named = listNames(items.map(describeUnreadableItem), "; ");
  const what = items.length === 1 ? "1 trial" : `${items.length.toLocaleString("en-US")} trials`;
  return `${what} of this queue cannot be read: ${named}. What cannot be read is given to nobody and counts in no figure. ${WHAT_TO_DO}`;
}

export function describeUnreadableTrial(item: UnreadableItem): string {
  return `This trial of the queue cannot be read: it is stored ${item.problem}. ${WHAT_TO_DO}`;
}

const WHAT_TO_DO =
  "Update Assay if a newer version wrote the queue, otherwise correct the table review_queue_item or restore a backup.";

function describeUnreadableItem({ position, problem }: UnreadableItem): string {
  return `${position === null ? "one at an unknown place" : `trial ${String(position + 1)}`} ${problem}`;
}
