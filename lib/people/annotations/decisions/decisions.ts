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
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { DECISION_BASES, findContext } from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

import { ensureCategories } from "../codebook/verbs";
import { categoriesSchema } from "../draft-schema";
import { check, collectFieldMessages, refuseHidden } from "../issues";
import type { Actor } from "../owner";
import { toStoredSubject } from "../record";
import { addStatements } from "../statements/statement";
import type { AnnotationStore } from "../store";
import type { AnnotationDb } from "../tables";
import {
  type Decision,
  type DecisionEvent,
  foldDecisions,
  prepareDecision,
  readDecisions,
  selectDecisions,
  toDecisionEvent,
} from "./decision-rows";

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
  const parsed = check(draftSchema, input.draft);
  if (!parsed.success)
    throw new ValidationError("The decision was not saved.", collectFieldMessages(parsed.error, "reason"));
  const { data } = parsed;
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

function mayChange(made: DecisionEvent, { browserKeyHash, isAdmin }: Actor): boolean {
  return isAdmin || made.browserKeyHash === null || made.browserKeyHash === browserKeyHash;
}

export async function listDecisions(
  store: AnnotationStore,
  trial?: TrialIdentity,
): Promise<readonly Decision[]> {
  const { events } = await readDecisions(store);
  const standing = listStanding(events).map(({ decision }) => decision);
  return trial === undefined ? standing : standing.filter(({ subject }) => isSameTrial(subject, trial));
}

function listStanding(events: readonly DecisionEvent[]): readonly DecisionEvent[] {
  const withdrawn = new Set(events.flatMap(({ withdraws }) => withdraws ?? []));
  return events.filter(
    ({ withdraws, decision }) => withdraws === null && !withdrawn.has(decision.decisionId),
  );
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
