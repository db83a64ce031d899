import { z } from "zod";

import { type AnnotationDraft, findDraftProblems } from "@/lib/core/domain/annotation";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import { CONFIDENCES } from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

import { evidenceSchema } from "./evidence-schema";

const lineSchema = z
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
