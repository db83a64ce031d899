import type { Annotation } from "@/lib/core/domain/annotation";
import { type Fields, makeFields } from "@/lib/core/fields/field";

import { type ExportTable, toColumns } from "./table";

export interface ExportedJudgment {
  readonly annotation: Annotation;
  /** Id of the event that withdrew it; null unless it is withdrawn. */
  readonly withdrawalId: string | null;
  /** In the order of the categories; null for a label that no codebook had. */
  readonly categoryIds: readonly (string | null)[];
}

const { text, time, integer } = makeFields<ExportedJudgment>();

const list = (description: string, read: (row: ExportedJudgment) => object | null) =>
  text(`${description}, as JSON`, (row) => {
    const value = read(row);
    return value === null ? null : JSON.stringify(value);
  });

const at = (iso: string | null) =>
  iso === null ? null : { text: iso, epochMs: Date.parse(iso), zoned: true };

const JUDGMENT_FIELDS = {
  version_id: text("UUID of the save", ({ annotation }) => annotation.versionId),
  version: integer(null, "Number that grows per reviewer and trial", ({ annotation }) => annotation.version),
  status: text("current, superseded or withdrawn", ({ annotation }) => annotation.status),
  withdrawn_at: time("When it was undone", ({ annotation }) => at(annotation.withdrawnAt)),
  trial_id: text("UUID of the trial", ({ annotation }) => annotation.subject.trialId),
  job_id: text("UUID of the job", ({ annotation }) => annotation.subject.jobUuid),
  trial_name: text("Name of the trial", ({ annotation }) => annotation.subject.trialName),
  job_name: text("Name of the job", ({ annotation }) => annotation.subject.jobName),
  root: text("Label of the opened folder", ({ annotation }) => annotation.subject.rootLabel),
  task_name: text("Name of the task", ({ annotation }) => annotation.subject.taskName),
  agent: text("Agent", ({ annotation }) => annotation.subject.agent),
  model: text("Model", ({ annotation }) => annotation.subject.model),
  outcome_seen: text(
    "Outcome that the reviewer was shown",
    ({ annotation }) => annotation.subject.outcomeSeen,
  ),
  reward_seen: text("Reward that the reviewer was shown", ({ annotation }) => annotation.subject.rewardSeen),
  reviewer_id: text("Name of the reviewer as typed", ({ annotation }) => annotation.reviewerId),
  reviewer_discipline: text("Discipline", ({ annotation }) => annotation.reviewerDiscipline),
  timestamp: time("When it was saved", ({ annotation }) => at(annotation.timestamp)),
  judgment: text("pass, fail or defer", ({ annotation }) => annotation.judgment),
  categories: list("Labels of the categories", ({ annotation }) => annotation.categories),
  category_ids: list("Ids of the categories", ({ categoryIds }) => categoryIds),
  notes: text("Note", ({ annotation }) => annotation.notes),
  confidence: text("low, medium or high", ({ annotation }) => annotation.confidence),
  evidence: list("Places in the trial", ({ annotation }) => annotation.evidence),
  queue_id: text("Queue that it was saved for", ({ annotation }) => annotation.queue?.queueId ?? null),
  queue_position: integer(
    null,
    "Place of the trial in the queue, from 0",
    ({ annotation }) => annotation.queue?.position ?? null,
  ),
  hidden: list("What the page hid until it was saved", ({ annotation }) => annotation.hidden),
  codebook_version: integer(
    null,
    "Version of the codebook that the categories are of",
    ({ annotation }) => annotation.codebookVersion,
  ),
  fingerprint: text("What the files of the trial held", ({ annotation }) => annotation.fingerprint),
  saved_by: text(
    "admin where one saved it in the reviewer's name, import by NAME where an account imported it",
    ({ annotation }) => annotation.savedBy,
  ),
  withdrawn_by: text(
    "admin where one undid it in the reviewer's name, import by NAME where an account imported that",
    ({ annotation }) => annotation.withdrawnBy,
  ),
  withdrawal_id: text("UUID of the event that undid it", ({ withdrawalId }) => withdrawalId),
} satisfies Fields<ExportedJudgment>;

/** One judgment per row. The JSON Lines of `lib/people/annotations` have the same fields. */
export const JUDGMENT_TABLE: ExportTable<ExportedJudgment> = {
  schema: "assay.judgments/1",
  list: "judgments",
  columns: toColumns(JUDGMENT_FIELDS),
  prepareJson: ({ annotation }) => annotation,
};
