import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import {
  type AnnotationSubject,
  computeReviewerKey,
  DRAFT_LIMITS,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { ConflictError, ForbiddenError, NotFoundError } from "@/lib/core/domain/app-error";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { DECISION_BASES, findContext } from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

import { ensureCategories } from "../codebook/verbs";
import { categoriesSchema } from "../draft-schema";
import { parseInput, refuseHidden } from "../issues";
import { type Actor, mayChange } from "../owner";
import { toStoredSubject } from "../record";
import { addStatements, createReader, type Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { subjectSchema } from "../stored-columns";
import type { AnnotationDb } from "../tables";
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

const { select: selectDecisions, ...reader } = createReader(
  { name: "decision", body: bodySchema },
  { events: [] as readonly DecisionEvent[] },
  ({ events }, added) => ({ events: [...events, ...added.map(toDecisionEvent)] }),
);

export const { read: readDecisions, fold: foldDecisions } = reader;

export function listStanding(events: readonly DecisionEvent[]): readonly DecisionEvent[] {
  const withdrawn = new Set(events.flatMap(({ withdraws }) => withdraws ?? []));
  return events.filter(
    ({ withdraws, decision }) => withdraws === null && !withdrawn.has(decision.decisionId),
  );
}

/** `parent` is the decision that this one withdraws. */
function toDecisionEvent({ id, parent, author, actor, at, body }: Statement<Body>): DecisionEvent {
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

const text = (limit: number) =>
  z
    .string()
    .max(limit, `At most ${limit.toLocaleString("en-US")} characters.`)
    .transform((given) => toColumnText(given).replace(/\r\n?/g, "\n").trim());

const draftSchema = z.object({
  finalJudgment: z.enum(JUDGMENTS, "Choose pass, fail or defer, or leave it open.").nullable(),
  categories: categoriesSchema.pipe(
    z
      .array(text(DRAFT_LIMITS.category).superRefine(refuseHidden))
      .max(DRAFT_LIMITS.categories, "Choose fewer categories."),
  ),
  reason: text(DRAFT_LIMITS.notes).pipe(z.string().min(1, "Enter a reason (visible to reviewers).")),
  basedOn: z.enum(DECISION_BASES).nullable(),
  codebookNote: text(DRAFT_LIMITS.notes)
    .nullable()
    .transform((given) => (given === "" ? null : given)),
  decidedBy: text(DRAFT_LIMITS.reviewerId).pipe(
    z.string().min(1, "Enter your name (shown with the decision).").superRefine(refuseHidden),
  ),
});

/**
 * Leaves the reviewers' judgments unchanged.
 * @throws ValidationError; ForbiddenError when the decider is one of the reviewers; ConflictError if another decision was made
 * meanwhile
 */
export async function decide(
  store: AnnotationStore,
  input: {
    readonly subject: AnnotationSubject;
    readonly draft: unknown;
    readonly sources: readonly { readonly versionId: string; readonly reviewerId: string }[];
    readonly baseDecisionId: string | null;
    /** UUID of this save. Repeating it stores the decision once. */
    readonly saveId?: string | null;
    readonly queueId: string | null;
    readonly actor: Actor;
  },
  now: Date = new Date(),
): Promise<Decision> {
  const data = parseInput(draftSchema, input.draft, "reason", "The decision was not saved.");
  const deciderKey = computeReviewerKey(data.decidedBy);
  if (input.sources.some(({ reviewerId }) => computeReviewerKey(reviewerId) === deciderKey))
    throw new ForbiddenError("You judged this trial yourself. Another user must decide.");
  const decisionId = input.saveId ?? randomUUID();
  return store.write(async (db) => {
    const events = await selectTrialDecisions(db, input.subject);
    const made = events.find(({ decision }) => decision.decisionId === decisionId)?.decision;
    const { categories: _, ...said } = data;
    if (made !== undefined && isDeepStrictEqual({ ...made, ...said }, made)) return made;
    refuseOvertaken(events, input.baseDecisionId);
    const { labels, version: codebookVersion } = await ensureCategories(db, data.categories, {
      context: findContext(data.finalJudgment ?? "defer", input.subject.outcomeSeen),
      author: data.decidedBy,
      now,
    });
    const decision: Decision = {
      ...data,
      decisionId,
      subject: toStoredSubject(input.subject),
      categories: labels,
      decidedAt: now.toISOString(),
      sources: input.sources.map(({ versionId }) => versionId),
      queueId: input.queueId,
      codebookVersion,
    };
    const { browserKeyHash } = input.actor;
    await addStatements(db, [prepareDecision({ decision, withdraws: null, browserKeyHash })]);
    return decision;
  });
}

/** @throws NotFoundError; ForbiddenError for another browser; ConflictError if it was already withdrawn */
export async function withdrawDecision(
  store: AnnotationStore,
  { decisionId, actor }: { readonly decisionId: string; readonly actor: Actor },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const { events } = await foldDecisions(db);
    const made = events.find(
      ({ withdraws, decision }) => withdraws === null && decision.decisionId === decisionId,
    );
    if (made === undefined) throw new NotFoundError("There is no such decision to undo.");
    if (!mayChange(made, actor))
      throw new ForbiddenError(`The decision of ${made.decision.decidedBy} was made in another browser.`);
    if (!listStanding(events).includes(made))
      throw new ConflictError("This decision was already undone.", null);
    const undone = { decisionId: randomUUID(), finalJudgment: null, decidedAt: now.toISOString() };
    const decision = { ...made.decision, ...undone };
    const { browserKeyHash } = actor;
    await addStatements(db, [prepareDecision({ decision, withdraws: decisionId, browserKeyHash })]);
  });
}

/** True for the deciding browser, admins, and decisions of an unknown browser. @throws StoreError */
export async function mayWithdraw(
  store: AnnotationStore,
  decisionId: string,
  actor: Actor,
): Promise<boolean> {
  const { events } = await readDecisions(store);
  const made = events.find(({ decision }) => decision.decisionId === decisionId);
  return made !== undefined && mayChange(made, actor);
}

export async function listDecisions(
  store: AnnotationStore,
  trial?: TrialIdentity,
): Promise<readonly Decision[]> {
  const { events } = await readDecisions(store);
  const standing = listStanding(events).map(({ decision }) => decision);
  return trial === undefined ? standing : standing.filter(({ subject }) => isSameTrial(subject, trial));
}

async function selectTrialDecisions(
  db: AnnotationDb,
  subject: AnnotationSubject,
): Promise<readonly DecisionEvent[]> {
  const trial = toStoredSubject(subject);
  const events = (await selectDecisions(db, trial.trialName)).map(toDecisionEvent);
  return events.filter(({ decision }) => isSameTrial(decision.subject, trial));
}

function refuseOvertaken(events: readonly DecisionEvent[], baseDecisionId: string | null): void {
  const last = listStanding(events).at(-1)?.decision;
  if ((last?.decisionId ?? null) !== baseDecisionId)
    throw new ConflictError<Decision | null>(
      "Another user decided meanwhile. Look at it again.",
      last ?? null,
    );
}
