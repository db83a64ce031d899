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
import { addStatements, createLogReader, listStanding, type Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { subjectSchema } from "../stored-columns";

const texts = z.array(z.string()).readonly().catch([]);

/** A decision that withdraws another has it as its parent. */
export const decisionBodySchema = z.object({
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

export type DecisionBody = Readonly<z.output<typeof decisionBodySchema>>;

export interface Decision extends Omit<DecisionBody, "trial"> {
  readonly decisionId: string;
  readonly subject: AnnotationSubject;
  readonly decidedBy: string;
  readonly decidedAt: string;
}

const { select: selectDecisions, ...reader } = createLogReader<DecisionBody, Statement<DecisionBody>>(
  { name: "decision", body: decisionBodySchema },
  (statement) => statement,
);

export const { read: readDecisions, fold: foldDecisions } = reader;

function toDecision({
  id,
  author,
  at,
  body: { trial: subject, ...rest },
}: Omit<Statement<DecisionBody>, "seq">): Decision {
  return { decisionId: id, subject, ...rest, decidedBy: author, decidedAt: at };
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

/** Leaves the reviewers' judgments unchanged. */
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
  const { decidedBy: author, categories, ...said } = data;
  const deciderKey = computeReviewerKey(author);
  if (input.sources.some(({ reviewerId }) => computeReviewerKey(reviewerId) === deciderKey))
    throw new ForbiddenError("You judged this trial yourself. Another user must decide.");
  const id = input.saveId ?? randomUUID();
  const trial = toStoredSubject(input.subject);
  return store.write(async (db) => {
    const events = (await selectDecisions(db, trial.trialName)).filter(({ body }) =>
      isSameTrial(body.trial, trial),
    );
    const made = events.find((event) => event.id === id);
    if (made?.author === author && isDeepStrictEqual({ ...made.body, ...said }, made.body))
      return toDecision(made);
    const last = listStanding(events).at(-1);
    if ((last?.id ?? null) !== input.baseDecisionId)
      throw new ConflictError<Decision | null>(
        "Another user decided meanwhile. Look at it again.",
        last === undefined ? null : toDecision(last),
      );
    const { labels, version: codebookVersion } = await ensureCategories(db, categories, {
      context: findContext(said.finalJudgment ?? "defer", trial.outcomeSeen),
      author,
      now,
    });
    const sources = input.sources.map(({ versionId }) => versionId);
    const body = { ...said, trial, categories: labels, sources, queueId: input.queueId, codebookVersion };
    const head = { kind: "decision", id, subject: trial.trialName, parent: null } as const;
    const decision = { ...head, author, actor: input.actor.browserKeyHash, at: now.toISOString(), body };
    await addStatements(db, [decision]);
    return toDecision(decision);
  });
}

export async function withdrawDecision(
  store: AnnotationStore,
  { decisionId, actor }: { readonly decisionId: string; readonly actor: Actor },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const { events } = await foldDecisions(db);
    const made = events.find(({ id, parent }) => parent === null && id === decisionId);
    if (made === undefined) throw new NotFoundError("There is no such decision to undo.");
    if (!mayChange(made.actor, actor))
      throw new ForbiddenError(`The decision of ${made.author} was made in another browser.`);
    if (!listStanding(events).includes(made))
      throw new ConflictError("This decision was already undone.", null);
    const { subject, author, body } = made;
    const undone = { kind: "decision", subject, parent: decisionId, author, at: now.toISOString() } as const;
    await addStatements(db, [
      { ...undone, actor: actor.browserKeyHash, body: { ...body, finalJudgment: null } },
    ]);
  });
}

/** True for the deciding browser, admins, and decisions of an unknown browser. */
export async function mayWithdraw(store: AnnotationStore, decisionId: string, actor: Actor) {
  const { events } = await readDecisions(store);
  const made = events.find(({ id }) => id === decisionId);
  return made !== undefined && mayChange(made.actor, actor);
}

export async function listDecisions(store: AnnotationStore, trial?: TrialIdentity) {
  const { events } = await readDecisions(store);
  const standing = listStanding(events).map(toDecision);
  return trial === undefined ? standing : standing.filter(({ subject }) => isSameTrial(subject, trial));
}
