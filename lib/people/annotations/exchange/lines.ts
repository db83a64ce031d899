import type { AnnotationSubject } from "@/lib/core/domain/annotation";

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

/** Lists evidence fields explicitly, so that new ones are exported only on purpose. */
export function prepareJudgmentLine(row: JudgmentRow): Readonly<Record<string, unknown>> {
  const { annotation: version } = row;
  return {
    schema: ANNOTATION_LINE_SCHEMA,
    version_id: version.versionId,
    version: version.version,
    status: version.status,
    withdrawn_at: version.withdrawnAt,
    ...prepareSubject(version.subject),
    reviewer_id: version.reviewerId,
    reviewer_discipline: version.reviewerDiscipline,
    timestamp: version.timestamp,
    judgment: version.judgment,
    categories: version.categories,
    notes: version.notes,
    saved_by: version.savedBy,
    withdrawn_by: version.withdrawnBy,
    category_ids: row.categoryIds,
    confidence: version.confidence,
    evidence: version.evidence.map(({ kind, place, source, line, quote }) => ({
      kind,
      place,
      source,
      line,
      quote,
    })),
    queue_id: version.queue?.queueId ?? null,
    queue_position: version.queue?.position ?? null,
    hidden: version.hidden,
    codebook_version: version.codebookVersion,
    fingerprint: version.fingerprint,
    withdrawal_id: row.withdrawalId,
  };
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
