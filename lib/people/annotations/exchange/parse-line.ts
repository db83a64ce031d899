import { z } from "zod";

import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { isFingerprint } from "@/lib/core/domain/fingerprint";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, CONFIDENCES, DECISION_BASES, EVIDENCE_LIMITS } from "@/lib/core/domain/review";

import { evidenceSchema } from "../evidence-schema";
import { check, describeFirstIssue, refuseHidden } from "../issues";
import { SAVED_BY } from "../record";
import { parseJson } from "../stored-columns";
import { id, limit, orNull, person, subject, text, time } from "./line-fields";
import { LINE_SCHEMAS } from "./lines";
import { queueSchema, queueTrialSchema } from "./queue-lines";
import type { StatedCategories } from "./settle-categories";
import { answerSchema, noteSchema, tagSchema } from "./triage-line";

const LONGEST_CATEGORY_ID = 100;

/** Unicode-normalized like the codebook, which may make it longer. */
const label = text(DRAFT_LIMITS.category)
  .refine((given) => given.normalize("NFC").length <= DRAFT_LIMITS.category, limit(DRAFT_LIMITS.category))
  .superRefine(refuseHidden);

const categories = z
  .array(label)
  .max(DRAFT_LIMITS.categories, `At most ${String(DRAFT_LIMITS.categories)} categories.`);
const categoryId = text(LONGEST_CATEGORY_ID).pipe(z.string().min(1, "It is empty."));
const categoryIds = z.array(categoryId.nullable()).max(DRAFT_LIMITS.categories).nullish();
const status = z.enum(["current", "superseded", "withdrawn"]);
const version = z.int().min(0).max(2_147_483_647);
const savedBy = orNull(SAVED_BY.superRefine(refuseHidden));

const isWithdrawnWhole = (line: { status: string; withdrawn_at: string | null }) =>
  (line.status === "withdrawn") === (line.withdrawn_at !== null);
const NOT_WHOLE = {
  path: ["withdrawn_at"],
  error: "It must have a withdrawal time if its status is withdrawn, and only then.",
};

function refuseOtherCount(
  line: Pick<StatedCategories, "categories" | "category_ids">,
  context: z.RefinementCtx,
): void {
  const { categories: labels, category_ids: ids } = line;
  if (ids === null || ids === undefined || ids.length === labels.length) return;
  const message = `Expected one id, or null, for each of the ${String(labels.length)} categories, found ${String(ids.length)}.`;
  context.addIssue({ code: "custom", path: ["category_ids"], message });
}

const judgmentSchema = z
  .object({
    version_id: id,
    version: version.min(1),
    status,
    withdrawn_at: orNull(time),
    ...subject,
    reviewer_id: person,
    reviewer_discipline: orNull(text(DRAFT_LIMITS.reviewerDiscipline)),
    timestamp: time,
    judgment: z.enum(JUDGMENTS),
    categories,
    notes: orNull(text(DRAFT_LIMITS.notes)),
    saved_by: savedBy,
    withdrawn_by: savedBy,
    // Earlier releases do not write the following fields.
    category_ids: categoryIds,
    confidence: orNull(z.enum(CONFIDENCES)),
    evidence: z
      .array(z.unknown())
      .max(EVIDENCE_LIMITS.anchors, `At most ${String(EVIDENCE_LIMITS.anchors)} pieces of evidence.`)
      .default([])
      .pipe(evidenceSchema),
    queue_id: orNull(id),
    queue_position: orNull(version),
    hidden: orNull(z.array(z.enum(BLIND_PARTS)).max(BLIND_PARTS.length)),
    codebook_version: orNull(version),
    fingerprint: orNull(
      z
        .string()
        .refine(
          isFingerprint,
          "Expected null or a fingerprint as an export writes it: a version, then two digests or dashes, such as 1:-:-.",
        ),
    ),
    withdrawal_id: orNull(id),
  })
  .refine(isWithdrawnWhole, NOT_WHOLE)
  .superRefine(refuseOtherCount);

const decisionSchema = z
  .object({
    decision_id: id,
    status,
    withdrawn_at: orNull(time),
    withdrawal_id: orNull(id),
    ...subject,
    final_judgment: orNull(z.enum(JUDGMENTS)),
    categories,
    category_ids: categoryIds,
    reason: text(DRAFT_LIMITS.notes),
    based_on: orNull(z.enum(DECISION_BASES)),
    codebook_note: orNull(text(DRAFT_LIMITS.notes)),
    decided_by: person,
    timestamp: time,
    sources: z.array(id).max(1_000),
    queue_id: orNull(id),
    codebook_version: version,
  })
  .refine(isWithdrawnWhole, NOT_WHOLE)
  .superRefine(refuseOtherCount);

const SCHEMAS = {
  judgment: judgmentSchema,
  decision: decisionSchema,
  tag: tagSchema,
  answer: answerSchema,
  note: noteSchema,
  queue: queueSchema,
  "queue-trial": queueTrialSchema,
};

export type LineKind = keyof typeof SCHEMAS;
export type LineFields<Kind extends LineKind> = z.output<(typeof SCHEMAS)[Kind]>;

type ReadLine = {
  readonly [Kind in LineKind]: { readonly kind: Kind; readonly fields: LineFields<Kind> };
}[LineKind];

type ParsedLine =
  | ReadLine
  | { readonly kind: "unreadable" | "damaged" }
  | { readonly kind: "problem"; readonly problem: string };

const KINDS = Object.entries(LINE_SCHEMAS) as [keyof typeof LINE_SCHEMAS, string][]; // Keys of the object itself.

/** Parses one line. Never throws: returns a message that names the field. */
export function parseLine(line: string): ParsedLine {
  const value = parseJson(line);
  if (value === undefined)
    return refuse("It is not JSON. If the line ends early, the file was cut off: export it again.");
  const fields = typeof value === "object" && value !== null ? value : {};
  const schema = "schema" in fields ? fields.schema : undefined;
  // Other tools write no schema.
  const isTag = schema === undefined && ("trial" in fields || "category" in fields);
  const kind = isTag ? "tag" : KINDS.find(([, name]) => name === schema)?.[0];
  if (kind === "unreadable" || kind === "damaged") return { kind };
  if (kind !== undefined) {
    const parsed = check<unknown>(SCHEMAS[kind], value);
    if (!parsed.success) return refuse(describeFirstIssue(parsed.error));
    return { kind, fields: parsed.data } as ReadLine; // Parsed by the schema of the kind.
  }
  return refuse(
    typeof schema === "string"
      ? `Its schema is ${JSON.stringify(schema.slice(0, 100))}, which this version does not import.`
      : `It has no schema. Import what "assay annotations export" wrote, or tags: lines with trial, category, description, source and evidence.`,
  );
}

function refuse(problem: string): ParsedLine {
  return { kind: "problem", problem };
}
