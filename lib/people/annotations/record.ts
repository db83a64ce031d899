import { z } from "zod";

import {
  type AnnotationSubject,
  computeReviewerKey,
  isSameTrial,
  type SavedBy,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, CONFIDENCES } from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

import { evidenceSchema } from "./evidence-schema";
import { addStatements, createReader, type Kind, type Statement } from "./statements/statement";
import { subjectSchema, trialSchema } from "./stored-columns";
import type { AnnotationDb } from "./tables";

const NO_TEXTS = "not a list of strings";

export const SAVED_BY = z.custom<SavedBy>(
  (value) => value === "admin" || (typeof value === "string" && /^import by [^\0]{1,200}$/u.test(value)),
  'Neither "admin" nor "import by" and a name.',
);

const SCHEMA_VERSION = 1;

/** A withdrawal has no judgment, and the save that it withdraws as its parent. */
const bodySchema = z.object({
  trial: subjectSchema,
  reviewerDiscipline: z.string().nullable(),
  judgment: z.enum(JUDGMENTS).nullable(),
  categories: z.array(z.string(NO_TEXTS), NO_TEXTS).readonly(),
  notes: z.string().nullable(),
  confidence: z.enum(CONFIDENCES).nullable(),
  evidence: evidenceSchema.readonly(),
  queue: z.object({ queueId: z.string(), position: z.number() }).readonly().nullable(),
  hidden: z.array(z.enum(BLIND_PARTS)).readonly().nullable(),
  codebookVersion: z.number().nullable(),
  fingerprint: z.string().nullable(),
  /** Person who acted for the reviewer; null for the reviewer. */
  savedBy: SAVED_BY.nullable(),
  schemaVersion: z.literal(SCHEMA_VERSION, "of a newer Assay"),
});

type Body = z.output<typeof bodySchema>;

export interface AnnotationEvent extends Readonly<Omit<Body, "trial" | "schemaVersion">> {
  readonly versionId: string;
  readonly withdraws: string | null;
  readonly subject: AnnotationSubject;
  readonly reviewerKey: string;
  readonly reviewerId: string;
  /** UTC, ISO 8601. */
  readonly timestamp: string;
  /** See `hashBrowserKey`. Used only for authorization, never shown or exported. */
  readonly browserKeyHash: string | null;
}

export const WITHDRAWN = {
  judgment: null,
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
  hidden: null,
  codebookVersion: null,
  fingerprint: null,
} as const;

export const JUDGMENT: Kind<Body> = {
  name: "judgment",
  body: bodySchema,
  findContradiction: ({ parent, body }) =>
    (parent === null) === (body.judgment === null) ? "neither a save nor a withdrawal" : null,
};

const { select, ...reader } = createReader(
  JUDGMENT,
  { events: [] as readonly AnnotationEvent[] },
  ({ events }, added) => ({ events: [...events, ...added.map(toEvent)] }),
);

export const { read: readJudgments, fold: foldJudgments } = reader;

export function toEvent({ id, parent, author, actor, at, body }: Statement<Body>): AnnotationEvent {
  const { trial, schemaVersion: _, ...said } = body;
  return {
    ...said,
    versionId: id,
    withdraws: parent,
    subject: trial,
    reviewerKey: computeReviewerKey(author),
    reviewerId: author,
    timestamp: at,
    browserKeyHash: actor,
  };
}

export async function insertEvents(db: AnnotationDb, events: readonly AnnotationEvent[]): Promise<void> {
  const statements = events.map((event) => {
    const {
      versionId,
      withdraws,
      subject,
      reviewerKey: _,
      reviewerId,
      timestamp,
      browserKeyHash,
      ...said
    } = event;
    const trial = toStoredSubject(subject);
    return {
      kind: JUDGMENT.name,
      id: versionId,
      subject: trial.trialName,
      parent: withdraws,
      author: reviewerId,
      actor: browserKeyHash,
      at: timestamp,
      body: { ...said, trial, schemaVersion: SCHEMA_VERSION },
    };
  });
  await addStatements(db, statements);
}

/** Includes ids of other trials and of unreadable rows. */
export async function isIdTaken(db: AnnotationDb, versionId: string): Promise<boolean> {
  const row = await db
    .selectFrom("statement")
    .select("seq")
    .where("kind", "=", JUDGMENT.name)
    .where("id", "=", versionId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectTrialEvents(
  db: AnnotationDb,
  trial: TrialIdentity,
): Promise<readonly AnnotationEvent[]> {
  const identity = normalize<TrialIdentity>(trialSchema, trial);
  const events = (await select(db, identity.trialName)).map(toEvent);
  return events.filter((event) => isSameTrial(event.subject, identity));
}

export async function selectChain(
  db: AnnotationDb,
  trial: TrialIdentity,
  reviewer: string,
): Promise<readonly AnnotationEvent[]> {
  return (await selectTrialEvents(db, trial)).filter(({ reviewerKey }) => reviewerKey === reviewer);
}

/** Normalizes ids and names for storage: results come from other programs and may contain any text. */
function normalize<Subject extends TrialIdentity>(schema: z.ZodType<Subject>, subject: Subject): Subject {
  const values: [string, unknown][] = Object.entries(schema.parse(subject));
  const texts = values.map(([name, value]) => [
    name,
    typeof value === "string" ? toColumnText(value) : value,
  ]);
  return Object.fromEntries(texts) as Subject; // Same keys as the schema.
}

export function toStoredSubject(subject: AnnotationSubject): AnnotationSubject {
  return normalize<AnnotationSubject>(subjectSchema, subject);
}
