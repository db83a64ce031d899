import type { Generated, Kysely } from "kysely";
import { z } from "zod";

import {
  type AnnotationSubject,
  isSameTrial,
  type QueuePlace,
  type SavedBy,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, type BlindPart, CONFIDENCES, type EvidenceAnchor } from "@/lib/core/domain/review";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import { describeDamaged, isIntact } from "./checksum";
import { evidenceSchema } from "./evidence-schema";
import { check } from "./issues";
import { RECORD_SCHEMA_VERSION } from "./migrations";
import { describeWrongColumn, timeColumn } from "./stored-columns";
import type {
  CodebookTable,
  LeaseTable,
  QueueEventTable,
  QueueItemTable,
  QueueTable,
  StatementRow,
} from "./tables";
import type { UnreadableRow } from "./unreadable-row";

const NO_TEXTS = "not a list of strings";

export const SAVED_BY = z.custom<SavedBy>(
  (value) => value === "admin" || (typeof value === "string" && /^import by [^\0]{1,200}$/u.test(value)),
  'Neither "admin" nor "import by" and a name.',
);

/** A row of the event table, which is append-only. A withdrawal has no judgment and names its save. */
const rowSchema = z.object({
  seq: z.number(),
  version_id: z.string(),
  kind: z.enum(["saved", "withdrawn"]),
  withdraws: z.string().nullable(),
  trial_id: z.string().nullable(),
  job_id: z.string().nullable(),
  trial_name: z.string(),
  job_name: z.string(),
  root_label: z.string(),
  task_name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  outcome_seen: z.enum(OUTCOMES).catch("unscored"),
  reward_seen: z.string().nullable(),
  reviewer_key: z.string(),
  reviewer_id: z.string(),
  reviewer_discipline: z.string().nullable(),
  /** UTC, ISO 8601. */
  created_at: timeColumn,
  judgment: z.enum(JUDGMENTS).nullable(),
  categories: z
    .string()
    .transform(parseJson)
    .pipe(z.array(z.string(NO_TEXTS), NO_TEXTS)),
  notes: z.string().nullable(),
  schema_version: z.number().max(RECORD_SCHEMA_VERSION, "of a newer Assay"),
  /** Person who acted for the reviewer; null for the reviewer. Absent in damaged files of earlier releases. */
  saved_by: SAVED_BY.nullable().default(null),
  confidence: z.enum(CONFIDENCES).nullable().default(null),
  evidence: z.string().default("[]").transform(parseJson).pipe(evidenceSchema),
  queue_id: z.string().nullable().default(null),
  queue_position: z.number().nullable().default(null),
  hidden: z
    .string()
    .nullable()
    .default(null)
    .transform((text) => (text === null ? null : parseJson(text)))
    .pipe(z.array(z.enum(BLIND_PARTS)).nullable()),
  codebook_version: z.number().nullable().default(null),
  fingerprint: z.string().nullable().default(null),
});

type Row = {
  readonly [Name in keyof z.input<typeof rowSchema>]-?: Exclude<z.input<typeof rowSchema>[Name], undefined>;
};

export interface AnnotationTables {
  annotation_version: Omit<Row, "seq"> & {
    seq: Generated<number>;
    /** See `hashBrowserKey`. Used only for authorization, never shown or exported. */
    browser_key_hash: string | null;
  };
  codebook_change: CodebookTable;
  review_queue: QueueTable;
  review_queue_item: QueueItemTable;
  review_queue_event: QueueEventTable;
  review_lease: LeaseTable;
  statement: StatementRow;
}

export type AnnotationDb = Kysely<AnnotationTables>;

const eventSchema = rowSchema.refine(
  ({ kind, judgment, withdraws }) =>
    (kind === "saved") === (judgment !== null) && (kind === "withdrawn") === (withdraws !== null),
  "neither a save nor a withdrawal",
);

export type AnnotationEvent = Readonly<ReturnType<typeof toEvent>>;

export interface Claim {
  /** New owner of the chain; null keeps the current owner. */
  readonly browserKeyHash: string | null;
  readonly savedBy: SavedBy | null;
}

export const COLUMNS = rowSchema.keyof().options;

export interface StoredRows {
  readonly events: readonly AnnotationEvent[];
  readonly unreadable: readonly UnreadableRow[];
}

const NO_ROWS: StoredRows = { events: [], unreadable: [] };

export async function selectRowsBetween(
  db: AnnotationDb,
  after: number | null,
  last: number | null,
): Promise<StoredRows> {
  if (last === null) return NO_ROWS;
  const rows = await db
    .selectFrom("annotation_version")
    .select(COLUMNS)
    .where("seq", ">", after ?? 0)
    .where("seq", "<=", last)
    .orderBy("seq")
    .execute();
  return readRows(rows);
}

/** Includes ids of other trials and of unreadable rows. */
export async function isIdTaken(db: AnnotationDb, versionId: string): Promise<boolean> {
  const row = await db
    .selectFrom("annotation_version")
    .select("seq")
    .where("version_id", "=", versionId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectTrialEvents(db: AnnotationDb, trial: TrialIdentity): Promise<AnnotationEvent[]> {
  const identity = toStoredIdentity(trial);
  const rows = await db
    .selectFrom("annotation_version")
    .select(COLUMNS)
    .where("trial_name", "=", identity.trialName)
    .orderBy("seq")
    .execute();
  return readRows(rows).events.filter((event) => isSameTrial(event.subject, identity));
}

const toNullableText = (text: string | null): string | null => (text === null ? null : toColumnText(text));

/** Normalizes ids and names for storage: results come from other programs and may contain any text. */
function toStoredIdentity(trial: TrialIdentity): TrialIdentity {
  return {
    trialId: toNullableText(trial.trialId),
    jobUuid: toNullableText(trial.jobUuid),
    trialName: toColumnText(trial.trialName),
    jobName: toColumnText(trial.jobName),
  };
}

export function toStoredSubject(subject: AnnotationSubject): AnnotationSubject {
  return {
    ...toStoredIdentity(subject),
    rootLabel: toColumnText(subject.rootLabel),
    taskName: toColumnText(subject.taskName),
    agent: toColumnText(subject.agent),
    model: toNullableText(subject.model),
    outcomeSeen: subject.outcomeSeen,
    rewardSeen: toNullableText(subject.rewardSeen),
  };
}

export function toSubjectColumns(subject: AnnotationSubject) {
  const stored = toStoredSubject(subject);
  return {
    trial_id: stored.trialId,
    job_id: stored.jobUuid,
    trial_name: stored.trialName,
    job_name: stored.jobName,
    root_label: stored.rootLabel,
    task_name: stored.taskName,
    agent: stored.agent,
    model: stored.model,
    outcome_seen: stored.outcomeSeen,
    reward_seen: stored.rewardSeen,
  };
}

export function readRows(rows: readonly Readonly<Record<string, unknown>>[]): StoredRows {
  const events: AnnotationEvent[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    const parsed = check(eventSchema, row);
    if (!isIntact("annotation_version", row)) unreadable.push(describeDamaged("annotation_version", row));
    else if (parsed.success) events.push(toEvent(parsed.data));
    else
      unreadable.push({ seq: Number(row["seq"]), problem: describeWrongColumn(parsed.error), columns: row });
  }
  return { events, unreadable };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readQueuePlace({
  queue_id: queueId,
  queue_position: position,
}: Pick<z.output<typeof rowSchema>, "queue_id" | "queue_position">): QueuePlace | null {
  return queueId === null || position === null ? null : { queueId, position };
}

function toEvent(columns: z.output<typeof rowSchema>) {
  const categories: readonly string[] = columns.categories;
  const evidence: readonly EvidenceAnchor[] = columns.evidence;
  const hidden: readonly BlindPart[] | null = columns.hidden;
  return {
    versionId: columns.version_id,
    withdraws: columns.withdraws,
    subject: {
      trialId: columns.trial_id,
      jobUuid: columns.job_id,
      trialName: columns.trial_name,
      jobName: columns.job_name,
      rootLabel: columns.root_label,
      taskName: columns.task_name,
      agent: columns.agent,
      model: columns.model,
      outcomeSeen: columns.outcome_seen,
      rewardSeen: columns.reward_seen,
    } satisfies AnnotationSubject,
    reviewerKey: columns.reviewer_key,
    reviewerId: columns.reviewer_id,
    reviewerDiscipline: columns.reviewer_discipline,
    timestamp: columns.created_at,
    judgment: columns.judgment,
    categories,
    notes: columns.notes,
    confidence: columns.confidence,
    evidence,
    queue: readQueuePlace(columns),
    hidden,
    codebookVersion: columns.codebook_version,
    fingerprint: columns.fingerprint,
    schemaVersion: columns.schema_version,
    savedBy: columns.saved_by,
  };
}
