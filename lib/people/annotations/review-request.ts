import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { OUTCOMES } from "@/lib/core/domain/trial";

const key = z.string().min(1).max(1000);

const list = z.string().max(1000).nullable();

const item = { queueId: z.string().min(1).max(100), position: z.int().min(0) };

export const reviewTargetSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("trial"), jobKey: key, trialKey: key, list }),
  z.object({ kind: z.literal("item"), ...item }),
]);

export type ReviewTarget = z.output<typeof reviewTargetSchema>;

// Empty before the first review.
const reviewerId = z.string().max(1000);

export const REVIEW_REQUESTS = {
  save: z.object({
    target: reviewTargetSchema,
    // Validated by the store, which returns one message per field.
    draft: z.unknown(),
    baseVersionId: z.string().max(100).nullable(),
    /** UUID that makes retries idempotent; null lets the store choose. */
    saveId: z.uuid().nullable(),
    /** Values that the page showed, possibly older than the files; null if hidden. */
    seen: z
      .object({
        outcome: z.enum(OUTCOMES),
        // Python writes integers of up to 4300 digits.
        reward: z.string().max(5000).nullable(),
      })
      .nullable(),
    thenNext: z.boolean(),
  }),
  undo: z.object({ target: reviewTargetSchema, reviewerId: key, versionId: z.string().max(100) }),
  next: z.object({ target: reviewTargetSchema, reviewerId }),
  take: z.object({ ...item, reviewerId, steal: z.boolean() }),
  renew: z.object({ ...item, reviewerId, token: key }),
  move: z.object({ ...item, reviewerId, kind: z.enum(["skipped", "requeued"]) }),
  release: z.object({ ...item, token: key }),
  categories: z.object({ text: z.string().max(200) }),
} as const;

export type ReviewRequest<Kind extends keyof typeof REVIEW_REQUESTS> = z.output<
  (typeof REVIEW_REQUESTS)[Kind]
>;

export function parseReviewRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new ValidationError("The page is out of date. Reload it; the draft is kept in this browser.", {});
}

const id = z.string().min(1).max(100);

const scope = { queue: z.string().max(4_096).nullable(), jobs: z.array(z.string().max(4_096)).max(1_000) };

export const DECISION_REQUESTS = {
  save: z.object({
    ...scope,
    /** Version ids of all judgments that the decider saw. They identify the trial, which the page may hide. */
    sources: z.array(id).min(1).max(1_000),
    draft: z.unknown(),
    baseDecisionId: id.nullable(),
    /** UUID that makes retries idempotent; null lets the store choose. */
    saveId: z.uuid().nullable(),
    thenNext: z.boolean(),
  }),
  undo: z.object({ decisionId: id }),
} as const;

export type DecisionRequest<Kind extends keyof typeof DECISION_REQUESTS> = z.output<
  (typeof DECISION_REQUESTS)[Kind]
>;
