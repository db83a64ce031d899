import type { Annotation } from "@/lib/core/domain/annotation";

import { type ExportColumn, type ExportTable, integer, text, time } from "./table";

export interface ExportedJudgment {
  readonly annotation: Annotation;
  /** Id of the event that withdrew it; null unless it is withdrawn. */
  readonly withdrawalId: string | null;
  /** In the order of the categories; null for a label that no codebook had. */
  readonly categoryIds: readonly (string | null)[];
}

type Column = ExportColumn<ExportedJudgment>;

const list = (name: string, description: string, read: (row: ExportedJudgment) => object | null): Column =>
  text(name, `${description}, as JSON`, (row) => {
    const value = read(row);
    return value === null ? null : JSON.stringify(value);
  });

const at = (iso: string | null) =>
  iso === null ? null : { text: iso, epochMs: Date.parse(iso), zoned: true };

const COLUMNS: readonly Column[] = [
  text("version_id", "UUID of the save", ({ annotation }) => annotation.versionId),
  integer(
    "version",
    null,
    "Number that grows per reviewer and trial",
    ({ annotation }) => annotation.version,
  ),
  text("status", "current, superseded or withdrawn", ({ annotation }) => annotation.status),
  time("withdrawn_at", "When it was undone", ({ annotation }) => at(annotation.withdrawnAt)),
  text("trial_id", "UUID of the trial", ({ annotation }) => annotation.subject.trialId),
  text("job_id", "UUID of the job", ({ annotation }) => annotation.subject.jobUuid),
  text("trial_name", "Name of the trial", ({ annotation }) => annotation.subject.trialName),
  text("job_name", "Name of the job", ({ annotation }) => annotation.subject.jobName),
  text("root", "Label of the opened folder", ({ annotation }) => annotation.subject.rootLabel),
  text("task_name", "Name of the task", ({ annotation }) => annotation.subject.taskName),
  text("agent", "Agent", ({ annotation }) => annotation.subject.agent),
  text("model", "Model", ({ annotation }) => annotation.subject.model),
  text(
    "outcome_seen",
    "Outcome that the reviewer was shown",
    ({ annotation }) => annotation.subject.outcomeSeen,
  ),
  text(
    "reward_seen",
    "Reward that the reviewer was shown",
    ({ annotation }) => annotation.subject.rewardSeen,
  ),
  text("reviewer_id", "Name of the reviewer as typed", ({ annotation }) => annotation.reviewerId),
  text("reviewer_discipline", "Discipline", ({ annotation }) => annotation.reviewerDiscipline),
  time("timestamp", "When it was saved", ({ annotation }) => at(annotation.timestamp)),
  text("judgment", "pass, fail or defer", ({ annotation }) => annotation.judgment),
  list("categories", "Labels of the categories", ({ annotation }) => annotation.categories),
  list("category_ids", "Ids of the categories", ({ categoryIds }) => categoryIds),
  text("notes", "Note", ({ annotation }) => annotation.notes),
  text("confidence", "low, medium or high", ({ annotation }) => annotation.confidence),
  list("evidence", "Places in the trial", ({ annotation }) => annotation.evidence),
  text("queue_id", "Queue that it was saved for", ({ annotation }) => annotation.queue?.queueId ?? null),
  integer(
    "queue_position",
    null,
    "Place of the trial in the queue, from 0",
    ({ annotation }) => annotation.queue?.position ?? null,
  ),
  list("hidden", "What the page hid until it was saved", ({ annotation }) => annotation.hidden),
  integer(
    "codebook_version",
    null,
    "Version of the codebook that the categories are of",
    ({ annotation }) => annotation.codebookVersion,
  ),
  text("fingerprint", "What the files of the trial held", ({ annotation }) => annotation.fingerprint),
  text(
    "saved_by",
    "admin where one saved it in the reviewer's name, import by NAME where an account imported it",
    ({ annotation }) => annotation.savedBy,
  ),
  text(
    "withdrawn_by",
    "admin where one undid it in the reviewer's name, import by NAME where an account imported that",
    ({ annotation }) => annotation.withdrawnBy,
  ),
  text("withdrawal_id", "UUID of the event that undid it", ({ withdrawalId }) => withdrawalId),
];

/** One judgment per row. The JSON Lines of `lib/people/annotations` have the same fields. */
export const JUDGMENT_TABLE: ExportTable<ExportedJudgment> = {
  schema: "assay.judgments/1",
  list: "judgments",
  columns: COLUMNS,
  prepareJson: ({ annotation }) => annotation,
};
