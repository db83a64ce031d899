import { z } from "zod";

import { ValidationError } from "@/lib/domain/app-error";
import { OUTCOMES } from "@/lib/domain/trial";

const key = z.string().min(1).max(1000);

/** The list of trials that is gone through; null for the unreviewed ones of the job. */
const list = z.string().max(1000).nullable();

const item = { queueId: z.string().min(1).max(100), position: z.int().min(0) };

/** What is reviewed: a trial of the open folders, or the trial of a queue at a place from 0. */
export const reviewTargetSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("trial"), jobKey: key, trialKey: key, list }),
  z.object({ kind: z.literal("item"), ...item }),
]);

export type ReviewTarget = z.output<typeof reviewTargetSchema>;

// Nobody has a name before the first review.
const reviewerId = z.string().max(1000);

export const REVIEW_REQUESTS = {
  save: z.object({
    target: reviewTargetSchema,
    // Checked by the store, which gives a sentence per field.
    draft: z.unknown(),
    /** Head of the reviewer's chain that the form shows; null when there is none. */
    baseVersionId: z.string().max(100).nullable(),
    /** UUID of this save, so that sending it again stores it once; null leaves it to the store. */
    saveId: z.uuid().nullable(),
    /** What the page printed when the reviewer judged, which may be older than what is on disk now; null where it was hidden. */
    seen: z
      .object({
        outcome: z.enum(OUTCOMES),
        // Python writes whole numbers of up to 4300 digits.
        reward: z.string().max(5000).nullable(),
      })
      .nullable(),
    /** Whether to name the next trial to judge. */
    thenNext: z.boolean(),
  }),
  undo: z.object({ target: reviewTargetSchema, reviewerId: key, versionId: z.string().max(100) }),
  next: z.object({ target: reviewTargetSchema, reviewerId }),
  /** Opens the trial of a queue under a lease. */
  take: z.object({ ...item, reviewerId, steal: z.boolean() }),
  /** A sign of life of the page that holds a lease. */
  renew: z.object({ ...item, reviewerId, token: key }),
  /** Puts a trial of a queue at one's end, or back to its place. */
  move: z.object({ ...item, reviewerId, kind: z.enum(["skipped", "requeued"]) }),
  release: z.object({ ...item, token: key }),
  categories: z.object({ text: z.string().max(200) }),
} as const;

/** A request of one kind, as the form sends it. */
export type ReviewRequest<Kind extends keyof typeof REVIEW_REQUESTS> = z.output<
  (typeof REVIEW_REQUESTS)[Kind]
>;

/** A request of the review form, checked. @throws ValidationError when it does not have the shape of its kind */
export function parseReviewRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new ValidationError("The page is out of date. Reload it; the draft is kept in this browser.", {});
}
