import type { Annotation, AnnotationSubject } from "@/lib/core/domain/annotation";
import { type ExportedJudgment, JUDGMENT_FIELDS } from "@/lib/core/fields/judgments.fields";

import type { Decision } from "../decisions/decisions";

export interface ExportOptions {
  readonly history?: boolean;
  readonly queue?: string | null;
  readonly job?: string | null;
  readonly reviewer?: string | null;
}

export interface JudgmentRow extends ExportedJudgment {
  readonly reviewerKey: string;
}

export interface DecisionRow {
  readonly decision: Decision;
  readonly deciderKey: string;
  readonly status: Annotation["status"];
  readonly withdrawal: { readonly id: string; readonly timestamp: string } | null;
  readonly categoryIds: readonly (string | null)[];
}

/** Fields are only added within a version; a change of meaning needs a new one. */
export const LINE_SCHEMAS = {
  judgment: "assay.annotation/1",
  decision: "assay.adjudication/1",
  tag: "assay.tag/1",
  answer: "assay.suggestion-answer/1",
  note: "assay.triage-note/1",
  queue: "assay.queue/1",
  "queue-trial": "assay.queue-trial/1",
  unreadable: "assay.annotation-unreadable/1",
  damaged: "assay.annotations-damaged/1",
} as const;

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
  return { schema: LINE_SCHEMAS.judgment, ...Object.fromEntries<unknown>(values) };
}

export function prepareDecisionLine(row: DecisionRow): Readonly<Record<string, unknown>> {
  const { decision, status, withdrawal, categoryIds } = row;
  return {
    schema: LINE_SCHEMAS.decision,
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
