import { randomUUID } from "node:crypto";

import type { Insertable } from "kysely";
import { z } from "zod";

import { type AnnotationSubject, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import { findNameProblem } from "@/lib/core/domain/name-problem";
import {
  BLIND_PARTS,
  QUEUE_GOALS,
  QUEUE_ORDERS,
  type QueueSettings,
  SAMPLE_METHODS,
} from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

import { insertStatements } from "../insert";
import { check, collectFieldMessages } from "../issues";
import { type AnnotationDb, toSubjectColumns } from "../record";
import type { AnnotationStore } from "../store";
import type { QueueTable } from "../tables";

/** All of them are listed on the queue's page. */
export const MOST_ITEMS = 5_000;

const line = (limit: number) =>
  z
    .string()
    .transform((text) => toColumnText(text).normalize("NFC").replace(/\s+/g, " ").trim())
    .pipe(z.string().max(limit, `At most ${String(limit)} characters.`));

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

const newSettingsSchema = settingsSchema.superRefine(({ name, reviewers }, context) => {
  const refuse = (field: string, message: string | undefined) => {
    if (message !== undefined) context.addIssue({ code: "custom", path: [field], message });
  };
  refuse("name", findNameProblem(name) ?? undefined);
  refuse("reviewers", reviewers.flatMap((reviewer) => findNameProblem(reviewer) ?? [])[0]);
});

export interface NewQueueItem {
  readonly subject: AnnotationSubject;
  readonly nReviewers: 1 | 2;
}

export async function createQueue(
  store: AnnotationStore,
  input: { readonly settings: unknown; readonly items: readonly NewQueueItem[]; readonly author: string },
  now: Date = new Date(),
): Promise<string> {
  const parsed = check(newSettingsSchema, input.settings);
  if (!parsed.success)
    throw new ValidationError("The queue was not made.", collectFieldMessages(parsed.error, "name"));
  const authorProblem = findNameProblem(input.author);
  if (authorProblem !== null) throw new ValidationError(authorProblem, {});
  if (input.items.length === 0)
    throw new ValidationError("No trial matches, so there is nothing to review.", {});
  if (input.items.length > MOST_ITEMS)
    throw new ValidationError(`A queue has at most ${MOST_ITEMS.toLocaleString("en-US")} trials.`, {});
  const queueId = randomUUID();
  const head = { settings: parsed.data, created_at: now.toISOString(), created_by: input.author };
  await store.write((db) => insertQueue(db, { ...head, queue_id: queueId }, input.items));
  return queueId;
}

export async function insertQueue(
  db: AnnotationDb,
  { settings, ...head }: Omit<Insertable<QueueTable>, "settings"> & { readonly settings: QueueSettings },
  items: readonly NewQueueItem[],
): Promise<void> {
  await insertStatements(db, "review_queue", [{ ...head, settings: JSON.stringify(settings) }]);
  const rows = items.map(({ subject, nReviewers }, position) => ({
    ...toSubjectColumns(subject),
    queue_id: head.queue_id,
    position,
    n_reviewers: nReviewers,
  }));
  await insertStatements(db, "review_queue_item", rows);
}
