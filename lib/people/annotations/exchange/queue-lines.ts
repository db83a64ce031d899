import { z } from "zod";

import { computeReviewerKey } from "@/lib/core/domain/annotation";

import { insertStatements } from "../insert";
import { insertQueue, MOST_ITEMS, settingsSchema } from "../queues/create";
import { listQueues, type Queue, readQueue } from "../queues/read";
import type { AnnotationDb } from "../record";
import type { AnnotationStore } from "../store";
import { id, person, readLineSubject, subject, time } from "./line-fields";
import { formatLine, prepareSubject, QUEUE_LINE_SCHEMA, QUEUE_TRIAL_LINE_SCHEMA } from "./lines";
import type { ExportOptions } from "./rows";

const position = z
  .int()
  .min(0)
  .max(MOST_ITEMS - 1);

export const queueSchema = z.object({
  queue_id: id,
  settings: settingsSchema,
  created_at: time,
  created_by: z.union([z.literal(""), person]),
  n_trials: z.int().min(1).max(MOST_ITEMS),
  events: z.array(
    z.object({
      position: position.nullable(),
      kind: z.enum(["skipped", "requeued", "closed", "reopened"]),
      reviewer_id: z.union([z.literal(""), person]),
      timestamp: time,
    }),
  ),
});

export const queueTrialSchema = z.object({
  queue_id: id,
  position,
  n_reviewers: z.union([z.literal(1), z.literal(2)]),
  ...subject,
});

export type QueueFields = z.output<typeof queueSchema>;
export type QueueTrialFields = z.output<typeof queueTrialSchema>;

export interface QueueLines {
  readonly lines: readonly string[];
  readonly counted: ReadonlySet<string>;
}

/** Omits queues with unreadable trials, which are not samples. @throws StoreError */
export async function readQueueLines(
  store: AnnotationStore,
  { queue: wanted = null, job = null, reviewer = null }: ExportOptions,
): Promise<QueueLines> {
  const lines: string[] = [];
  const counted = new Set<string>();
  if (job !== null || reviewer !== null) return { lines, counted };
  const { queues } = await listQueues(store);
  for (const { queueId } of queues.toReversed()) {
    const queue = wanted === null || wanted === queueId ? await readQueue(store, queueId) : null;
    if (queue === null || queue.unreadable.length > 0) continue;
    const events = await store.read([], (db) => selectEvents(db, queueId));
    lines.push(formatLine(prepareQueueLine(queue, events)), ...queue.items.map(prepareTrialLine(queueId)));
    for (const { labels } of queue.items) for (const { blind } of labels) counted.add(blind.versionId);
  }
  return { lines, counted };
}

function selectEvents(db: AnnotationDb, queueId: string) {
  return db
    .selectFrom("review_queue_event")
    .select(["position", "kind", "reviewer_id", "created_at as timestamp"])
    .where("queue_id", "=", queueId)
    .orderBy("seq")
    .execute();
}

function prepareQueueLine(
  { queueId, settings, createdAt, createdBy, items }: Queue,
  events: Awaited<ReturnType<typeof selectEvents>>,
) {
  return {
    schema: QUEUE_LINE_SCHEMA,
    queue_id: queueId,
    settings,
    created_at: createdAt,
    created_by: createdBy,
    n_trials: items.length,
    events,
  };
}

function prepareTrialLine(queueId: string) {
  return ({ position: at, nReviewers, subject: trial }: Queue["items"][number]): string =>
    formatLine({
      schema: QUEUE_TRIAL_LINE_SCHEMA,
      queue_id: queueId,
      position: at,
      n_reviewers: nReviewers,
      ...prepareSubject(trial),
    });
}

export async function insertQueueLines(
  db: AnnotationDb,
  { n_trials: _, events, ...head }: QueueFields,
  trials: readonly QueueTrialFields[],
): Promise<void> {
  const items = trials.map(({ n_reviewers: nReviewers, ...trial }) => ({
    subject: readLineSubject(trial),
    nReviewers,
  }));
  await insertQueue(db, head, items);
  const changes = events.map(({ reviewer_id, timestamp, ...event }) => ({
    ...event,
    queue_id: head.queue_id,
    reviewer_id,
    reviewer_key: computeReviewerKey(reviewer_id),
    created_at: timestamp,
  }));
  await insertStatements(db, "review_queue_event", changes);
}
