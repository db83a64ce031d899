import "server-only";
import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { NotFoundError } from "@/lib/core/domain/app-error";
import {
  type AnnotationStore,
  createDecisionFinder,
  type Decision,
  getAnnotationStore,
  listDecisions,
  type Queue,
  readQueue,
} from "@/lib/people/annotations";
import {
  groupPlaces,
  listJudgedTrials,
  listQueueTrials,
  type PlacesByName,
  type ScopeTrial,
} from "@/lib/people/labels/scope-trials";
import { type IndexStore, readTrialPlaces } from "@/lib/store/tables";

import { getJudged } from "./judged";

export interface ReviewScope {
  readonly queue: string | null;
  readonly jobs: readonly string[];
}

export interface ScopeContent {
  readonly queue: Queue | null;
  /** In queue order; outside a queue, last judged first. */
  readonly trials: readonly ScopeTrial[];
}

/**
 * @param known - all decisions, if already read
 * @throws NotFoundError for an unknown queue; StoreError
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
  if (scope.queue !== null && queue === null) throw new NotFoundError("This queue does not exist.");
  const findDecision = createDecisionFinder(decisions);
  const placesOf = await readPlacesByName(store, queue?.items.map(({ subject }) => subject) ?? []);
  const trials =
    judged === null
      ? listQueueTrials(queue ?? { items: [] }, placesOf, findDecision)
      : listJudgedTrials(judged.stored, judged.places, findDecision);
  const { jobs } = scope;
  return {
    queue,
    trials:
      jobs.length === 0
        ? trials
        : trials.filter(({ place }) => place !== null && jobs.includes(place.jobKey)),
  };
}

export async function readPlacesByName(
  store: IndexStore,
  subjects: readonly Pick<AnnotationSubject, "trialName">[],
): Promise<PlacesByName> {
  const names = new Set(subjects.map(({ trialName }) => trialName));
  const places = names.size === 0 ? [] : await readTrialPlaces(store, names);
  return groupPlaces(places);
}
