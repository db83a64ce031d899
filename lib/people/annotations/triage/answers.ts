import { z } from "zod";

import {
  type AnnotationSubject,
  computeReviewerKey,
  DRAFT_LIMITS,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { ForbiddenError, ValidationError } from "@/lib/core/domain/app-error";
import {
  SUGGESTION_ANSWERS,
  SUGGESTION_LIMITS,
  type Suggestion,
  type SuggestionAnswer,
} from "@/lib/core/domain/suggestion";

import { insertStatements } from "../insert";
import { check, collectFieldMessages, describeFirstIssue, refuseHidden } from "../issues";
import { type Actor, NO_ACTOR } from "../owner";
import { type AnnotationDb, toStoredSubject } from "../record";
import type { AnnotationStore } from "../store";
import { timeColumn } from "../stored-columns";

const requestSchema = z.object({
  suggester: z.string().min(1).max(SUGGESTION_LIMITS.suggester),
  version: z.string().max(SUGGESTION_LIMITS.version),
  answer: z.enum(SUGGESTION_ANSWERS).nullable(),
  author: z
    .string()
    .max(DRAFT_LIMITS.reviewerId)
    .transform((name) => name.toWellFormed().replaceAll("\0", "").normalize("NFC").trim())
    .pipe(
      z
        .string()
        .refine((name) => computeReviewerKey(name) !== "", "Enter your name: it is shown with the answer.")
        .superRefine(refuseHidden),
    ),
});

export interface StandingAnswer extends Suggestion {
  readonly trial: TrialIdentity;
  readonly reviewerKey: string;
  readonly reviewerId: string;
  readonly answer: SuggestionAnswer;
  readonly createdAt: string;
  readonly browserKeyHash: string | null;
}

export interface SuggestionAnswers {
  readonly standing: readonly StandingAnswer[];
  readonly version: number;
  readonly problem: string | null;
}

const NO_ANSWERS: SuggestionAnswers = { standing: [], version: 0, problem: null };

const known = new WeakMap<AnnotationDb, SuggestionAnswers>();

export function readSuggestionAnswers(store: AnnotationStore): Promise<SuggestionAnswers> {
  return store.read(NO_ANSWERS, async (db) => {
    const answers = await selectAnswers(db, known.get(db) ?? NO_ANSWERS);
    known.set(db, answers);
    return answers;
  });
}

/**
 * Replaces only the reviewer's own earlier answer. The answer belongs to the browser, because typed names prove nothing.
 * @throws ValidationError, also when there is no answer to undo; ForbiddenError for an answer from another browser
 */
export async function answerSuggestion(
  store: AnnotationStore,
  subject: AnnotationSubject,
  input: unknown,
  { browserKeyHash }: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const parsed = check(requestSchema, input);
  if (!parsed.success)
    throw new ValidationError(describeFirstIssue(parsed.error), collectFieldMessages(parsed.error, "whole"));
  const { suggester, version, answer, author } = parsed.data;
  const { trialId, jobUuid, trialName, jobName } = toStoredSubject(subject);
  const trial = { trialId, jobUuid, trialName, jobName };
  const event = { trial, suggester, version, reviewerKey: computeReviewerKey(author) };
  await store.write(async (db) => {
    const { standing } = await selectAnswers(db, NO_ANSWERS);
    const own = standing.find((one) => isSameQuestion(one, event)) ?? null;
    if (answer === null && own === null)
      throw new ValidationError("You have no answer here that could be undone.", {});
    if (own !== null && own.browserKeyHash !== null && own.browserKeyHash !== browserKeyHash)
      throw new ForbiddenError(
        `The answer of ${own.reviewerId} was given in another browser, and only that one can change or undo it. Use another name.`,
      );
    if (answer === own?.answer) return;
    const row = {
      kind: answer ?? ("withdrawn" as const),
      suggester,
      version,
      trial_id: trialId,
      job_id: jobUuid,
      trial_name: trialName,
      job_name: jobName,
      reviewer_key: event.reviewerKey,
      reviewer_id: author,
      created_at: now.toISOString(),
      browser_key_hash: browserKeyHash,
    };
    await insertStatements(db, "suggestion_answer", [row]);
  });
}

type Question = Pick<StandingAnswer, "trial" | "suggester" | "version" | "reviewerKey">;

function isSameQuestion(a: Question, b: Question): boolean {
  return nameQuestion(a) === nameQuestion(b) && isSameTrial(a.trial, b.trial);
}

/** Returns a key for a question. Only trials that share a name may collide. */
function nameQuestion({ trial, suggester, version, reviewerKey }: Question): string {
  return JSON.stringify([trial.trialName, suggester, version, reviewerKey]);
}

const rowSchema = z.object({
  seq: z.number(),
  kind: z.enum([...SUGGESTION_ANSWERS, "withdrawn"]),
  suggester: z.string(),
  version: z.string(),
  trial_id: z.string().nullable(),
  job_id: z.string().nullable(),
  trial_name: z.string(),
  job_name: z.string(),
  reviewer_key: z.string(),
  reviewer_id: z.string(),
  created_at: timeColumn,
  browser_key_hash: z.string().nullable(),
});

export type AnswerEvent = z.output<typeof rowSchema>;

export async function selectAnswerEvents(db: AnnotationDb): Promise<readonly AnswerEvent[]> {
  const rows = await db.selectFrom("suggestion_answer").selectAll().orderBy("seq").execute();
  return rows.flatMap((row) => {
    const parsed = check(rowSchema, row);
    return parsed.success ? parsed.data : [];
  });
}

async function selectAnswers(db: AnnotationDb, before: SuggestionAnswers): Promise<SuggestionAnswers> {
  const rows = await db
    .selectFrom("suggestion_answer")
    .selectAll()
    .where("seq", ">", before.version)
    .orderBy("seq")
    .execute();
  if (rows.length === 0) return before;
  const byQuestion = Map.groupBy(before.standing, nameQuestion);
  let { problem } = before;
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    if (parsed.success) fold(byQuestion, parsed.data);
    else
      problem ??= `Row ${String(row.seq)} of the table suggestion_answer cannot be read and counts for nothing. Update Assay if a newer version wrote it.`;
  }
  return { standing: [...byQuestion.values()].flat(), version: rows.at(-1)?.seq ?? before.version, problem };
}

function fold(byQuestion: Map<string, StandingAnswer[]>, row: AnswerEvent): void {
  const question = {
    trial: {
      trialId: row.trial_id,
      jobUuid: row.job_id,
      trialName: row.trial_name,
      jobName: row.job_name,
    },
    suggester: row.suggester,
    version: row.version,
    reviewerKey: row.reviewer_key,
  };
  const name = nameQuestion(question);
  const others = (byQuestion.get(name) ?? []).filter((one) => !isSameQuestion(one, question));
  const { kind: answer, reviewer_id: reviewerId, created_at: createdAt } = row;
  const { browser_key_hash: browserKeyHash } = row;
  byQuestion.set(
    name,
    answer === "withdrawn"
      ? others
      : [...others, { ...question, reviewerId, answer, createdAt, browserKeyHash }],
  );
}
