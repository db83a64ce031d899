import { z } from "zod";

import { toColumnText } from "@/lib/database";
import { type AnnotationDraft, type DraftField, findDraftProblems } from "@/lib/domain/annotation";
import { type Judgment, JUDGMENTS } from "@/lib/domain/judgment";

/** Text of a single-line field: composed, without line breaks or doubled spaces. */
const lineSchema = z
  .string()
  .transform((text) => toColumnText(text).normalize("NFC").replace(/\s+/g, " ").trim());

const blankToNull = (text: string | null): string | null =>
  text === null || text.trim() === "" ? null : text;

const shapeSchema = z.object({
  reviewerId: lineSchema,
  reviewerDiscipline: lineSchema.nullable().transform(blankToNull),
  judgment: z.enum(JUDGMENTS).nullable(),
  categories: z.array(lineSchema).transform(keepDistinct),
  // Notes keep their line breaks; only the line ends of other systems are made one.
  notes: z
    .string()
    .nullable()
    .transform((text) =>
      blankToNull(text === null ? null : toColumnText(text).replace(/\r\n?/g, "\n").trimEnd()),
    ),
});

/** A draft that keeps all rules, ready to be stored. */
export interface ValidDraft extends AnnotationDraft {
  readonly judgment: Judgment;
}

/** Turns anything into a draft that can be stored, by the rules of {@link findDraftProblems}, which the form runs too. */
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

/** The first sentence for each field, by field name; fields that no form shows are gathered under `draft`. */
export function collectFieldMessages(
  error: z.ZodError,
): Readonly<Partial<Record<DraftField | "draft", string>>> {
  const messages: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = typeof issue.path[0] === "string" ? issue.path[0] : "draft";
    messages[field] ??= issue.message;
  }
  return messages;
}

/** Categories without blanks and repeats; the first spelling of a word stays. */
function keepDistinct(categories: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const category of categories) {
    const key = category.toLowerCase();
    if (category !== "" && !byKey.has(key)) byKey.set(key, category);
  }
  return [...byKey.values()];
}
