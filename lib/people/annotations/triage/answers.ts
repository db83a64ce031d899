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

import { parseInput, refuseHidden } from "../issues";
import { type Actor, mayChange, NO_ACTOR } from "../owner";
import { toStoredIdentity } from "../record";
import { addStatements, createReader, type NewStatement, type Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { trialSchema } from "../stored-columns";

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
        .refine((name) => computeReviewerKey(name) !== "", "Enter your name (shown with your answer).")
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

const answerSchema = z.object({
  trial: trialSchema,
  suggester: z.string(),
  version: z.string(),
  answer: z.enum([...SUGGESTION_ANSWERS, "withdrawn"]),
});

export type Answer = z.output<typeof answerSchema>;

const { fold: foldAnswers, ...reader } = createReader(
  { name: "suggestion_answer", body: answerSchema },
  { standing: [] as readonly StandingAnswer[] },
  addAnswers,
);

export const { read: readSuggestionAnswers, select: selectAnswers } = reader;

/** Replaces only the reviewer's own earlier answer. The answer belongs to the browser, because typed names prove nothing. */
export async function answerSuggestion(
  store: AnnotationStore,
  subject: AnnotationSubject,
  input: unknown,
  { browserKeyHash }: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const { suggester, version, answer, author } = parseInput(requestSchema, input, "whole");
  const trial = toStoredIdentity(subject);
  const question = { trial, suggester, version, reviewerKey: computeReviewerKey(author) };
  await store.write(async (db) => {
    const { standing } = await foldAnswers(db);
    const own = standing.find((one) => isSameQuestion(one, question)) ?? null;
    if (answer === null && own === null) throw new ValidationError("You have no answer to undo here.", {});
    if (own !== null && !mayChange(own.browserKeyHash, { browserKeyHash, isAdmin: false }))
      throw new ForbiddenError(
        `The answer of ${own.reviewerId} was given in another browser, and only that browser can change or undo it. Use another name.`,
      );
    if (answer === own?.answer) return;
    const body: Answer = { trial, suggester, version, answer: answer ?? "withdrawn" };
    const at = now.toISOString();
    await addStatements(db, [prepareAnswer({ body, author, actor: browserKeyHash, at })]);
  });
}

export function prepareAnswer(
  said: Pick<NewStatement<Answer>, "body" | "author" | "actor" | "at">,
): NewStatement<Answer> {
  return { ...said, kind: "suggestion_answer", subject: said.body.trial.trialName };
}

type Question = Pick<StandingAnswer, "trial" | "suggester" | "version" | "reviewerKey">;

export function isSameQuestion(a: Question, b: Question): boolean {
  return nameQuestion(a) === nameQuestion(b) && isSameTrial(a.trial, b.trial);
}

/** Returns a key for a question. Only trials that share a name may collide. */
export function nameQuestion({ trial, suggester, version, reviewerKey }: Question): string {
  return JSON.stringify([trial.trialName, suggester, version, reviewerKey]);
}

export function readQuestion({ body, author }: Pick<NewStatement<Answer>, "body" | "author">): Question {
  const { answer: _, ...question } = body;
  return { ...question, reviewerKey: computeReviewerKey(author) };
}

function addAnswers(
  { standing }: { readonly standing: readonly StandingAnswer[] },
  added: readonly Statement<Answer>[],
) {
  const byQuestion = Map.groupBy(standing, nameQuestion);
  for (const statement of added) {
    const question = readQuestion(statement);
    const name = nameQuestion(question);
    const others = (byQuestion.get(name) ?? []).filter((one) => !isSameQuestion(one, question));
    const { author: reviewerId, at: createdAt, actor: browserKeyHash, body } = statement;
    const { answer } = body;
    const given = { ...question, reviewerId, createdAt, browserKeyHash };
    byQuestion.set(name, answer === "withdrawn" ? others : [...others, { ...given, answer }]);
  }
  return { standing: [...byQuestion.values()].flat() };
}
