import "server-only";
import type { Route } from "next";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ConflictError } from "@/lib/core/domain/app-error";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { ItemState } from "@/lib/core/domain/review";
import { conflictsHref, type ConflictsParams } from "@/lib/pages/annotations/review-address";
import {
  type AnnotationStore,
  type CodebookHistory,
  getAnnotationStore,
  readAnnotationsVersion,
  readCodebook,
} from "@/lib/people/annotations";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";
import { type IndexStore, type JobHead, readIndexState } from "@/lib/store/tables";

import { getActor } from "../annotations/actor";
import { computeScopeAgreement, type ScopeAgreement } from "../annotations/agreement";
import { getJudgedOrNull } from "../annotations/judged";
import { getReviewer } from "../annotations/reviewer";
import { getScope, type ReviewScope, type ScopeContent } from "../annotations/scope";
import { createGenerationCache } from "../shell/cache";
import { getIdentityOf, getStore } from "../shell/catalog";
import { openConflict, type OpenConflict } from "./open-conflict";

export interface ConflictRow {
  /** From 1 among the conflicts of the scope; a decision does not change it. */
  readonly place: number;
  readonly taskName: string;
  readonly attempt: number | null;
  /** `todo` waits for a decision. `own` does too, but the current user is one of its reviewers. */
  readonly standing: "todo" | "own" | "decided";
  readonly judgments: readonly Judgment[];
  /** Null while undecided, and if left open on purpose. */
  readonly final: Judgment | null;
  readonly decidedBy: string | null;
}

export interface ConflictsPage {
  readonly scope: ReviewScope;
  readonly name: string | null;
  readonly isOfQueue: boolean;
  /** Trials judged by at least two reviewers, defers included. */
  readonly nTwice: number;
  readonly agreement: ScopeAgreement;
  readonly rows: readonly ConflictRow[];
  readonly open: OpenConflict | null;
  readonly next: Route | null;
}

const CONFLICT_STATES: ReadonlySet<ItemState> = new Set<ItemState>(["conflict", "adjudicated", "contested"]);

/** @throws NotFoundError for an unknown queue; StoreError */
export async function getConflictsPage(params: ConflictsParams): Promise<ConflictsPage> {
  const [store, identityOf, { reviewerKey }, actor] = await Promise.all([
    getStore(),
    getIdentityOf(),
    getReviewer(),
    getActor(),
  ]);
  const annotations = getAnnotationStore();
  const { content, history, agreement } = await readAgreement(store, params, annotations);
  const conflicts = listConflicts(content);
  const rows = conflicts.map((trial, index) => toRow(trial, index + 1, reviewerKey));
  const find = (standing: ConflictRow["standing"]) => rows.find((row) => row.standing === standing)?.place;
  const place = params.open ?? find("todo") ?? find("own") ?? 1;
  const trial = conflicts[place - 1];
  return {
    scope: { queue: params.queue, jobs: params.jobs },
    name: nameScope(params, content),
    isOfQueue: content.queue !== null,
    nTwice: content.trials.filter(({ labels }) => labels.length >= 2).length,
    agreement,
    rows,
    open:
      trial === undefined
        ? null
        : await openConflict(trial, {
            place,
            queue: content.queue,
            history,
            annotations,
            actor,
            reviewerKey,
            identityOf,
          }),
    next: findNext(params, rows, place),
  };
}

export interface JobAgreement {
  readonly nPairs: number;
  readonly percent: string | null;
  readonly reason: string | null;
  readonly nOpen: number;
  readonly href: Route;
}

/** Returns null if no trial was reviewed twice, or the judgments cannot be read. */
export async function getJobAgreement(
  store: IndexStore,
  { key, rowId }: Pick<JobHead, "key" | "rowId">,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<JobAgreement | null> {
  const judged = (await getJudgedOrNull(store, annotations))?.byJob.get(rowId);
  if (![...(judged?.values() ?? [])].some(({ judgments }) => judgments.latest.length >= 2)) return null;
  const scope = { queue: null, jobs: [key] };
  const { content, agreement } = await readAgreement(store, scope, annotations);
  const [percent] = agreement.figures;
  return {
    nPairs: agreement.nPairs,
    percent: percent?.value ?? null,
    reason: percent?.reason ?? null,
    nOpen: content.trials.filter(({ state }) => state === "conflict").length,
    href: conflictsHref(scope),
  };
}

const keep = createGenerationCache(8);

async function readAgreement(
  store: IndexStore,
  { queue, jobs }: ReviewScope,
  annotations: AnnotationStore,
): Promise<{
  readonly content: ScopeContent;
  readonly history: CodebookHistory;
  readonly agreement: ScopeAgreement;
}> {
  const [{ generation }, version, history] = await Promise.all([
    readIndexState(store),
    readAnnotationsVersion(annotations),
    readCodebook(annotations),
  ]);
  const content = await getScope(store, { queue, jobs }, annotations);
  const said = JSON.stringify([generation, annotations.place, version, history.codebook.version]);
  const agreement = await keep({ store, generation: said }, JSON.stringify([queue, jobs]), () =>
    Promise.resolve(computeScopeAgreement(content, history)),
  );
  return { content, history, agreement };
}

export function listConflicts({ trials }: ScopeContent): readonly ScopeTrial[] {
  return trials.filter(({ state }) => CONFLICT_STATES.has(state));
}

function toRow(
  { subject, place: found, state, labels, decision, final }: ScopeTrial,
  place: number,
  reviewerKey: string,
): ConflictRow {
  const isOpen = state === "conflict";
  const isOwn = labels.some((label) => label.reviewerKey === reviewerKey);
  return {
    place,
    taskName: subject.taskName,
    attempt: found?.attempt ?? null,
    standing: isOpen ? (isOwn ? "own" : "todo") : "decided",
    judgments: labels.map(({ annotation }) => annotation.judgment),
    final: isOpen ? null : final,
    decidedBy: isOpen ? null : (decision?.decidedBy ?? null),
  };
}

function nameScope({ jobs }: ReviewScope, { queue, trials }: ScopeContent): string | null {
  if (queue !== null) return queue.settings.name;
  if (jobs.length === 0) return null;
  const names = new Map(
    trials.flatMap(({ place }) => (place === null ? [] : [[place.jobKey, place.jobName]])),
  );
  return jobs.map((key) => names.get(key) ?? key).join(", ");
}

function findNext(scope: ReviewScope, rows: readonly ConflictRow[], place: number): Route | null {
  const todo = rows.filter((row) => row.standing === "todo" && row.place !== place);
  const next = todo.find((row) => row.place > place) ?? todo[0];
  return next === undefined
    ? null
    : conflictsHref({ queue: scope.queue, jobs: scope.jobs, open: next.place });
}

export interface DecisionTarget {
  readonly subject: ScopeTrial["subject"];
  readonly place: number;
  readonly sources: readonly { readonly versionId: string; readonly reviewerId: string }[];
}

/** @throws ConflictError if a reviewer changed a judgment since; NotFoundError; StoreError */
export async function getDecisionTarget(
  scope: ReviewScope,
  sources: readonly string[],
): Promise<DecisionTarget> {
  const conflicts = listConflicts(await getScope(await getStore(), scope));
  const index = conflicts.findIndex(
    ({ labels }) =>
      labels.length === sources.length &&
      labels.every(({ annotation }) => sources.includes(annotation.versionId)),
  );
  const trial = conflicts[index];
  if (trial === undefined)
    throw new ConflictError("A reviewer changed a judgment meanwhile. Look at both again.", null);
  const { subject, labels } = trial;
  return {
    subject,
    place: index + 1,
    sources: labels.map(({ annotation: { versionId, reviewerId } }) => ({ versionId, reviewerId })),
  };
}

/** Returns null if no conflict is left for this decider. @throws NotFoundError; StoreError */
export async function getNextConflict(
  scope: ReviewScope,
  place: number,
  decidedBy: string,
): Promise<Route | null> {
  const conflicts = listConflicts(await getScope(await getStore(), scope));
  const key = computeReviewerKey(decidedBy);
  const rows = conflicts.map((trial, index) => toRow(trial, index + 1, key));
  return findNext(scope, rows, place);
}
