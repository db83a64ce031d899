import {
  type Decision,
  type FindDecision,
  orderByFirst,
  type Queue,
  type ReviewerChain,
  type Settled,
  settleJudgments,
  type TrialAnnotations,
} from "@/lib/annotations";
import {
  type Annotation,
  type AnnotationSubject,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/domain/annotation";
import { hasChanged, parseFingerprint } from "@/lib/domain/fingerprint";
import type { Judgment } from "@/lib/domain/judgment";
import type { ItemState } from "@/lib/domain/review";
import type { TrialPlace } from "@/lib/store";

/** One reviewer's standing judgment; of a queue the one that was saved blind. */
export interface ScopeLabel {
  readonly reviewerKey: string;
  readonly annotation: Annotation;
  /** Whether result or trajectory changed since, so that it has to be confirmed before figures count it. */
  readonly isStale: boolean;
}

/** A trial that somebody judged or that waits in a queue, with all that people say of it. */
export interface ScopeTrial {
  /** Where it is in the open folders now; null when it is in none. */
  readonly place: TrialPlace | null;
  /** As it was named when it was judged last, or when the queue was made. */
  readonly subject: AnnotationSubject;
  /** In the order of the first judgments; empty where it waits for the first. */
  readonly labels: readonly ScopeLabel[];
  readonly decision: Decision | null;
  readonly state: ItemState;
  /** What people say in the end: what all agree on, or what was decided; null while that is open. */
  readonly final: Judgment | null;
  /** Of a queue: place from 0, and how many are to judge it. */
  readonly position: number | null;
  readonly nReviewers: number;
}

export type PlacesByName = ReadonlyMap<string, readonly TrialPlace[]>;

export function groupPlaces(places: readonly TrialPlace[]): PlacesByName {
  return Map.groupBy(places, ({ trialName }) => trialName);
}

/** Finds a trial in the open folders; of several copies the one in a job of the same name. Null when it is in none. */
export function findTrialPlace(places: PlacesByName, subject: TrialIdentity): TrialPlace | null {
  const same = (places.get(subject.trialName) ?? []).filter(({ id, ...place }) =>
    isSameTrial(subject, { ...place, trialId: id }),
  );
  return same.find(({ jobName }) => jobName === subject.jobName) ?? same[0] ?? null;
}

/** What was or is not known of a trial's files is no change. */
function toLabel(reviewerKey: string, annotation: Annotation, place: TrialPlace | null): ScopeLabel {
  const before = parseFingerprint(annotation.fingerprint);
  const isStale = place !== null && hasChanged(before, place.fingerprint);
  return { reviewerKey, annotation, isStale };
}

/** The standing judgments of a trial, in the order of the first judgments. */
export function listLabels(
  chains: readonly ReviewerChain[],
  place: TrialPlace | null = null,
): readonly ScopeLabel[] {
  return orderByFirst(chains).flatMap(({ reviewerKey, current }) =>
    current === null ? [] : [toLabel(reviewerKey, current, place)],
  );
}

/** The trials that somebody judged, in the order given, with what people say of them; those whose judgments were all undone are left out. */
export function listJudgedTrials(
  stored: readonly TrialAnnotations[],
  places: PlacesByName,
  findDecision: FindDecision,
): readonly ScopeTrial[] {
  return stored.flatMap(({ subject, chains }): readonly ScopeTrial[] => {
    const place = findTrialPlace(places, subject);
    const labels = listLabels(chains, place);
    if (labels.length === 0) return [];
    const decision = findDecision(subject);
    const settled = settle(labels, decision, 1);
    return [{ place, subject, labels, decision, ...settled, position: null, nReviewers: 1 }];
  });
}

/** The trials of a queue in its order, with what people say of them for it. */
export function listQueueTrials(
  { items }: Pick<Queue, "items">,
  places: PlacesByName,
  findDecision: FindDecision,
): readonly ScopeTrial[] {
  return items.map(({ subject, labels: said, position, nReviewers }) => {
    const place = findTrialPlace(places, subject);
    const labels = said.map(({ reviewerKey, blind }) => toLabel(reviewerKey, blind, place));
    const decision = findDecision(subject);
    const settled = settle(labels, decision, nReviewers);
    return { place, subject, labels, decision, ...settled, position, nReviewers };
  });
}

/** See `settleJudgments`. */
export function settle(
  labels: readonly ScopeLabel[],
  decision: Decision | null,
  nReviewers: number,
): Settled {
  return settleJudgments(
    labels.map(({ annotation }) => annotation.judgment),
    decision,
    nReviewers,
  );
}
