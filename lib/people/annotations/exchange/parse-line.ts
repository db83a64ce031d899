import { hash } from "node:crypto";

import { z } from "zod";

import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { isFingerprint } from "@/lib/core/domain/fingerprint";
import { TAG_LIMITS } from "@/lib/core/domain/imported-tag";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, CONFIDENCES, DECISION_BASES, EVIDENCE_LIMITS } from "@/lib/core/domain/review";
import { SUGGESTION_ANSWERS, SUGGESTION_LIMITS } from "@/lib/core/domain/suggestion";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import { decisionBodySchema } from "../decisions/decisions";
import { evidenceSchema, lineSchema, tagEvidenceSchema } from "../draft-schema";
import { check, readFirstIssue, refuseHidden } from "../issues";
import { MOST_ITEMS } from "../queues/create";
import { settingsSchema, QUEUE_EVENTS } from "../queues/stored-queue";
import { JUDGMENT, SAVED_BY, SCHEMA_VERSION, WITHDRAWN } from "../record";
import type { MadeStatement, NewStatement } from "../statements/statement";
import { parseJson, subjectSchema, trialSchema } from "../stored-columns";
import { prepareAnswer } from "../triage/answers";
import { clusterSchema, line, type Note } from "../triage/notes";
import { LINE_SCHEMAS, nameField } from "./lines";

/** Limit for names from job folders, in UTF-16 units. Reviewer names have their own limit. */
const LONGEST_NAME = 5_000;
const LONGEST_ID = 200;
const LONGEST_CATEGORY_ID = 100;

const limit = (most: number) => `At most ${most.toLocaleString("en-US")} characters.`;
const text = (most: number) => z.string().max(most, limit(most)).transform(toColumnText);
const filled = (schema: z.ZodType<string>) => schema.pipe(z.string().min(1, "It is empty."));
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

const name = text(LONGEST_NAME);
const id = filled(text(LONGEST_ID));

/** The format that saves write. Any other would sort differently. */
const time = z.iso.datetime({ error: "Not a time in UTC such as 2026-03-01T09:30:00.000Z.", precision: 3 });

const person = text(DRAFT_LIMITS.reviewerId)
  .refine((given) => given.trim() !== "", "It has no name.")
  .superRefine(refuseHidden);

const subject = {
  trialId: orNull(text(LONGEST_ID)),
  jobUuid: orNull(text(LONGEST_ID)),
  trialName: filled(name),
  jobName: name,
  rootLabel: name,
  taskName: name,
  agent: name,
  model: orNull(name),
  outcomeSeen: z.enum(OUTCOMES),
  rewardSeen: orNull(name),
};

/** Categories of a line. Its version belongs to the exporting store and has no meaning here. */
export interface StatedCategories {
  readonly categories: readonly string[];
  readonly categoryIds?: readonly (string | null)[] | null | undefined;
  readonly codebookVersion: number | null;
}

const version = z.int().min(0).max(2_147_483_647);
const savedBy = orNull(SAVED_BY.superRefine(refuseHidden));

/** Unicode-normalized like the codebook, which may make it longer. */
const label = text(DRAFT_LIMITS.category)
  .refine((given) => given.normalize("NFC").length <= DRAFT_LIMITS.category, limit(DRAFT_LIMITS.category))
  .superRefine(refuseHidden);

/** Fields of every statement about a trial that can be withdrawn. */
const saved = {
  ...subject,
  status: z.enum(["current", "superseded", "withdrawn"]),
  withdrawnAt: orNull(time),
  withdrawalId: orNull(id),
  timestamp: time,
  categories: z
    .array(label)
    .max(DRAFT_LIMITS.categories, `At most ${String(DRAFT_LIMITS.categories)} categories.`),
  categoryIds: z
    .array(filled(text(LONGEST_CATEGORY_ID)).nullable())
    .max(DRAFT_LIMITS.categories)
    .nullish(),
  queueId: orNull(id),
};

type SavedFields = z.output<z.ZodObject<typeof saved>> & StatedCategories;

function refuseContradiction(fields: SavedFields, context: z.RefinementCtx): void {
  const { categories: labels, categoryIds: ids } = fields;
  if ((fields.status === "withdrawn") !== (fields.withdrawnAt !== null)) {
    const message = "It must have a withdrawal time if its status is withdrawn, and only then.";
    context.addIssue({ code: "custom", path: ["withdrawnAt"], message });
  }
  if (ids === null || ids === undefined || ids.length === labels.length) return;
  const message = `Expected one id, or null, for each of the ${String(labels.length)} categories, found ${String(ids.length)}.`;
  context.addIssue({ code: "custom", path: ["categoryIds"], message });
}

const judgmentSchema = z
  .object({
    versionId: id,
    version: version.min(1),
    ...saved,
    reviewerId: person,
    reviewerDiscipline: orNull(text(DRAFT_LIMITS.reviewerDiscipline)),
    judgment: z.enum(JUDGMENTS),
    notes: orNull(text(DRAFT_LIMITS.notes)),
    savedBy,
    withdrawnBy: savedBy,
    // Earlier releases do not write the following fields.
    confidence: orNull(z.enum(CONFIDENCES)),
    evidence: z
      .array(z.unknown())
      .max(EVIDENCE_LIMITS.anchors, `At most ${String(EVIDENCE_LIMITS.anchors)} pieces of evidence.`)
      .default([])
      .pipe(evidenceSchema),
    queuePosition: orNull(version),
    hidden: orNull(z.array(z.enum(BLIND_PARTS)).max(BLIND_PARTS.length)),
    codebookVersion: orNull(version),
    fingerprint: orNull(
      z
        .string()
        .refine(
          isFingerprint,
          "Expected null or a fingerprint as an export writes it: a version, then two digests or dashes, such as 1:-:-.",
        ),
    ),
  })
  .superRefine(refuseContradiction)
  .transform((fields) => {
    const { versionId, queueId, queuePosition: position, withdrawnBy } = fields;
    const queue = queueId === null || position === null ? null : { queueId, position };
    const trial = subjectSchema.parse(fields);
    const body = JUDGMENT.body.parse({ ...fields, trial, queue, schemaVersion: SCHEMA_VERSION });
    const said = { kind: "judgment", id: versionId, author: fields.reviewerId, body } as const;
    const withdrawn = { ...body, ...WITHDRAWN, savedBy: withdrawnBy };
    return { ...toSaved(fields, said, withdrawn), version: fields.version };
  });

const decisionSchema = z
  .object({
    decisionId: id,
    ...saved,
    finalJudgment: orNull(z.enum(JUDGMENTS)),
    reason: text(DRAFT_LIMITS.notes),
    basedOn: orNull(z.enum(DECISION_BASES)),
    codebookNote: orNull(text(DRAFT_LIMITS.notes)),
    decidedBy: person,
    sources: z.array(id).max(1_000),
    codebookVersion: version,
  })
  .superRefine(refuseContradiction)
  .transform((fields) => {
    const { decisionId, decidedBy: author } = fields;
    const body = decisionBodySchema.parse({ ...fields, trial: subjectSchema.parse(fields) });
    const said = { kind: "decision", id: decisionId, author, body } as const;
    return toSaved(fields, said, { ...body, finalJudgment: null });
  });

/** Returns the statement of a line and, if it was withdrawn, the statement that withdraws it. */
function toSaved<Body>(
  fields: SavedFields,
  statement: Pick<MadeStatement<Body>, "kind" | "id" | "author" | "body">,
  withdrawn: Body,
) {
  const { trialName, timestamp: at, withdrawnAt, withdrawalId } = fields;
  const { id: parent } = statement;
  const said = { ...statement, subject: trialName, parent: null, actor: null, at };
  const undone = { id: withdrawalId ?? deriveWithdrawalId(parent), parent, body: withdrawn };
  return {
    id: parent,
    said,
    withdrawal: withdrawnAt === null ? null : { ...said, ...undone, at: withdrawnAt },
    stated: fields,
  };
}

/** Derives a stable id, since earlier releases omit it and imports must be idempotent. */
function deriveWithdrawalId(ownId: string): string {
  const digest = hash("sha256", `withdrawal of ${ownId}`);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}

/** For lines without an id, whose content identifies them. */
const bare = <T extends z.ZodType>(schema: T) =>
  schema.transform((said) => ({ id: null, said, withdrawal: null }));

const noter = line(DRAFT_LIMITS.reviewerId).pipe(
  z
    .string()
    .refine((given) => computeReviewerKey(given) !== "", "It has no name.")
    .superRefine(refuseHidden),
);

const answerSchema = z
  .object({
    trialId: name.nullable(),
    jobUuid: name.nullable(),
    trialName: filled(name),
    jobName: name,
    suggester: z.string().min(1, "It is empty.").max(SUGGESTION_LIMITS.suggester).transform(toColumnText),
    version: z.string().max(SUGGESTION_LIMITS.version).transform(toColumnText),
    answer: z.enum(SUGGESTION_ANSWERS),
    reviewerId: noter,
    timestamp: time,
  })
  .transform(({ reviewerId: author, timestamp: at, suggester, version: made, answer, ...trial }) =>
    prepareAnswer({ author, actor: null, at, body: { trial, suggester, version: made, answer } }),
  );

const change = {
  target: z.string().min(1, "It is empty.").max(TRIAGE_LIMITS.target).transform(toColumnText),
  author: noter,
  timestamp: time,
};

const noteSchema = z
  .discriminatedUnion("kind", [
    z.object({
      ...change,
      kind: z.literal("named"),
      text: line(TRIAGE_LIMITS.name)
        .pipe(z.string().min(1, "It is empty.").superRefine(refuseHidden))
        .nullable(),
      about: clusterSchema,
    }),
    z.object({
      ...change,
      kind: z.literal("dismissed"),
      text: filled(line(TRIAGE_LIMITS.reason)),
      about: z.object({ title: line(TRIAGE_LIMITS.about) }),
    }),
    z.object({
      ...change,
      kind: z.literal("restored"),
      text: z.null(),
      about: z.object({ reason: line(TRIAGE_LIMITS.reason) }).nullable(),
    }),
  ])
  .transform(({ target, author, timestamp: at, ...body }): NewStatement<Note> => {
    return { kind: "triage_note", subject: target, author, actor: null, at, body };
  });

const tagLabel = (most: number) =>
  lineSchema.pipe(z.string().min(1, "It is empty.").max(most, limit(most)).superRefine(refuseHidden));

/** A tag from another tool. Only Assay's exports include ids and a schema. */
const tagSchema = z.object({
  schema: z.literal(LINE_SCHEMAS.tag).optional(),
  trial: filled(name),
  trialId: name.nullish(),
  job: name.nullish(),
  jobUuid: name.nullish(),
  category: tagLabel(TAG_LIMITS.category),
  description: text(TAG_LIMITS.description).nullish(),
  source: tagLabel(TAG_LIMITS.source),
  evidence: z
    .unknown()
    .optional()
    .transform((given): unknown => (typeof given === "string" ? [given] : (given ?? [])))
    .pipe(tagEvidenceSchema),
});

const position = z
  .int()
  .min(0)
  .max(MOST_ITEMS - 1);
const creator = z.union([z.literal(""), person]);

const queueSchema = z.object({
  queueId: id,
  settings: settingsSchema,
  createdAt: time,
  createdBy: creator,
  nTrials: z.int().min(1).max(MOST_ITEMS),
  events: z.array(
    z.object({
      position: position.nullable(),
      kind: z.enum(QUEUE_EVENTS),
      reviewer_id: creator,
      timestamp: time,
    }),
  ),
});

const queueTrialSchema = z
  .object({ queueId: id, position, nReviewers: z.union([z.literal(1), z.literal(2)]), ...subject })
  .transform(({ queueId, position: at, nReviewers, ...trial }) => {
    return { queueId, position: at, nReviewers, subject: trial };
  });

const SCHEMAS = {
  judgment: judgmentSchema,
  decision: decisionSchema,
  tag: bare(tagSchema),
  answer: bare(answerSchema),
  note: bare(noteSchema),
  queue: bare(queueSchema),
  "queue-trial": bare(queueTrialSchema),
};

export type LineKind = keyof typeof SCHEMAS;

export type ReadLine = {
  readonly [Kind in LineKind]: { readonly kind: Kind } & Readonly<z.output<(typeof SCHEMAS)[Kind]>>;
}[LineKind];

type ParsedLine =
  | ReadLine
  | { readonly kind: "unreadable" }
  | { readonly kind: "damaged" }
  | { readonly kind: "problem"; readonly problem: string };

const KINDS = Object.entries(LINE_SCHEMAS) as [keyof typeof LINE_SCHEMAS, string][]; // Keys of the object itself.

/** Parses one line. Never throws: returns a message that names the field. */
export function parseLine(given: string): ParsedLine {
  const value = parseJson(given);
  if (value === undefined)
    return refuse("It is not JSON. If the line ends early, the file was cut off: export it again.");
  const fields = typeof value === "object" && value !== null ? value : {};
  const schema = "schema" in fields ? fields.schema : undefined;
  const kind = findKind(fields, schema);
  if (kind === "unreadable" || kind === "damaged") return { kind };
  if (kind !== undefined) {
    const parsed = check<object>(SCHEMAS[kind], readFields(fields));
    if (parsed.success) return { kind, ...parsed.data } as ReadLine; // Parsed by the schema of the kind.
    const { field, message } = readFirstIssue(parsed.error);
    return refuse(field === "" ? message : `${field.replace(/^\w+/, nameField)}: ${message}`);
  }
  return refuse(
    typeof schema === "string"
      ? `Its schema is ${JSON.stringify(schema.slice(0, 100))}, which this version does not import.`
      : `It has no schema. Import what "assay annotations export" wrote, or tags: lines with trial, category, description, source and evidence.`,
  );
}

/** Other tools write no schema. */
function findKind(fields: object, schema: unknown) {
  if (schema === undefined) return "trial" in fields || "category" in fields ? "tag" : undefined;
  return KINDS.find(([, known]) => known === schema)?.[0];
}

/** Returns the fields under their names in statements. */
function readFields(fields: object): Readonly<Record<string, unknown>> {
  const known = [...Object.keys(trialSchema.shape), "rootLabel"].map((own) => [nameField(own), own]);
  const names = new Map(known as [string, string][]);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]: [string, unknown]) => {
      const own = names.get(key) ?? key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return nameField(own) === key ? [[own, value]] : [];
    }),
  );
}

function refuse(problem: string): ParsedLine {
  return { kind: "problem", problem };
}
