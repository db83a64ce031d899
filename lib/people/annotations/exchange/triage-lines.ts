import { computeReviewerKey, type TrialIdentity } from "@/lib/core/domain/annotation";
import type { ImportedTag } from "@/lib/core/domain/imported-tag";

import type { Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { selectStandingTags } from "../tags/tags";
import { readSuggestionAnswers, type StandingAnswer } from "../triage/answers";
import { type Note, readTriageNotes, selectNotes } from "../triage/notes";
import { LINE_SCHEMAS, formatLine, type ExportOptions } from "./lines";

export async function readTriageLines(
  store: AnnotationStore,
  { queue = null, job = null, reviewer = null }: ExportOptions,
) {
  if (queue !== null) return { lines: [], problem: null };
  const isOfJob = ({ trial }: { readonly trial: TrialIdentity }) =>
    job === null || trial.jobName === job || trial.jobUuid === job;
  const key = reviewer === null ? null : computeReviewerKey(reviewer);
  const notes = job === null && reviewer === null ? await store.read([], (db) => selectNotes(db)) : [];
  const answers = await readSuggestionAnswers(store);
  const own = answers.standing.filter((one) => isOfJob(one) && (key === null || one.reviewerKey === key));
  const tags = reviewer === null ? await store.read([], (db) => selectStandingTags(db)) : [];
  return {
    lines: [
      ...notes.map(prepareNoteLine),
      ...own.map(prepareAnswerLine),
      ...tags.filter(isOfJob).map(prepareTagLine),
    ].map(formatLine),
    problem: (await readTriageNotes(store)).problem ?? answers.problem,
  };
}

/** Target and time come first, so that sorted lines list each target's changes in order. */
function prepareNoteLine({ subject: target, at: timestamp, author, body }: Statement<Note>) {
  const { kind, text, about } = body;
  return { schema: LINE_SCHEMAS.note, target, timestamp, kind, text, about, author };
}

function prepareAnswerLine({ trial, suggester, version, answer, reviewerId, createdAt }: StandingAnswer) {
  return {
    schema: LINE_SCHEMAS.answer,
    trial_name: trial.trialName,
    trial_id: trial.trialId,
    job_name: trial.jobName,
    job_id: trial.jobUuid,
    suggester,
    version,
    answer,
    reviewer_id: reviewerId,
    timestamp: createdAt,
  };
}

function prepareTagLine({ trial, source, category, description, evidence }: ImportedTag) {
  return {
    schema: LINE_SCHEMAS.tag,
    trial: trial.trialName,
    trial_id: trial.trialId,
    job: trial.jobName,
    job_id: trial.jobUuid,
    source,
    category,
    description,
    evidence,
  };
}
