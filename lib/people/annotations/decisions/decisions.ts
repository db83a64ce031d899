import { randomUUID } from "node:crypto";

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

import { ensureCategories, readCodebook } from "../codebook/verbs";
import { categoriesSchema } from "../draft-schema";
import { insertStatements } from "../insert";
import { check, collectFieldMessages, refuseHidden } from "../issues";
import type { Actor } from "../owner";
import { type AnnotationDb, toStoredSubject, toSubjectColumns } from "../record";
import type { AnnotationStore } from "../store";
import { type Decision, readDecisionRows } from "./decision-rows";

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
  reason: text(DRAFT_LIMITS.notes).pipe(z.string().min(1, "Say why: the reviewers will read it.")),
  basedOn: z.enum(DECISION_BASES).nullable(),
  codebookNote: text(DRAFT_LIMITS.notes)
    .nullable()
    .transform((given) => (given === "" ? null : given)),
  decidedBy: text(DRAFT_LIMITS.reviewerId).pipe(
    z.string().min(1, "Enter your name: it is shown with the decision.").superRefine(refuseHidden),
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
    throw new ForbiddenError("You judged this trial yourself. Somebody else has to decide.");
  const known = await readCodebook(store);
  return store.write(async (db) => {
    await refuseOvertaken(db, input.subject, input.baseDecisionId);
    const { labels, version: codebookVersion } = await ensureCategories(db, data.categories, {
      known,
      context: findContext(data.finalJudgment ?? "defer", input.subject.outcomeSeen),
      author: data.decidedBy,
      now,
    });
    const row = {
      ...toSubjectColumns(input.subject),
      decision_id: randomUUID(),
      withdraws: null,
      final_judgment: data.finalJudgment,
      categories: JSON.stringify(labels),
      reason: data.reason,
      based_on: data.basedOn,
      codebook_note: data.codebookNote,
      decider_key: deciderKey,
      decided_by: data.decidedBy,
      created_at: now.toISOString(),
      sources: JSON.stringify(input.sources.map(({ versionId }) => versionId)),
      queue_id: input.queueId,
      codebook_version: codebookVersion,
      browser_key_hash: input.actor.browserKeyHash,
    };
    await insertStatements(db, "adjudication", [row]);
    const { events, unreadable } = readDecisionRows([{ ...row, seq: 0 }]);
    const [event] = events;
    if (event === undefined)
      throw new Error(`The decision is stored ${unreadable[0]?.problem ?? "wrongly"}.`);
    return event.decision;
  });
}

/** Withdraws a decision. @throws NotFoundError if absent or withdrawn @throws ForbiddenError for another browser */
export async function withdrawDecision(
  store: AnnotationStore,
  { decisionId, actor }: { readonly decisionId: string; readonly actor: Actor },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const rows = await db
      .selectFrom("adjudication")
      .selectAll()
      .where((where) =>
        where.or([where("decision_id", "=", decisionId), where("withdraws", "=", decisionId)]),
      )
      .execute();
    const made = rows.find((row) => row.decision_id === decisionId);
    if (made === undefined || made.withdraws !== null || rows.length > 1)
      throw new NotFoundError("There is no such decision to undo.");
    if (!actor.isAdmin && made.browser_key_hash !== null && made.browser_key_hash !== actor.browserKeyHash)
      throw new ForbiddenError(`The decision of ${made.decided_by} was made in another browser.`);
    const { seq: _, ...kept } = made;
    const row = {
      ...kept,
      decision_id: randomUUID(),
      withdraws: decisionId,
      final_judgment: null,
      created_at: now.toISOString(),
      browser_key_hash: actor.browserKeyHash,
    };
    await insertStatements(db, "adjudication", [row]);
  });
}

/** True for the deciding browser, admins, and decisions of an unknown browser. @throws StoreError */
export function mayWithdraw(
  store: AnnotationStore,
  decisionId: string,
  { browserKeyHash, isAdmin }: Actor,
): Promise<boolean> {
  return store.read(false, async (db) => {
    const made = await db
      .selectFrom("adjudication")
      .select("browser_key_hash")
      .where("decision_id", "=", decisionId)
      .executeTakeFirst();
    if (made === undefined) return false;
    return isAdmin || made.browser_key_hash === null || made.browser_key_hash === browserKeyHash;
  });
}

export function listDecisions(store: AnnotationStore, trial?: TrialIdentity): Promise<readonly Decision[]> {
  return store.read<readonly Decision[]>([], (db) => selectDecisions(db, trial));
}

async function selectDecisions(db: AnnotationDb, trial?: TrialIdentity): Promise<readonly Decision[]> {
  let query = db.selectFrom("adjudication").selectAll().orderBy("seq");
  if (trial !== undefined) query = query.where("trial_name", "=", toColumnText(trial.trialName));
  const rows = await query.execute();
  const withdrawn = new Set(rows.flatMap(({ withdraws }) => withdraws ?? []));
  const { events } = readDecisionRows(rows);
  const decisions = events
    .filter(({ withdraws, decision }) => withdraws === null && !withdrawn.has(decision.decisionId))
    .map(({ decision }) => decision);
  return trial === undefined ? decisions : decisions.filter(({ subject }) => isSameTrial(subject, trial));
}

async function refuseOvertaken(
  db: AnnotationDb,
  subject: AnnotationSubject,
  baseDecisionId: string | null,
): Promise<void> {
  const last = (await selectDecisions(db, toStoredSubject(subject))).at(-1);
  if ((last?.decisionId ?? null) !== baseDecisionId)
    throw new ConflictError<Decision | null>("Somebody decided meanwhile. Look at it again.", last ?? null);
}
