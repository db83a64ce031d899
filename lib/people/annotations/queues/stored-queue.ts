import { z } from "zod";

import {
  DRAFT_LIMITS,
  type AnnotationSubject,
  computeReviewerKey,
  type QueuePlace,
} from "@/lib/core/domain/annotation";
import { StoreError, ForbiddenError } from "@/lib/core/domain/app-error";
import {
  BLIND_PARTS,
  QUEUE_GOALS,
  QUEUE_ORDERS,
  type QueueSettings,
  SAMPLE_METHODS,
} from "@/lib/core/domain/review";
import { listNames } from "@/lib/core/format/list-names";
import { formatPlural } from "@/lib/core/format/number";

import { lineSchema } from "../draft-schema";
import type { Actor } from "../owner";
import { foldJudgments, toStoredSubject } from "../record";
import { createLogReader, createReader, listStanding, type NewStatement } from "../statements/statement";
import { MISMATCH, subjectSchema, type UnreadableRow } from "../stored-columns";
import type { AnnotationDb } from "../tables";

const line = (limit: number) =>
  lineSchema.pipe(z.string().max(limit, `At most ${String(limit)} characters.`));

export const settingsSchema: z.ZodType<QueueSettings> = z.object({
  name: line(120).pipe(z.string().min(1, "Name the queue.")),
  goal: z.enum(QUEUE_GOALS),
  method: z.enum(SAMPLE_METHODS),
  seed: z.int().nullable(),
  order: z.enum(QUEUE_ORDERS),
  source: line(2_000),
  sourceHref: z.string().max(4_000).nullable(),
  reviewers: z.array(line(DRAFT_LIMITS.reviewerId)).max(50, "At most 50 reviewers."),
  doubleShare: z.number().min(0).max(1),
  hides: z.array(z.enum(BLIND_PARTS)),
  isOpenCoding: z.boolean(),
  strata: z.array(
    z.object({
      agent: z.string(),
      model: z.string().nullable(),
      hasPassed: z.boolean(),
      nTrials: z.int().min(0),
      nDrawn: z.int().min(0),
    }),
  ),
});

type StoredQueues = Awaited<ReturnType<typeof selectQueues>>;
export type QueueHead = StoredQueues["queues"][number];
export type UnreadableQueue = StoredQueues["unreadable"][number];

interface UnreadableItem {
  readonly position: number | null;
  readonly problem: string;
}

interface NewQueue {
  readonly queueId: string;
  readonly settings: QueueSettings;
  readonly createdAt: string;
  readonly createdBy: string;
}

/** True if a queue is for this reviewer: it names them, or no one. */
export function isForReviewer({ reviewers }: Pick<QueueSettings, "reviewers">, reviewerKey: string): boolean {
  return reviewers.length === 0 || reviewers.some((name) => computeReviewerKey(name) === reviewerKey);
}

export interface StoredItem {
  readonly position: number;
  readonly subject: AnnotationSubject;
  readonly nReviewers: 1 | 2;
}

export const QUEUE_EVENTS = ["skipped", "requeued", "closed", "reopened"] as const;

interface QueueEvent {
  readonly queueId: string;
  readonly position: number | null;
  readonly kind: (typeof QUEUE_EVENTS)[number];
  readonly reviewerId: string;
  readonly at: string;
}

/** Immutable, as its trials are. */
const { fold: foldHeads } = createLogReader(
  { name: "queue", body: settingsSchema },
  ({ id: queueId, author: createdBy, at: createdAt, body: settings }): NewQueue => {
    return { queueId, settings, createdAt, createdBy };
  },
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

const { fold: foldEvents } = createLogReader(
  {
    name: "queue_event",
    body: z.object({ position: z.number().nullable(), kind: z.enum(QUEUE_EVENTS) }),
  },
  ({ parent, author: reviewerId, at, body }): QueueEvent => {
    return { ...body, queueId: parent ?? "", reviewerId, at };
  },
);

export async function selectEvents(db: AnnotationDb, queueId: string): Promise<readonly QueueEvent[]> {
  const { events } = await foldEvents(db);
  return events.filter((event) => event.queueId === queueId);
}

export async function selectQueues(db: AnnotationDb) {
  // Read first: a queue that is made meanwhile is among the heads.
  const firstItems = await db
    .selectFrom("statement")
    .select(["parent", "seq"])
    .where("kind", "=", "queue_item")
    .where("subject", "=", "0")
    .execute();
  const { events: heads, unreadable: wrong } = await foldHeads(db);
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
      .map((row) => {
        const at = Number(row.columns["subject"]);
        return { position: Number.isInteger(at) ? at : null, problem: describeWrong(row) };
      }),
  };
}

export function prepareQueue(
  { queueId, settings, createdAt: at, createdBy: author }: NewQueue,
  items: readonly Omit<StoredItem, "position">[],
): readonly NewStatement[] {
  const made = { author, actor: null, at };
  return [
    { ...made, kind: "queue", id: queueId, subject: "", body: settings },
    ...items.map(({ subject, nReviewers }, position): NewStatement => ({
      ...made,
      kind: "queue_item",
      id: `${queueId} ${String(position)}`,
      subject: String(position),
      parent: queueId,
      body: { trial: toStoredSubject(subject), position, nReviewers },
    })),
  ];
}

export function prepareQueueEvent({ queueId, reviewerId, at, ...body }: QueueEvent): NewStatement {
  return { kind: "queue_event", subject: "", parent: queueId, author: reviewerId, actor: null, at, body };
}

/** Lists skipped trials, the last one last. */
export async function selectSkips(db: AnnotationDb, queueId: string) {
  const skips = new Map<string, { readonly position: number; readonly reviewerKey: string }>();
  for (const { position, reviewerId, kind } of await selectEvents(db, queueId)) {
    if (position === null) continue;
    const reviewerKey = computeReviewerKey(reviewerId);
    const key = `${String(position)} ${reviewerKey}`;
    skips.delete(key);
    if (kind === "skipped") skips.set(key, { position, reviewerKey });
  }
  return [...skips.values()];
}

/** The id is the stored value as text, even if it is a number. */
function describeUnreadableQueue(row: UnreadableRow) {
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
  const named = items.map(({ position, problem }) =>
    position === null ? `one at an unknown place ${problem}` : `trial ${String(position + 1)} ${problem}`,
  );
  return `${formatPlural(items.length, "trial")} of this queue cannot be read: ${listNames(named, "; ")}. Unreadable trials are not assigned and not counted. ${WHAT_TO_DO}`;
}

export function describeUnreadableTrial(item: UnreadableItem): string {
  return `This trial of the queue cannot be read: it is stored ${item.problem}. ${WHAT_TO_DO}`;
}

const WHAT_TO_DO =
  "Update Assay if a newer version wrote the queue, otherwise correct the table statement or restore a backup.";

export async function selectQueueEvents(db: AnnotationDb, queueId: string) {
  const { events } = await foldJudgments(db);
  return events.filter(({ body }) => body.queue?.queueId === queueId);
}

export async function selectQueueLabels(db: AnnotationDb, queueId: string) {
  const labels = new Map<number, Set<string>>();
  for (const { body, reviewerKey } of listStanding(await selectQueueEvents(db, queueId))) {
    const position = body.queue?.position ?? -1;
    labels.set(position, (labels.get(position) ?? new Set()).add(reviewerKey));
  }
  return labels;
}

export const LEASE_MS = 10 * 60_000;

const CLOCK_SKEW_MS = 60_000;

/** Only the page that holds the lease knows its token. */
export type Lease = Awaited<ReturnType<typeof selectLeases>>[number];

export async function selectLeases(db: AnnotationDb, queueId: string, now: Date) {
  return (
    db
      .selectFrom("review_lease")
      .select(["position", "reviewer_key as reviewerKey", "reviewer_id as reviewerId", "token"])
      .select(["granted_at as grantedAt", "expires_at as expiresAt"])
      .where("queue_id", "=", queueId)
      .where("expires_at", ">", now.toISOString())
      // A lease that ends later than possible comes from a clock that was set back since.
      .where("expires_at", "<=", new Date(now.getTime() + LEASE_MS + CLOCK_SKEW_MS).toISOString())
      .orderBy("position")
      .orderBy("granted_at")
      .execute()
  );
}

/** Leases a trial to a reviewer and ends their earlier lease on it. Callers check for a free place. */
export async function grantLease(
  db: AnnotationDb,
  place: QueuePlace,
  reviewer: Pick<Lease, "reviewerKey" | "reviewerId" | "token">,
  now: Date,
): Promise<Lease> {
  await endLease(db, place, reviewer.reviewerKey);
  const { queueId: queue_id, position } = place;
  const { reviewerKey: reviewer_key, reviewerId: reviewer_id, token } = reviewer;
  const granted_at = now.toISOString();
  const expires_at = new Date(now.getTime() + LEASE_MS).toISOString();
  await db
    .insertInto("review_lease")
    .values({ queue_id, position, reviewer_key, reviewer_id, token, granted_at, expires_at })
    .execute();
  return { ...reviewer, grantedAt: granted_at, expiresAt: expires_at, position };
}

export async function endLease(
  db: AnnotationDb,
  { queueId: queue_id, position }: QueuePlace,
  reviewer_key: string,
): Promise<void> {
  await db
    .deleteFrom("review_lease")
    .where((where) => where.and({ queue_id, position, reviewer_key }))
    .execute();
}

export interface QueueWorker {
  readonly queueId: string;
  readonly reviewerId: string;
  readonly actor?: Actor;
}

export const NO_QUEUE = "There is no such queue.";

/**
 * Reserves a name in a queue for named reviewers to the first browser that judged under it, while one of its judgments counts. The
 * name decides what is assigned and hidden, and anyone can type it.
 */
export async function refuseTakenName(
  db: AnnotationDb,
  { queueId, settings: { reviewers } }: Pick<QueueHead, "queueId" | "settings">,
  reviewerId: string,
  { browserKeyHash, isAdmin }: Actor,
): Promise<void> {
  if (reviewers.length === 0 || isAdmin) return;
  const reviewerKey = computeReviewerKey(reviewerId);
  const first = listStanding(await selectQueueEvents(db, queueId)).find(
    (event) => event.reviewerKey === reviewerKey && event.actor !== null,
  );
  if (first === undefined || first.actor === browserKeyHash) return;
  const others = reviewers.filter((name) => computeReviewerKey(name) !== reviewerKey);
  const another = others.length === 0 ? "" : `, review as ${others.join(" or ")}`;
  throw new ForbiddenError(
    `In this queue, the name ${reviewerId.trim()} belongs to the browser that first reviewed under it, not to this one. ` +
      `Continue in that browser${another}, or ask your administrator.`,
  );
}
