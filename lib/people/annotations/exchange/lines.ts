import { type Annotation, computeReviewerKey, type TrialIdentity } from "@/lib/core/domain/annotation";
import type { ImportedTag } from "@/lib/core/domain/imported-tag";
import { type ExportedJudgment, JUDGMENT_FIELDS } from "@/lib/core/fields/judgments.fields";

import type { DecisionBody } from "../decisions/decisions";
import { listQueues, type Queue, readQueue } from "../queues/read";
import { selectEvents } from "../queues/stored-queue";
import type { MadeStatement, Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { selectStandingTags } from "../tags/tags";
import { readSuggestionAnswers, type StandingAnswer } from "../triage/answers";
import { type Note, readTriageNotes, selectNotes } from "../triage/notes";

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
  readonly decision: Statement<DecisionBody>;
  readonly deciderKey: string;
  readonly status: Annotation["status"];
  readonly withdrawal: Pick<MadeStatement, "id" | "at"> | undefined;
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

/** Returns the name of a field in lines, such as `trial_name`. */
export function nameField(name: string): string {
  if (name === "jobUuid") return "job_id";
  return name === "rootLabel" ? "root" : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function formatLine(fields: object): string {
  const named = Object.entries(fields).map(([name, value]: [string, unknown]) => [nameField(name), value]);
  return `${JSON.stringify(Object.fromEntries(named))}\n`;
}

/** Lines have these behind the categories, as the releases that added them wrote them. */
const MOVED = ["notes", "saved_by", "withdrawn_by", "category_ids"] as const;

const LINE_FIELDS = Object.entries(JUDGMENT_FIELDS)
  .filter(([name]) => MOVED.every((one) => one !== name))
  .flatMap(([name, field]) => [
    [name, field] as const,
    ...(name === "categories" ? MOVED.map((one) => [one, JUDGMENT_FIELDS[one]] as const) : []),
  ]);

export function formatJudgmentLine(row: JudgmentRow): string {
  const values = LINE_FIELDS.map(([name, field]): readonly [string, unknown] => [
    name,
    field.type === "timestamp" ? (field.read(row)?.text ?? null) : field.read(row),
  ]);
  return formatLine({ schema: LINE_SCHEMAS.judgment, ...Object.fromEntries<unknown>(values) });
}

export function formatDecisionLine({ decision, status, withdrawal, categoryIds }: DecisionRow): string {
  const { trial, finalJudgment, categories, reason, basedOn, codebookNote, ...rest } = decision.body;
  return formatLine({
    schema: LINE_SCHEMAS.decision,
    decisionId: decision.id,
    status,
    withdrawnAt: withdrawal?.at ?? null,
    withdrawalId: withdrawal?.id ?? null,
    ...trial,
    ...{ finalJudgment, categories, categoryIds, reason, basedOn, codebookNote },
    decidedBy: decision.author,
    timestamp: decision.at,
    ...rest,
  });
}

/** Omits queues with unreadable trials, which are not samples. */
export async function readQueueLines(
  store: AnnotationStore,
  { queue: wanted = null, job = null, reviewer = null }: ExportOptions,
) {
  const lines: string[] = [];
  const counted = new Set<string>();
  if (job !== null || reviewer !== null) return { lines, counted };
  const { queues } = await listQueues(store);
  for (const { queueId } of queues.toReversed()) {
    const queue = wanted === null || wanted === queueId ? await readQueue(store, queueId) : null;
    if (queue === null || queue.unreadable.length > 0) continue;
    lines.push(await formatQueueLine(store, queue));
    for (const { position, nReviewers, subject, labels } of queue.items) {
      lines.push(
        formatLine({ schema: LINE_SCHEMAS["queue-trial"], queueId, position, nReviewers, ...subject }),
      );
      for (const { blind } of labels) counted.add(blind.versionId);
    }
  }
  return { lines, counted };
}

async function formatQueueLine(
  store: AnnotationStore,
  { queueId, settings, createdAt, createdBy, items }: Queue,
): Promise<string> {
  const events = await store.read([], (db) => selectEvents(db, queueId));
  return formatLine({
    schema: LINE_SCHEMAS.queue,
    ...{ queueId, settings, createdAt, createdBy, nTrials: items.length },
    events: events.map(({ position, kind, reviewerId, at }) => ({
      position,
      kind,
      reviewer_id: reviewerId,
      timestamp: at,
    })),
  });
}

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
      ...notes.map(formatNoteLine),
      ...own.map(formatAnswerLine),
      ...tags.filter(isOfJob).map(formatTagLine),
    ],
    problem: (await readTriageNotes(store)).problem ?? answers.problem,
  };
}

/** Target and time come first, so that sorted lines list each target's changes in order. */
function formatNoteLine({ subject: target, at: timestamp, author, body }: Statement<Note>): string {
  const { kind, text, about } = body;
  return formatLine({ schema: LINE_SCHEMAS.note, target, timestamp, kind, text, about, author });
}

function formatAnswerLine({
  trial,
  suggester,
  version,
  answer,
  reviewerId,
  createdAt,
}: StandingAnswer): string {
  const { trialName, trialId, jobName, jobUuid } = trial;
  return formatLine({
    schema: LINE_SCHEMAS.answer,
    ...{ trialName, trialId, jobName, jobUuid, suggester, version, answer, reviewerId },
    timestamp: createdAt,
  });
}

function formatTagLine({ trial, source, category, description, evidence }: ImportedTag): string {
  const { trialName, trialId, jobName: job, jobUuid } = trial;
  return formatLine({
    schema: LINE_SCHEMAS.tag,
    ...{ trial: trialName, trialId, job, jobUuid, source, category, description, evidence },
  });
}
