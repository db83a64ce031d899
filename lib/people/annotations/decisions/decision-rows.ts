import { z } from "zod";

import { type AnnotationSubject, computeReviewerKey } from "@/lib/core/domain/annotation";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { DECISION_BASES } from "@/lib/core/domain/review";

import { toStoredSubject } from "../record";
import { createReader, type Statement } from "../statements/statement";
import { subjectSchema } from "../stored-columns";
import type { UnreadableRow } from "../unreadable-row";

const texts = z.array(z.string()).catch([]);

const bodySchema = z.object({
  trial: subjectSchema,
  finalJudgment: z.enum(JUDGMENTS).nullable(),
  categories: texts,
  reason: z.string(),
  basedOn: z.enum(DECISION_BASES).nullable(),
  codebookNote: z.string().nullable(),
  sources: texts,
  queueId: z.string().nullable(),
  codebookVersion: z.number(),
});

type Body = z.output<typeof bodySchema>;

export interface Decision extends Readonly<Omit<Body, "trial" | "categories" | "sources">> {
  readonly decisionId: string;
  readonly subject: AnnotationSubject;
  readonly categories: readonly string[];
  readonly decidedBy: string;
  readonly decidedAt: string;
  readonly sources: readonly string[];
}

export interface DecisionEvent {
  readonly decision: Decision;
  readonly deciderKey: string;
  readonly withdraws: string | null;
  readonly browserKeyHash: string | null;
}

export interface DecisionRows {
  readonly events: readonly DecisionEvent[];
  readonly unreadable: readonly UnreadableRow[];
}

export const {
  read: readDecisions,
  fold: foldDecisions,
  select: selectDecisions,
} = createReader(
  { name: "decision", body: bodySchema },
  { events: [] as readonly DecisionEvent[] },
  ({ events }, added) => ({ events: [...events, ...added.map(toDecisionEvent)] }),
);

/** `parent` is the decision that this one withdraws. */
export function toDecisionEvent({ id, parent, author, actor, at, body }: Statement<Body>): DecisionEvent {
  const { trial: subject, ...rest } = body;
  const decision = { decisionId: id, subject, ...rest, decidedBy: author, decidedAt: at };
  const deciderKey = computeReviewerKey(author);
  return { decision, deciderKey, withdraws: parent, browserKeyHash: actor };
}

export function prepareDecision({ decision, withdraws, browserKeyHash }: Omit<DecisionEvent, "deciderKey">) {
  const { decisionId, subject, decidedBy, decidedAt, ...body } = decision;
  const trial = toStoredSubject(subject);
  return {
    kind: "decision",
    id: decisionId,
    subject: trial.trialName,
    parent: withdraws,
    author: decidedBy,
    actor: browserKeyHash,
    at: decidedAt,
    body: { trial, ...body },
  } as const;
}
