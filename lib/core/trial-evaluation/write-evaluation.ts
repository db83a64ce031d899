import type { JobRecord } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";

import type { AnnotationProvenance, TrialEvaluation } from "./types";

/** Name and version of a line's shape. A version only gains fields; a changed meaning makes a new version. */
const EVALUATION_SCHEMA = "assay.evaluation/2";

export interface EvaluatedTrial {
  readonly job: Pick<JobRecord, "key" | "name" | "uuid">;
  readonly root: string | null;
  readonly trial: Trial;
  readonly result: TrialEvaluation;
}

function prepareEvaluation({ job, root, trial, result }: EvaluatedTrial) {
  const { evaluation, partial, unknown, provenance, adjudication, issues } = result;
  return {
    schema: EVALUATION_SCHEMA,
    job_key: job.key,
    job_name: job.name,
    job_id: job.uuid,
    root,
    folder: trial.folder === "" ? null : trial.folder,
    trial_key: trial.key,
    trial_name: trial.trialName,
    trial_id: trial.id,
    task_name: trial.taskName,
    task_digest: trial.taskDigest,
    agent: trial.agent,
    model: trial.model,
    attempt: trial.attempt,
    state: trial.state,
    outcome: trial.outcome,
    evaluation,
    partial_evaluation: partial,
    unknown,
    provenance: { ...provenance, annotations: provenance.annotations.map(prepareAnnotationProvenance) },
    adjudication: prepareAdjudication(adjudication),
    issues,
  };
}

/** Uses the field names of the contract's adjudication records. */
function prepareAdjudication(adjudication: TrialEvaluation["adjudication"]) {
  if (adjudication === null) return null;
  const { status, decision } = adjudication;
  return {
    decision_id: decision.decisionId,
    status,
    final_judgment: decision.finalJudgment,
    categories: decision.categories,
    decided_by: decision.decidedBy,
    timestamp: decision.decidedAt,
    rationale: decision.reason,
    source_annotation_ids: decision.sources,
  };
}

function prepareAnnotationProvenance({ from, rule, versionId, savedBy }: AnnotationProvenance) {
  return { from, rule, version_id: versionId, saved_by: savedBy };
}

/** Writes one line of JSON, ended by `\n`. Infinity and NaN in a breakdown become null, as in pydantic. */
export function writeEvaluationLine(evaluated: EvaluatedTrial): string {
  return `${JSON.stringify(prepareEvaluation(evaluated))}\n`;
}

export function writeEvaluation(evaluated: EvaluatedTrial): string {
  return `${JSON.stringify(prepareEvaluation(evaluated), null, 2)}\n`;
}
