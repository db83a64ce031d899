import { z } from "zod";

import { TAG_LIMITS } from "@/lib/core/domain/imported-tag";
import { ANCHOR_KINDS, EVIDENCE_LIMITS, isSameAnchor } from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

/** Cuts to `limit` UTF-16 units without splitting a character. */
const cutText = (limit: number) => z.string().transform((text) => text.slice(0, limit).toWellFormed());

const anchorSchema = z.object({
  kind: z.enum(ANCHOR_KINDS),
  place: z.string().min(1, "without a place").max(EVIDENCE_LIMITS.place),
  source: z.string().max(EVIDENCE_LIMITS.source).nullable().default(null),
  line: z.int().min(1).nullable().default(null),
  quote: cutText(EVIDENCE_LIMITS.quote).nullable().default(null),
});

export const evidenceSchema = z
  .array(anchorSchema, "not a list of places")
  .transform((anchors) =>
    anchors.filter((anchor, index) => anchors.findIndex((other) => isSameAnchor(anchor, other)) === index),
  );

const quote = z
  .string()
  .transform(toColumnText)
  .pipe(z.string().max(TAG_LIMITS.quote, `At most ${TAG_LIMITS.quote.toLocaleString("en-US")} characters.`));

export const tagEvidenceSchema = z
  .array(z.union([quote, anchorSchema], "Expected a text, or a place as judgments have them."))
  .max(TAG_LIMITS.evidence, `At most ${String(TAG_LIMITS.evidence)} pieces of evidence.`);
