import { z } from "zod";

import { type AnnotationSubject, computeReviewerKey } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";
import { listNames } from "@/lib/core/format/list-names";

import { MISMATCH } from "../checksum";
import { type AnnotationEvent, foldJudgments, toStoredSubject } from "../record";
import { addStatements, createReader, type NewStatement } from "../statements/statement";
import { subjectSchema } from "../stored-columns";
import type { AnnotationDb } from "../tables";
import type { UnreadableRow } from "../unreadable-row";
import { settingsSchema } from "./settings";

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

export interface QueueEvent {
  readonly queueId: string;
  readonly position: number | null;
  readonly kind: "skipped" | "requeued" | "closed" | "reopened";
  readonly reviewerId: string;
  readonly at: string;
}

/** Immutable, as its trials are. */
const { fold: foldHeads } = createReader(
  { name: "queue", body: settingsSchema },
  { heads: [] as readonly Omit<QueueHead, "isClosed">[] },
  ({ heads }, added) => ({
    heads: [
      ...heads,
      ...added.map(({ id, author, at, body }) => ({
        queueId: id,
        settings: body,
        createdAt: at,
        createdBy: author,
      })),
    ],
  }),
);

/** The parent is the queue, the subject the position as text. */
const { fold: foldItems } = createReader(
  {
    name: "queue_item",
    body: z.object({
      trial: subjectSchema,
      position: z.int().min(0),
      nReviewers: z.union([z.literal(1), z.literal(2)]),
    }),
  },
  { byQueue: new Map<string | null, readonly StoredItem[]>() },
  (before, added) => {
    const byQueue = new Map(before.byQueue);
    for (const [queueId, rows] of Map.groupBy(added, ({ parent }) => parent)) {
      const items = rows.map(({ body: { trial, ...item } }) => ({ ...item, subject: trial }));
      byQueue.set(queueId, [...(byQueue.get(queueId) ?? []), ...items]);
    }
    return { byQueue };
  },
);

const { fold: foldEvents } = createReader(
  {
    name: "queue_event",
    body: z.object({
      position: z.number().nullable(),
      kind: z.enum(["skipped", "requeued", "closed", "reopened"]),
    }),
  },
  { events: [] as readonly QueueEvent[] },
  ({ events }, added) => ({
    events: [
      ...events,
      ...added.map(({ parent, author, at, body }) => ({
        ...body,
        queueId: parent ?? "",
        reviewerId: author,
        at,
      })),
    ],
  }),
);

export async function selectEvents(db: AnnotationDb, queueId: string): Promise<readonly QueueEvent[]> {
  const { events } = await foldEvents(db);
  return events.filter((event) => event.queueId === queueId);
}

export async function selectQueues(db: AnnotationDb): Promise<StoredQueues> {
  // Read first: a queue that is made meanwhile is among the heads.
  const firstItems = await db
    .selectFrom("statement")
    .select(["parent", "seq"])
    .where("kind", "=", "queue_item")
    .where("subject", "=", "0")
    .execute();
  const { heads, unreadable: wrong } = await foldHeads(db);
  const unreadable = wrong.map(describeUnreadableQueue);
  const known = new Set([...heads, ...unreadable].map(({ queueId }) => queueId));
  const { events } = await foldEvents(db);
  const states = new Map(
    events.flatMap(({ queueId, position, kind }) => (position === null ? [[queueId, kind]] : [])),
  );
  return {
    queues: heads.map((head) => ({ ...head, isClosed: states.get(head.queueId) === "closed" })),
    unreadable: [
      ...unreadable,
      ...firstItems.flatMap(({ parent, seq }) =>
        parent === null || known.has(parent) ? [] : { queueId: parent, seq, problem: LOST },
      ),
    ],
  };
}

const LOST =
  "Its trials are stored, but its own row is missing. It is paused, and its judgments are kept. Restore a backup that has it.";

export async function selectHead(db: AnnotationDb, queueId: string): Promise<QueueHead | null> {
  const { queues, unreadable } = await selectQueues(db);
  const wrong = unreadable.find((queue) => queue.queueId === queueId);
  if (wrong !== undefined) throw new StoreError("queue_unreadable", wrong.problem);
  return queues.find((queue) => queue.queueId === queueId) ?? null;
}

export async function selectItems(db: AnnotationDb, queueId: string) {
  const { byQueue, unreadable } = await foldItems(db);
  return {
    items: byQueue.get(queueId) ?? [],
    unreadable: unreadable
      .filter(({ columns }) => columns["parent"] === queueId)
      .map((row): UnreadableItem => {
        const at = Number(row.columns["subject"]);
        return { position: Number.isInteger(at) ? at : null, problem: describeWrong(row) };
      }),
  };
}

export async function insertQueue(
  db: AnnotationDb,
  { queueId, settings, createdAt: at, createdBy: author }: Omit<QueueHead, "isClosed">,
  items: readonly Omit<StoredItem, "position">[],
): Promise<void> {
  const made = { author, actor: null, at };
  await addStatements(db, [
    { ...made, kind: "queue", id: queueId, subject: "", body: settings },
    ...items.map(({ subject, nReviewers }, position): NewStatement => ({
      ...made,
      kind: "queue_item",
      id: `${queueId} ${String(position)}`,
      subject: String(position),
      parent: queueId,
      body: { trial: toStoredSubject(subject), position, nReviewers },
    })),
  ]);
}

export function insertQueueEvents(db: AnnotationDb, events: readonly QueueEvent[]): Promise<void> {
  return addStatements(
    db,
    events.map(({ queueId, reviewerId, at, kind, position }) => ({
      kind: "queue_event",
      subject: "",
      parent: queueId,
      author: reviewerId,
      actor: null,
      at,
      body: { kind, position },
    })),
  );
}

export interface QueueSkip {
  readonly position: number;
  readonly reviewerKey: string;
  readonly skippedAt: string;
}

export async function selectSkips(db: AnnotationDb, queueId: string): Promise<readonly QueueSkip[]> {
  const skips = new Map<string, QueueSkip>();
  for (const { position, reviewerId, kind, at } of await selectEvents(db, queueId)) {
    if (position === null) continue;
    const reviewerKey = computeReviewerKey(reviewerId);
    const key = `${String(position)} ${reviewerKey}`;
    skips.delete(key);
    if (kind === "skipped") skips.set(key, { position, reviewerKey, skippedAt: at });
  }
  return [...skips.values()];
}

function describeUnreadableQueue(row: UnreadableRow): UnreadableQueue {
  const problem =
    `This queue is stored ${describeWrong(row)}. It is paused, and its judgments are kept. ` +
    `Update Assay if a newer version wrote it, otherwise correct row ${String(row.seq)} of the table statement or restore a backup.`;
  return { queueId: String(row.columns["id"]), seq: row.seq, problem };
}

function describeWrong({ problem }: UnreadableRow): string {
  return problem.endsWith(MISMATCH) ? `in a row that ${MISMATCH}` : problem;
}

export function describeUnreadableQueues([first, ...others]: readonly UnreadableQueue[]): string | null {
  if (first === undefined) return null;
  const more =
    others.length === 0 ? "" : ` ${others.length.toLocaleString("en-US")} more cannot be read either.`;
  return `The queue ${first.queueId} cannot be read. ${first.problem}${more} The list of queues names each.`;
}

export function describeUnreadableItems(items: readonly UnreadableItem[]): string | null {
  if (items.length === 0) return null;
  const named = listNames(items.map(describeUnreadableItem), "; ");
  const what = items.length === 1 ? "1 trial" : `${items.length.toLocaleString("en-US")} trials`;
  return `${what} of this queue cannot be read: ${named}. Unreadable trials are not assigned and not counted. ${WHAT_TO_DO}`;
}

export function describeUnreadableTrial(item: UnreadableItem): string {
  return `This trial of the queue cannot be read: it is stored ${item.problem}. ${WHAT_TO_DO}`;
}

const WHAT_TO_DO =
  "Update Assay if a newer version wrote the queue, otherwise correct the table statement or restore a backup.";

function describeUnreadableItem({ position, problem }: UnreadableItem): string {
  return `${position === null ? "one at an unknown place" : `trial ${String(position + 1)}`} ${problem}`;
}

export async function selectQueueEvents(
  db: AnnotationDb,
  queueId: string,
): Promise<readonly AnnotationEvent[]> {
  const { events } = await foldJudgments(db);
  return events.filter(({ queue }) => queue?.queueId === queueId);
}

export async function selectQueueLabels(
  db: AnnotationDb,
  queueId: string,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const labels = new Map<number, Set<string>>();
  for (const { queue, reviewerKey } of listStanding(await selectQueueEvents(db, queueId))) {
    if (queue === null) continue;
    labels.set(queue.position, (labels.get(queue.position) ?? new Set()).add(reviewerKey));
  }
  return labels;
}

export function listStanding(events: readonly AnnotationEvent[]): readonly AnnotationEvent[] {
  const withdrawn = new Set(events.flatMap(({ withdraws }) => withdraws ?? []));
  return events.filter(({ withdraws, versionId }) => withdraws === null && !withdrawn.has(versionId));
}
