import { z } from "zod";

import { MOST_ITEMS } from "../queues/create";
import { listQueues, type Queue, readQueue } from "../queues/read";
import { settingsSchema } from "../queues/settings";
import { insertQueue, insertQueueEvents, type QueueEvent, selectEvents } from "../queues/stored-queue";
import type { AnnotationStore } from "../store";
import type { AnnotationDb } from "../tables";
import { id, person, readLineSubject, subject, time } from "./line-fields";
import { formatLine, prepareSubject, LINE_SCHEMAS, type ExportOptions } from "./lines";

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

/** Omits queues with unreadable trials, which are not samples. @throws StoreError */
export async function readQueueLines(
  store: AnnotationStore,
  { queue: wanted = null, job = null, reviewer = null }: ExportOptions,
) {
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

function prepareQueueLine(
  { queueId, settings, createdAt, createdBy, items }: Queue,
  events: readonly QueueEvent[],
) {
  return {
    schema: LINE_SCHEMAS.queue,
    queue_id: queueId,
    settings,
    created_at: createdAt,
    created_by: createdBy,
    n_trials: items.length,
    events: events.map(({ position: place, kind, reviewerId, at }) => ({
      position: place,
      kind,
      reviewer_id: reviewerId,
      timestamp: at,
    })),
  };
}

function prepareTrialLine(queueId: string) {
  return ({ position: at, nReviewers, subject: trial }: Queue["items"][number]): string =>
    formatLine({
      schema: LINE_SCHEMAS["queue-trial"],
      queue_id: queueId,
      position: at,
      n_reviewers: nReviewers,
      ...prepareSubject(trial),
    });
}

export async function insertQueueLines(
  db: AnnotationDb,
  { queue_id: queueId, settings, created_at: createdAt, created_by: createdBy, events }: QueueFields,
  trials: readonly QueueTrialFields[],
): Promise<void> {
  const items = trials.map(({ n_reviewers: nReviewers, ...trial }) => ({
    subject: readLineSubject(trial),
    nReviewers,
  }));
  await insertQueue(db, { queueId, settings, createdAt, createdBy }, items);
  const changes = events.map(({ reviewer_id: reviewerId, timestamp: at, ...event }) => ({
    ...event,
    queueId,
    reviewerId,
    at,
  }));
  await insertQueueEvents(db, changes);
}
