import { createHash } from "node:crypto";

import { computeReviewerKey } from "@/lib/core/domain/annotation";

import type { AnnotationEvent } from "../record";
import { readLineSubject } from "./line-fields";
import type { JudgmentFields } from "./parse-line";

export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

export interface JudgmentLine extends LinePlace {
  readonly order: number;
  readonly fields: JudgmentFields;
  readonly event: AnnotationEvent;
  readonly withdrawal: AnnotationEvent | null;
}

export function toJudgmentLine(place: LinePlace, order: number, fields: JudgmentFields): JudgmentLine {
  const event = toSavedEvent(fields);
  const withdrawal = fields.withdrawn_at === null ? null : toWithdrawal(event, fields, fields.withdrawn_at);
  return { ...place, order, fields, event, withdrawal };
}

function toSavedEvent(fields: JudgmentFields): AnnotationEvent {
  return {
    versionId: fields.version_id,
    withdraws: null,
    subject: readLineSubject(fields),
    reviewerKey: computeReviewerKey(fields.reviewer_id),
    reviewerId: fields.reviewer_id,
    reviewerDiscipline: fields.reviewer_discipline,
    timestamp: fields.timestamp,
    judgment: fields.judgment,
    categories: fields.categories,
    notes: fields.notes,
    confidence: fields.confidence,
    evidence: fields.evidence,
    queue:
      fields.queue_id === null || fields.queue_position === null
        ? null
        : { queueId: fields.queue_id, position: fields.queue_position },
    hidden: fields.hidden,
    codebookVersion: fields.codebook_version,
    fingerprint: fields.fingerprint,
    savedBy: fields.saved_by,
    browserKeyHash: null,
  };
}

function toWithdrawal(event: AnnotationEvent, fields: JudgmentFields, timestamp: string): AnnotationEvent {
  return {
    ...event,
    versionId: fields.withdrawal_id ?? deriveWithdrawalId(event.versionId),
    withdraws: event.versionId,
    timestamp,
    judgment: null,
    categories: [],
    notes: null,
    confidence: null,
    evidence: [],
    hidden: null,
    codebookVersion: null,
    fingerprint: null,
    savedBy: fields.withdrawn_by,
  };
}

/** Derives a stable id, since earlier releases omit it and imports must be idempotent. */
export function deriveWithdrawalId(id: string): string {
  const hash = createHash("sha256").update(`withdrawal of ${id}`).digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
