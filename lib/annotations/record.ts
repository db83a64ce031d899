import type BetterSqlite3 from "better-sqlite3";
import { z } from "zod";

import { isSameTrial, JUDGMENTS } from "@/lib/domain/annotation";
import type { AnnotationSubject, Judgment, TrialIdentity } from "@/lib/domain/annotation";
import { OUTCOMES } from "@/lib/domain/trial";

import { RECORD_SCHEMA_VERSION } from "./migrations";

/** What every stored event has in common, as the table's columns give it. */
const rowSchema = z.object({
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
  created_at: z.string(),
  judgment: z.enum(JUDGMENTS).nullable(),
  categories: z.string(),
  notes: z.string().nullable(),
  schema_version: z.number(),
});

const categoriesSchema = z.array(z.string());

/** One stored event: a save, or a withdrawal of the save that `withdraws` names. */
export interface AnnotationEvent {
  readonly versionId: string;
  readonly withdraws: string | null;
  readonly subject: AnnotationSubject;
  readonly reviewerKey: string;
  readonly reviewerId: string;
  readonly reviewerDiscipline: string | null;
  readonly timestamp: string;
  /** Null for a withdrawal. */
  readonly judgment: Judgment | null;
  readonly categories: readonly string[];
  readonly notes: string | null;
  readonly schemaVersion: number;
}

const COLUMNS = Object.keys(rowSchema.shape).join(", ");
const PLACES = Object.keys(rowSchema.shape)
  .map((column) => `@${column}`)
  .join(", ");

/** Adds one event at the end. The only statement of this folder that writes. */
export function insertEvent(db: BetterSqlite3.Database, event: Omit<AnnotationEvent, "schemaVersion">): void {
  const { subject } = event;
  const row: z.input<typeof rowSchema> = {
    version_id: event.versionId,
    kind: event.withdraws === null ? "saved" : "withdrawn",
    withdraws: event.withdraws,
    trial_id: subject.trialId,
    job_id: subject.jobId,
    trial_name: subject.trialName,
    job_name: subject.jobName,
    root_label: subject.rootLabel,
    task_name: subject.taskName,
    agent: subject.agent,
    model: subject.model,
    outcome_seen: subject.outcomeSeen,
    reward_seen: subject.rewardSeen,
    reviewer_key: event.reviewerKey,
    reviewer_id: event.reviewerId,
    reviewer_discipline: event.reviewerDiscipline,
    created_at: event.timestamp,
    judgment: event.judgment,
    categories: JSON.stringify(event.categories),
    notes: event.notes,
    schema_version: RECORD_SCHEMA_VERSION,
  };
  db.prepare(`INSERT INTO annotation_version (${COLUMNS}) VALUES (${PLACES})`).run(row);
}

/** Every event in the order it was stored. */
export function selectAllEvents(db: BetterSqlite3.Database): AnnotationEvent[] {
  return db.prepare(`SELECT ${COLUMNS} FROM annotation_version ORDER BY seq`).all().map(parseRow);
}

/** Events whose trial has one of these names, in the order they were stored; other trials of that name included. */
export function selectEventsByName(
  db: BetterSqlite3.Database,
  trialNames: readonly string[],
): AnnotationEvent[] {
  return db
    .prepare(
      `SELECT ${COLUMNS} FROM annotation_version
       WHERE trial_name IN (SELECT value FROM json_each(?)) ORDER BY seq`,
    )
    .all(JSON.stringify(trialNames))
    .map(parseRow);
}

/** Events of exactly this trial, in the order they were stored. */
export function selectTrialEvents(db: BetterSqlite3.Database, trial: TrialIdentity): AnnotationEvent[] {
  return selectEventsByName(db, [trial.trialName]).filter((event) => isSameTrial(event.subject, trial));
}

function parseRow(row: unknown): AnnotationEvent {
  const columns = rowSchema.parse(row);
  return {
    versionId: columns.version_id,
    withdraws: columns.withdraws,
    subject: {
      trialId: columns.trial_id,
      jobId: columns.job_id,
      trialName: columns.trial_name,
      jobName: columns.job_name,
      rootLabel: columns.root_label,
      taskName: columns.task_name,
      agent: columns.agent,
      model: columns.model,
      outcomeSeen: columns.outcome_seen,
      rewardSeen: columns.reward_seen,
    },
    reviewerKey: columns.reviewer_key,
    reviewerId: columns.reviewer_id,
    reviewerDiscipline: columns.reviewer_discipline,
    timestamp: columns.created_at,
    judgment: columns.judgment,
    categories: categoriesSchema.parse(JSON.parse(columns.categories)),
    notes: columns.notes,
    schemaVersion: columns.schema_version,
  };
}
