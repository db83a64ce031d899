import { z } from "zod";

import { type AnnotationDraft, findDraftProblems } from "@/lib/core/domain/annotation";
import { TAG_LIMITS } from "@/lib/core/domain/imported-tag";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import { ANCHOR_KINDS, EVIDENCE_LIMITS, isSameAnchor, CONFIDENCES } from "@/lib/core/domain/review";
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

export const lineSchema = z
  .string()
  .transform((text) => toColumnText(text).normalize("NFC").replace(/\s+/g, " ").trim());

const blankToNull = (text: string | null): string | null =>
  text === null || text.trim() === "" ? null : text;

export const categoriesSchema = z.array(lineSchema).transform(keepDistinct);

const shapeSchema = z.object({
  reviewerId: lineSchema,
  reviewerDiscipline: lineSchema.nullable().transform(blankToNull),
  judgment: z.enum(JUDGMENTS).nullable(),
  categories: categoriesSchema,
  // Notes keep their line breaks; CRLF and CR become LF.
  notes: z
    .string()
    .nullable()
    .transform((text) =>
      blankToNull(text === null ? null : toColumnText(text).replace(/\r\n?/g, "\n").trimEnd()),
    ),
  // Earlier releases send neither.
  confidence: z.enum(CONFIDENCES).nullable().default(null),
  evidence: evidenceSchema.default([]),
});

export interface ValidDraft extends AnnotationDraft {
  readonly judgment: Judgment;
}

export const annotationDraftSchema: z.ZodType<ValidDraft> = shapeSchema
  .superRefine((draft, context) => {
    for (const [field, message] of Object.entries(findDraftProblems(draft))) {
      context.addIssue({ code: "custom", path: [field], message });
    }
  })
  .transform((draft, context): ValidDraft => {
    if (draft.judgment !== null) return { ...draft, judgment: draft.judgment };
    context.addIssue({ code: "custom", path: ["judgment"], message: "Choose pass, fail or defer." });
    return z.NEVER;
  });

function keepDistinct(categories: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const category of categories) {
    const key = category.toLowerCase();
    if (category !== "" && !byKey.has(key)) byKey.set(key, category);
  }
  return [...byKey.values()];
}
