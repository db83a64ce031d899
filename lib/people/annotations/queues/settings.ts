import { z } from "zod";

import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import {
  BLIND_PARTS,
  QUEUE_GOALS,
  QUEUE_ORDERS,
  type QueueSettings,
  SAMPLE_METHODS,
} from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

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
