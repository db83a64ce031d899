import { z } from "zod";

import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import { BLIND_PARTS, QUEUE_GOALS, QUEUE_ORDERS, SAMPLE_METHODS } from "@/lib/core/domain/review";

import { check, collectFieldMessages } from "../issues";
import { MOST_ITEMS } from "./create";

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
  /** From 0 to 1. */
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

export function parseQueueDraw(unchecked: unknown): QueueDraw {
  return parse(drawSchema, unchecked);
}

export function parseQueueForm(unchecked: unknown): QueueForm {
  return parse(formSchema, unchecked);
}

function parse<T>(schema: z.ZodType<T>, unchecked: unknown): T {
  const parsed = check(schema, unchecked);
  if (parsed.success) return parsed.data;
  throw new ValidationError("The form has errors.", collectFieldMessages(parsed.error, "name"));
}
