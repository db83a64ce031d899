import "server-only";
import type { Route } from "next";

import {
  type Annotation,
  type QueuePlace,
  computeReviewerKey,
  DRAFT_LIMITS,
} from "@/lib/core/domain/annotation";
import { ConflictError } from "@/lib/core/domain/app-error";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { Judgment } from "@/lib/core/domain/judgment";
import { type BlindPart, type EvidenceAnchor, isSameAnchor, type ItemState } from "@/lib/core/domain/review";
import { formatCount } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { conflictsHref, type ConflictsParams } from "@/lib/pages/annotations/review-address";
import {
  type Actor,
  type AnnotationStore,
  type CodebookHistory,
  mayWithdraw,
  type Queue,
  resolveLabel,
  getAnnotationStore,
  readCodebook,
} from "@/lib/people/annotations";
import type { ScopeTrial } from "@/lib/people/labels/draws";
import type { IndexStore } from "@/lib/store/tables";

import { computeScopeAgreement } from "../annotations/agreement";
import { readIndexTime, getScope, type ReviewScope, type ScopeContent } from "../annotations/judged";
import { describeCategories, type OfferedCategory, readOffers, openAt } from "../annotations/review";
import { getActor, getReviewer } from "../annotations/reviewer";
import { createGenerationCache } from "../shell/cache";
import { type IdentityOf, getIdentityOf, getStore } from "../shell/catalog";
import { isFileShown } from "../trial/blind";

/** Plain data for the browser. It must contain nothing that its page hides. */
export type OpenConflict = Awaited<ReturnType<typeof openConflict>>;
export type ConflictReview = OpenConflict["reviews"][number];
export type SharedAnchor = OpenConflict["anchors"][number];

interface ConflictReader {
  readonly place: number;
  readonly queue: Queue | null;
  readonly history: CodebookHistory;
  readonly annotations: AnnotationStore;
  readonly actor: Actor;
  readonly reviewerKey: string;
  readonly identityOf: IdentityOf;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** For all reviewers together, in UTF-16 units: three notes of maximum length fit. */
const NOTES_LENGTH = 3 * DRAFT_LIMITS.notes;
const MOST_ANCHORS = 200;

/** Before a decision, leaves out everything that the queue or any judgment hides. */
export async function openConflict(trial: ScopeTrial, reader: ConflictReader) {
  const { queue, history, annotations, actor, reviewerKey } = reader;
  const { subject, labels, place: found, decision } = trial;
  const hidden = trial.state === "conflict" ? listHidden(trial, queue) : [];
  const item = findItem(trial, queue);
  const isShown = (anchor: EvidenceAnchor) => isPlaceShown(anchor, hidden);
  const shown = labels.slice(0, LETTERS.length);
  const reviews = shown.map((label, index) => {
    const { evidence, ...annotation } = label.annotation;
    const letter = LETTERS.charAt(index);
    return {
      ...pickReview(annotation, Math.floor(NOTES_LENGTH / shown.length)),
      letter,
      reviewerKey: label.reviewerKey,
      isStale: label.isStale,
      categories: listToday(label.annotation, history),
      anchors: evidence.filter(isShown),
    };
  });
  const ids = labels.map(({ annotation }) => annotation.versionId);
  return {
    place: reader.place,
    taskName: formatTask(subject),
    attempt: found?.attempt ?? null,
    at: linkTrial(trial, item, hidden),
    context: readContext(trial, hidden, reader.identityOf),
    reviews,
    nMoreReviews: labels.length - shown.length,
    anchors: mergeAnchors(reviews).slice(0, MOST_ANCHORS),
    // In verifier output, until a decision is saved.
    nHiddenAnchors: labels.flatMap(({ annotation }) => annotation.evidence).filter((one) => !isShown(one))
      .length,
    // They identify the trial to the server.
    sources: ids,
    decision: decision && { ...decision, categories: listToday(decision, history) },
    isChangedSince: decision !== null && decision.sources.toSorted().join() !== ids.toSorted().join(),
    mayUndo: decision !== null && (await mayWithdraw(annotations, decision.decisionId, actor)),
    // Then another user must decide.
    isOwn: labels.some((label) => label.reviewerKey === reviewerKey),
    offered: await listOffered(trial, reviews, hidden, reader),
    storageKey:
      item === null
        ? `${subject.trialId ?? subject.jobName}/${subject.trialName}`
        : `${item.queueId}/${String(item.position)}`,
  };
}

/** Includes what any reviewer judged without seeing, since the address may name no queue. */
function listHidden({ labels }: ScopeTrial, queue: Queue | null): readonly BlindPart[] {
  const judged = labels.flatMap(({ annotation }) => annotation.hidden ?? []);
  return [...new Set([...(queue?.settings.hides ?? []), ...judged])];
}

function findItem({ labels, position }: ScopeTrial, queue: Queue | null): QueuePlace | null {
  if (queue !== null && position !== null) return { queueId: queue.queueId, position };
  const blind = labels.find(({ annotation: { hidden } }) => hidden !== null && hidden.length > 0);
  return blind?.annotation.queue ?? null;
}

function pickReview(annotation: Omit<Annotation, "evidence">, most: number) {
  const { versionId, reviewerId, reviewerDiscipline: discipline, timestamp, ...said } = annotation;
  const { judgment, confidence, notes } = said;
  const isCut = notes !== null && notes.length > most;
  const cut = `${notes?.slice(0, most).toWellFormed() ?? ""}… (${formatCount(notes?.length ?? 0)} characters)`;
  return {
    ...{ versionId, reviewerId, timestamp, judgment, confidence, discipline },
    notes: isCut ? cut : notes,
  };
}

/** Tests, dimensions and hidden files would reveal what is hidden. */
function isPlaceShown({ kind, place }: EvidenceAnchor, hidden: readonly BlindPart[]): boolean {
  if (kind === "test" || kind === "dimension") return !hidden.includes("verifier");
  return kind !== "artifact" || isFileShown(place, hidden);
}

/** While anything is hidden, opens the trial in its queue, whose address does not identify it. */
function linkTrial({ place }: ScopeTrial, item: QueuePlace | null, hidden: readonly BlindPart[]) {
  if (place === null) return null;
  if (item !== null && hidden.length > 0) return openAt({ kind: "item", ...item });
  return openAt({ kind: "trial", jobKey: place.jobKey, trialKey: place.key, list: null });
}

function readContext(
  { subject, place }: ScopeTrial,
  hidden: readonly BlindPart[],
  identityOf: ConflictReader["identityOf"],
) {
  const { agent, model, jobName, outcomeSeen, rewardSeen } = subject;
  const hidesAgent = hidden.includes("agent");
  return {
    agent: hidesAgent ? null : { name: agent, model, identity: identityOf(agent, model) },
    jobName: hidesAgent ? null : (place?.jobName ?? jobName),
    verifier: hidden.includes("verifier")
      ? null
      : { outcome: place?.outcome ?? outcomeSeen, reward: place === null ? rewardSeen : place.reward },
  };
}

function listToday(
  { categories, codebookVersion }: Pick<Annotation, "categories" | "codebookVersion">,
  history: CodebookHistory,
): readonly string[] {
  const labels = categories.map((label) => resolveLabel(history, label, codebookVersion)?.label ?? label);
  return [...new Set(labels)];
}

/** Merges anchors at the same place. Steps come first in trace order, then the rest by name. */
function mergeAnchors(
  reviews: readonly { readonly anchors: readonly EvidenceAnchor[]; readonly letter: string }[],
) {
  const merged: (EvidenceAnchor & { readonly letters: readonly string[] })[] = [];
  const all = reviews.flatMap(({ anchors, letter }) => anchors.map((anchor) => ({ anchor, letter })));
  for (const { anchor, letter } of all) {
    const at = merged.findIndex((other) => isSameAnchor(other, anchor));
    const same = merged[at];
    if (same === undefined) merged.push({ ...anchor, letters: [letter] });
    else merged[at] = { ...same, quote: same.quote ?? anchor.quote, letters: [...same.letters, letter] };
  }
  return merged.toSorted(
    (a, b) =>
      Number(a.kind !== "step") - Number(b.kind !== "step") ||
      compareNames(a.kind, b.kind) ||
      compareNames(a.place, b.place) ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

async function listOffered(
  { subject }: ScopeTrial,
  reviews: readonly { readonly categories: readonly string[] }[],
  hidden: readonly BlindPart[],
  { annotations, history }: ConflictReader,
) {
  const { byJudgment } = await readOffers(annotations, subject, hidden);
  const given = describeCategories(history, [...new Set(reviews.flatMap(({ categories }) => categories))]);
  const offer = (judgment: Judgment): readonly OfferedCategory[] => [
    ...given,
    ...byJudgment[judgment].filter(({ label }) => given.every((one) => one.label !== label)),
  ];
  return { pass: offer("pass"), fail: offer("fail"), defer: offer("defer"), open: given };
}

export type ConflictRow = ReturnType<typeof toRow>;

export type ConflictsPage = Awaited<ReturnType<typeof getConflictsPage>>;

const CONFLICT_STATES: ReadonlySet<ItemState> = new Set<ItemState>(["conflict", "adjudicated", "contested"]);

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
  const { queue } = content;
  const reader = { place, queue, history, annotations, actor, reviewerKey, identityOf };
  return {
    scope: { queue: params.queue, jobs: params.jobs },
    name: nameScope(params, content),
    isOfQueue: queue !== null,
    // Defers included.
    nTwice: content.trials.filter(({ labels }) => labels.length >= 2).length,
    agreement,
    rows,
    open: trial === undefined ? null : await openConflict(trial, reader),
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

/** Returns null if no conflict is left for this decider. */
export async function getNextConflict(scope: ReviewScope, place: number, decidedBy: string) {
  const conflicts = listConflicts(await getScope(await getStore(), scope));
  const key = computeReviewerKey(decidedBy);
  const rows = conflicts.map((trial, index) => toRow(trial, index + 1, key));
  return findNext(scope, rows, place);
}
