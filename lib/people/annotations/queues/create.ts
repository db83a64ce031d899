import { randomUUID } from "node:crypto";

import { z } from "zod";

import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import { findNameProblem } from "@/lib/core/domain/name-problem";
import { BLIND_PARTS, QUEUE_GOALS, QUEUE_ORDERS, SAMPLE_METHODS } from "@/lib/core/domain/review";

import { parseInput } from "../issues";
import { addStatements } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { settingsSchema, prepareQueue, type StoredItem } from "./stored-queue";

/** All of them are listed on the queue's page. */
export const MOST_ITEMS = 5_000;

const newSettingsSchema = settingsSchema.superRefine(({ name, reviewers }, context) => {
  const refuse = (field: string, message: string | undefined) => {
    if (message !== undefined) context.addIssue({ code: "custom", path: [field], message });
  };
  refuse("name", findNameProblem(name) ?? undefined);
  refuse("reviewers", reviewers.flatMap((reviewer) => findNameProblem(reviewer) ?? [])[0]);
});

export async function createQueue(
  store: AnnotationStore,
  input: {
    readonly settings: unknown;
    readonly items: readonly Omit<StoredItem, "position">[];
    readonly author: string;
  },
  now: Date = new Date(),
): Promise<string> {
  const settings = parseInput(newSettingsSchema, input.settings, "name", "The queue was not created.");
  const authorProblem = findNameProblem(input.author);
  if (authorProblem !== null) throw new ValidationError(authorProblem, {});
  if (input.items.length === 0)
    throw new ValidationError("No trial matches, so there is nothing to review.", {});
  if (input.items.length > MOST_ITEMS)
    throw new ValidationError(`A queue has at most ${MOST_ITEMS.toLocaleString("en-US")} trials.`, {});
  const queueId = randomUUID();
  const head = { queueId, settings, createdAt: now.toISOString(), createdBy: input.author };
  await store.write((db) => addStatements(db, prepareQueue(head, input.items)));
  return queueId;
}

const LONGEST_QUERY = 4_096;
const query = z.string().max(LONGEST_QUERY).nullable();
const list = z.array(z.string().max(LONGEST_QUERY)).max(MOST_ITEMS);

const sourceSchema = z.object({ job: query, list: query, picks: list, judgments: list, judged: query });

const drawSchema = z.object({
  source: sourceSchema,
  method: z.enum(SAMPLE_METHODS),
  size: z
    .int("Enter a whole number.")
    .min(1, "At least 1 trial.")
    .max(MOST_ITEMS, `At most ${MOST_ITEMS.toLocaleString("en-US")} trials.`),
  seed: z.int("Enter a whole number.").min(0, "At least 0.").max(0xffff_ffff, "At most 4294967295."),
  order: z.enum(QUEUE_ORDERS),
  doubleShare: z.number("Enter a number.").min(0, "From 0 to 100.").max(1, "From 0 to 100."),
});

const formSchema = drawSchema
  .extend({
    name: z.string().trim().min(1, "Name the queue.").max(120, "At most 120 characters."),
    goal: z.enum(QUEUE_GOALS),
    reviewers: z
      .array(z.string().max(DRAFT_LIMITS.reviewerId, "At most 80 characters per name."))
      .max(50, "At most 50 reviewers."),
    hides: z.array(z.enum(BLIND_PARTS)),
    isOpenCoding: z.boolean(),
  })
  .refine(({ reviewers, doubleShare }) => reviewers.length !== 1 || doubleShare === 0, {
    path: ["doubleShare"],
    message: "Double review needs at least 2 reviewers.",
  });

export type QueueDraw = z.infer<typeof drawSchema>;

export type QueueForm = z.infer<typeof formSchema>;

const WRONG = "The form has errors.";

export const parseQueueDraw = (unchecked: unknown) => parseInput(drawSchema, unchecked, "name", WRONG);
export const parseQueueForm = (unchecked: unknown) => parseInput(formSchema, unchecked, "name", WRONG);
