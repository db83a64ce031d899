import {
  type Annotation,
  type AnnotationSubject,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { hasChanged, parseFingerprint } from "@/lib/core/domain/fingerprint";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { ItemState } from "@/lib/core/domain/review";
import {
  type Decision,
  type FindDecision,
  orderByFirst,
  type Queue,
  type ReviewerChain,
  type Settled,
  settleJudgments,
  type TrialAnnotations,
} from "@/lib/people/annotations";
import type { TrialPlace } from "@/lib/store/tables";

/** A reviewer's current judgment; in a queue the one that was saved blind. */
export interface ScopeLabel {
  readonly reviewerKey: string;
  readonly annotation: Annotation;
  /** True if result or trajectory changed since; figures exclude it until confirmed. */
  readonly isStale: boolean;
}

export interface ScopeTrial {
  readonly place: TrialPlace | null;
  readonly subject: AnnotationSubject;
  /** In order of the first judgments; empty while unreviewed. */
  readonly labels: readonly ScopeLabel[];
  readonly decision: Decision | null;
  readonly state: ItemState;
  /** The agreed or decided judgment; null while open. */
  readonly final: Judgment | null;
  /** Position in the queue from 0, and number of required reviews. */
  readonly position: number | null;
  readonly nReviewers: number;
}

export type PlacesByName = ReadonlyMap<string, readonly TrialPlace[]>;

export function groupPlaces(places: readonly TrialPlace[]): PlacesByName {
  return Map.groupBy(places, ({ trialName }) => trialName);
}

/** Prefers the copy in a job of the same name. Null if no open folder has it. */
export function findTrialPlace(places: PlacesByName, subject: TrialIdentity): TrialPlace | null {
  const same = (places.get(subject.trialName) ?? []).filter(({ id, ...place }) =>
    isSameTrial(subject, { ...place, trialId: id }),
  );
  return same.find(({ jobName }) => jobName === subject.jobName) ?? same[0] ?? null;
}

/** An unknown file state is not a change. */
function toLabel(reviewerKey: string, annotation: Annotation, place: TrialPlace | null): ScopeLabel {
  const before = parseFingerprint(annotation.fingerprint);
  const isStale = place !== null && hasChanged(before, place.fingerprint);
  return { reviewerKey, annotation, isStale };
}

export function listLabels(
  chains: readonly ReviewerChain[],
  place: TrialPlace | null = null,
): readonly ScopeLabel[] {
  return orderByFirst(chains).flatMap(({ reviewerKey, current }) =>
    current === null ? [] : [toLabel(reviewerKey, current, place)],
  );
}

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
