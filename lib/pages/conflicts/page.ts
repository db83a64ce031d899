import "server-only";
import type { Route } from "next";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ConflictError } from "@/lib/core/domain/app-error";
import type { ItemState } from "@/lib/core/domain/review";
import { formatTask } from "@/lib/core/format/words";
import { conflictsHref, type ConflictsParams } from "@/lib/pages/annotations/review-address";
import { type AnnotationStore, getAnnotationStore, readCodebook } from "@/lib/people/annotations";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";
import type { IndexStore } from "@/lib/store/tables";

import { computeScopeAgreement } from "../annotations/agreement";
import { readIndexTime } from "../annotations/judged";
import { getActor, getReviewer } from "../annotations/reviewer";
import { getScope, type ReviewScope, type ScopeContent } from "../annotations/scope";
import { createGenerationCache } from "../shell/cache";
import { getIdentityOf, getStore } from "../shell/catalog";
import { openConflict } from "./open-conflict";

export type ConflictRow = ReturnType<typeof toRow>;

export type ConflictsPage = Awaited<ReturnType<typeof getConflictsPage>>;

const CONFLICT_STATES: ReadonlySet<ItemState> = new Set<ItemState>(["conflict", "adjudicated", "contested"]);

/** @throws NotFoundError for an unknown queue; StoreError */
export async function getConflictsPage(params: ConflictsParams) {
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
    // Defers included.
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

const keep = createGenerationCache(8);

async function readAgreement(store: IndexStore, { queue, jobs }: ReviewScope, annotations: AnnotationStore) {
  const [{ generation, version }, history] = await Promise.all([
    readIndexTime(store, annotations),
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

/** @param place - from 1 among the conflicts of the scope; a decision does not change it */
function toRow(
  { subject, place: found, state, labels, decision, final }: ScopeTrial,
  place: number,
  reviewerKey: string,
) {
  const isOpen = state === "conflict";
  const isOwn = labels.some((label) => label.reviewerKey === reviewerKey);
  // `own` waits for a decision too, but the current user is one of its reviewers.
  const standing: "todo" | "own" | "decided" = isOpen ? (isOwn ? "own" : "todo") : "decided";
  return {
    place,
    taskName: formatTask(subject),
    attempt: found?.attempt ?? null,
    standing,
    judgments: labels.map(({ annotation }) => annotation.judgment),
    // Null also if left open on purpose.
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

/** @throws ConflictError if a reviewer changed a judgment since; NotFoundError; StoreError */
export async function getDecisionTarget(scope: ReviewScope, sources: readonly string[]) {
  const conflicts = listConflicts(await getScope(await getStore(), scope));
  const index = conflicts.findIndex(
    ({ labels }) =>
      labels.length === sources.length &&
      labels.every(({ annotation }) => sources.includes(annotation.versionId)),
  );
  const trial = conflicts[index];
  if (trial === undefined)
    throw new ConflictError("A reviewer changed a judgment meanwhile. Check both again.", null);
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
