import type { Annotation } from "../domain/annotation";
import { readInstant } from "../domain/clock-time";
import { type Fields, type ListColumn, makeFields } from "./field";

export interface ExportedJudgment {
  readonly annotation: Annotation;
  /** Id of the event that withdrew it; null unless it is withdrawn. */
  readonly withdrawalId: string | null;
  /** After merges, in the order of the categories; null for a label that no codebook had. */
  readonly categoryIds: readonly (string | null)[];
}

const { text, time, integer, object } = makeFields<ExportedJudgment>();

const list = (description: string, read: (row: ExportedJudgment) => object | null) =>
  object(`${description}, as JSON`, read);

/** Fields of `assay.judgments/1`, one row a judgment, in the order of its files. Its JSON Lines have the same ones. */
export const JUDGMENT_FIELDS = {
  version_id: text("UUID of the save", ({ annotation }) => annotation.versionId),
  version: integer(null, "Number that grows per reviewer and trial", ({ annotation }) => annotation.version),
  status: text("current, superseded or withdrawn", ({ annotation }) => annotation.status),
  withdrawn_at: time("When it was undone", ({ annotation }) =>
    annotation.withdrawnAt === null ? null : readInstant(annotation.withdrawnAt),
  ),
  trial_id: text("UUID of the trial", ({ annotation }) => annotation.subject.trialId),
  job_id: text("UUID of the job", ({ annotation }) => annotation.subject.jobUuid),
  trial_name: text("Name of the trial", ({ annotation }) => annotation.subject.trialName),
  job_name: text("Name of the job", ({ annotation }) => annotation.subject.jobName),
  root: text("Label of the opened folder", ({ annotation }) => annotation.subject.rootLabel),
  task_name: text("Name of the task", ({ annotation }) => annotation.subject.taskName),
  agent: text("Agent", ({ annotation }) => annotation.subject.agent),
  model: text("Model", ({ annotation }) => annotation.subject.model),
  outcome_seen: text("Outcome shown to the reviewer", ({ annotation }) => annotation.subject.outcomeSeen),
  reward_seen: text("Reward shown to the reviewer", ({ annotation }) => annotation.subject.rewardSeen),
  reviewer_id: text("Name of the reviewer as typed", ({ annotation }) => annotation.reviewerId),
  reviewer_discipline: text("Discipline", ({ annotation }) => annotation.reviewerDiscipline),
  timestamp: time("When it was saved", ({ annotation }) => readInstant(annotation.timestamp)),
  judgment: text("pass, fail or defer", ({ annotation }) => annotation.judgment),
  categories: list("Labels of the categories", ({ annotation }) => annotation.categories),
  category_ids: list("Ids of the categories", ({ categoryIds }) => categoryIds),
  notes: text("Note", ({ annotation }) => annotation.notes),
  confidence: text("low, medium or high", ({ annotation }) => annotation.confidence),
  // Names its fields, so that new ones are exported only on purpose.
  evidence: list("Places in the trial", ({ annotation }) =>
    annotation.evidence.map(({ kind, place, source, line, quote }) => ({ kind, place, source, line, quote })),
  ),
  queue_id: text("Queue that it was saved for", ({ annotation }) => annotation.queue?.queueId ?? null),
  queue_position: integer(
    null,
    "Place of the trial in the queue, from 0",
    ({ annotation }) => annotation.queue?.position ?? null,
  ),
  hidden: list("Fields that the page hid until it was saved", ({ annotation }) => annotation.hidden),
  codebook_version: integer(
    null,
    "Codebook version of the categories",
    ({ annotation }) => annotation.codebookVersion,
  ),
  fingerprint: text("Fingerprint of the trial's files", ({ annotation }) => annotation.fingerprint),
  saved_by: text(
    "admin if an admin saved it in the reviewer's name, import by NAME if an account imported it",
    ({ annotation }) => annotation.savedBy,
  ),
  withdrawn_by: text(
    "admin if an admin undid it in the reviewer's name, import by NAME if an account imported that",
    ({ annotation }) => annotation.withdrawnBy,
  ),
  withdrawal_id: text("UUID of the event that undid it", ({ withdrawalId }) => withdrawalId),
} satisfies Fields<ExportedJudgment>;

/** Columns of every list of judgments. */
export const JUDGMENT_COLUMNS = {
  task: { heading: "Task and job", className: "name", phone: "first", field: "task_name" },
  agent: { heading: "Agent and model", room: "minor", phone: "second", field: "agent" },
  verifier: { heading: "Verifier", phone: "labelled", field: "outcome_seen" },
  judgment: { heading: "Judgment", phone: "score", field: "judgment" },
  reason: {
    heading: "Categories and note",
    className: "annotation-reason",
    phone: "second",
    field: "categories",
  },
  reviewer: {
    heading: "Reviewer",
    className: "cut annotation-reviewer",
    phone: "second",
    field: "reviewer_id",
  },
} as const satisfies Readonly<Record<string, ListColumn & { readonly field: keyof typeof JUDGMENT_FIELDS }>>;
