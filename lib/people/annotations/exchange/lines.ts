import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { JUDGMENT_FIELDS } from "@/lib/core/fields/judgments.fields";

import type { UnreadableRow } from "../unreadable-row";
import type { DecisionRow, JudgmentRow } from "./rows";

/** Fields are only added within a version; a change of meaning needs a new one. */
export const ANNOTATION_LINE_SCHEMA = "assay.annotation/1";

export const DECISION_LINE_SCHEMA = "assay.adjudication/1";

export const TAG_LINE_SCHEMA = "assay.tag/1";

export const ANSWER_LINE_SCHEMA = "assay.suggestion-answer/1";

export const NOTE_LINE_SCHEMA = "assay.triage-note/1";

export const QUEUE_LINE_SCHEMA = "assay.queue/1";
export const QUEUE_TRIAL_LINE_SCHEMA = "assay.queue-trial/1";

export const UNREADABLE_LINE_SCHEMA = "assay.annotation-unreadable/1";

export const DAMAGED_LINE_SCHEMA = "assay.annotations-damaged/1";

export function formatLine(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`;
}

/** Lines have these behind the categories, as the releases that added them wrote them. */
const MOVED = ["notes", "saved_by", "withdrawn_by", "category_ids"] as const;

const LINE_FIELDS = Object.entries(JUDGMENT_FIELDS)
  .filter(([name]) => MOVED.every((one) => one !== name))
  .flatMap(([name, field]) => [
    [name, field] as const,
    ...(name === "categories" ? MOVED.map((one) => [one, JUDGMENT_FIELDS[one]] as const) : []),
  ]);

export function prepareJudgmentLine(row: JudgmentRow): Readonly<Record<string, unknown>> {
  const values = LINE_FIELDS.map(([name, field]): readonly [string, unknown] => [
    name,
    field.type === "timestamp" ? (field.read(row)?.text ?? null) : field.read(row),
  ]);
  return { schema: ANNOTATION_LINE_SCHEMA, ...Object.fromEntries<unknown>(values) };
}

export function prepareDecisionLine(row: DecisionRow): Readonly<Record<string, unknown>> {
  const { decision, status, withdrawal, categoryIds } = row;
  return {
    schema: DECISION_LINE_SCHEMA,
    decision_id: decision.decisionId,
    status,
    withdrawn_at: withdrawal?.timestamp ?? null,
    withdrawal_id: withdrawal?.id ?? null,
    ...prepareSubject(decision.subject),
    final_judgment: decision.finalJudgment,
    categories: decision.categories,
    category_ids: categoryIds,
    reason: decision.reason,
    based_on: decision.basedOn,
    codebook_note: decision.codebookNote,
    decided_by: decision.decidedBy,
    timestamp: decision.decidedAt,
    sources: decision.sources,
    queue_id: decision.queueId,
    codebook_version: decision.codebookVersion,
  };
}

export function prepareUnreadableLine({
  seq,
  problem,
  columns,
}: UnreadableRow): Readonly<Record<string, unknown>> {
  return { schema: UNREADABLE_LINE_SCHEMA, row: seq, problem, columns };
}

export function prepareSubject(subject: AnnotationSubject) {
  return {
    trial_id: subject.trialId,
    job_id: subject.jobUuid,
    trial_name: subject.trialName,
    job_name: subject.jobName,
    root: subject.rootLabel,
    task_name: subject.taskName,
    agent: subject.agent,
    model: subject.model,
    outcome_seen: subject.outcomeSeen,
    reward_seen: subject.rewardSeen,
  };
}
