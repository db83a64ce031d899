import "server-only";

import {
  type AnnotationStore,
  createDecisionFinder,
  type Decision,
  type FindDecision,
  getAnnotationStore,
  listDecisions,
  orderByFirst,
  type Queue,
  readQueue,
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
import { NotFoundError } from "@/lib/domain/app-error";
import { hasChanged, parseFingerprint } from "@/lib/domain/fingerprint";
import type { Judgment } from "@/lib/domain/judgment";
import type { ItemState } from "@/lib/domain/review";
import { type IndexStore, readTrialPlaces, type TrialPlace } from "@/lib/store";

import { getJudged, type Judged } from "./judged";

/** The judgments that figures are about: of one queue, of some jobs, or all of them. */
export interface ReviewScope {
  readonly queue: string | null;
  readonly jobs: readonly string[];
}

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

/** All trials of a scope. */
export interface ScopeContent {
  readonly queue: Queue | null;
  /** Of a queue in its order, else the one judged last first. */
  readonly trials: readonly ScopeTrial[];
}

/**
 * Reads what people say of the trials of a scope.
 *
 * @param known - all decisions, by whoever read them already
 * @throws NotFoundError without such a queue; StoreError
 */
export async function getScope(
  store: IndexStore,
  scope: ReviewScope,
  annotations: AnnotationStore = getAnnotationStore(),
  known: readonly Decision[] | null = null,
): Promise<ScopeContent> {
  const [judged, decisions, queue] = await Promise.all([
    scope.queue === null ? getJudged(store, annotations) : null,
    known ?? listDecisions(annotations),
    scope.queue === null ? null : readQueue(annotations, scope.queue),
  ]);
  if (scope.queue !== null && queue === null) throw new NotFoundError("There is no such queue.");
  const findDecision = createDecisionFinder(decisions);
  const placesOf = await readPlacesByName(store, queue?.items.map(({ subject }) => subject) ?? []);
  const trials =
    judged !== null
      ? judged.stored.flatMap((trial) => readTrial(trial, judged, findDecision))
      : (queue?.items ?? []).map((item): ScopeTrial => {
          const place = findTrialPlace(placesOf, item.subject);
          const labels = item.labels.map(({ reviewerKey, blind }) => toLabel(reviewerKey, blind, place));
          const decision = findDecision(item.subject);
          return {
            place,
            subject: item.subject,
            labels,
            decision,
            ...settle(labels, decision, item.nReviewers),
            position: item.position,
            nReviewers: item.nReviewers,
          };
        });
  const { jobs } = scope;
  return {
    queue,
    trials:
      jobs.length === 0
        ? trials
        : trials.filter(({ place }) => place !== null && jobs.includes(place.jobKey)),
  };
}

/** Trials of the open folders by name. */
type PlacesByName = ReadonlyMap<string, readonly TrialPlace[]>;

/** The trials of the open folders that have the name of one of these. */
export async function readPlacesByName(
  store: IndexStore,
  subjects: readonly Pick<AnnotationSubject, "trialName">[],
): Promise<PlacesByName> {
  const names = new Set(subjects.map(({ trialName }) => trialName));
  const places = names.size === 0 ? [] : await readTrialPlaces(store, names);
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

function readTrial(
  trial: TrialAnnotations,
  judged: Judged,
  findDecision: FindDecision,
): readonly ScopeTrial[] {
  const place = findTrialPlace(judged.places, trial.subject);
  const labels = listLabels(trial.chains, place);
  if (labels.length === 0) return [];
  const decision = findDecision(trial.subject);
  return [
    {
      place,
      subject: trial.subject,
      labels,
      decision,
      ...settle(labels, decision, 1),
      position: null,
      nReviewers: 1,
    },
  ];
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
