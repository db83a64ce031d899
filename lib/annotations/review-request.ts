import { z } from "zod";

import { ValidationError } from "@/lib/domain/app-error";
import { OUTCOMES } from "@/lib/domain/trial";

const key = z.string().min(1).max(1000);

/** The list of trials that is gone through; null for the unreviewed ones of the job. */
const list = z.string().max(1000).nullable();

/** The requests of the review form. */
export const REVIEW_REQUESTS = {
  save: z.object({
    jobKey: key,
    trialKey: key,
    // Checked by the store, which gives a sentence per field.
    draft: z.unknown(),
    /** Head of the reviewer's chain that the form shows; null when there is none. */
    baseVersionId: z.string().max(100).nullable(),
    /** UUID of this save, so that sending it again stores it once; null leaves it to the store. */
    saveId: z.uuid().nullable(),
    /** What the page printed when the reviewer judged, which may be older than what is on disk now. */
    outcomeSeen: z.enum(OUTCOMES),
    // Python writes whole numbers of up to 4300 digits.
    rewardSeen: z.string().max(5000).nullable(),
    /** Whether to name the next trial to judge. */
    thenNext: z.boolean(),
    list,
  }),
  undo: z.object({ jobKey: key, trialKey: key, reviewerId: key, versionId: z.string().max(100) }),
  // Nobody has a name before the first review.
  next: z.object({ jobKey: key, trialKey: key, reviewerId: z.string().max(1000), list }),
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
