import { createHash } from "node:crypto";

import { formatLine, type JudgmentRow } from "./lines";

const SCORE_NAME = "assay.judgment";

/**
 * Returns a line for each current judgment of a trial with an id: a request body that creates a score in Langfuse
 * (`CreateScoreRequest`, https://js.reference.langfuse.com/interfaces/_langfuse_core.CreateScoreRequest.html). The trace id
 * is the trial's id, which Langfuse accepts before the trace exists. `metadata` has the trial's name for other trace ids.
 * A reviewer's score of a trial keeps its id, so that a later judgment replaces it.
 */
export function* writeLangfuseScores(rows: readonly JudgmentRow[]): Generator<string> {
  for (const { annotation, reviewerKey, categoryIds } of rows) {
    const { subject, judgment, notes, status } = annotation;
    if (status !== "current" || subject.trialId === null) continue;
    yield formatLine({
      id: createHash("sha256").update(`${subject.trialId} ${reviewerKey}`).digest("hex").slice(0, 32),
      traceId: subject.trialId,
      name: SCORE_NAME,
      value: judgment,
      dataType: "CATEGORICAL",
      ...(notes === null ? {} : { comment: notes }),
      metadata: {
        version_id: annotation.versionId,
        timestamp: annotation.timestamp,
        reviewer_id: annotation.reviewerId,
        trial_name: subject.trialName,
        job_name: subject.jobName,
        categories: annotation.categories,
        category_ids: categoryIds,
        confidence: annotation.confidence,
      },
    });
  }
}
