import "server-only";

import {
  type AnnotationStore,
  createDecisionFinder,
  type FindDecision,
  getAnnotationStore,
  groupByName,
  listAll,
  listDecisions,
  matchJudgments,
  readAnnotationsVersion,
  type TrialAnnotations,
  type TrialJudgments,
} from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import { type IndexStore, readIndexState, readTrialPlaces, type TrialPlace } from "@/lib/store";

import { createGenerationCache } from "../shell/cache";

/** A trial of the open folders that somebody judged. */
export interface JudgedTrial extends TrialPlace {
  readonly judgments: TrialJudgments;
}

export type JudgedOfJob = ReadonlyMap<string, JudgedTrial>;

/** Everything that was ever judged, and where it is in the open folders. */
export interface Judged {
  readonly stored: readonly TrialAnnotations[];
  /** Trials of the open folders by name, whether or not a judgment of them still counts. */
  readonly places: ReadonlyMap<string, readonly TrialPlace[]>;
  /** By row id of the job; jobs without a judgment that counts may be absent. */
  readonly byJob: ReadonlyMap<number, JudgedOfJob>;
}

/** How many trials reviewers judged, and on how many of those they contradict the verifier. */
export interface ReviewCounts {
  readonly nJudged: number;
  readonly nDisagreeing: number;
}

const keep = createGenerationCache(2);

/** Reads all judgments with their trials, once while neither changes. @throws StoreError */
export async function getJudged(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Judged> {
  const [{ generation }, version] = await Promise.all([
    readIndexState(store),
    readAnnotationsVersion(annotations),
  ]);
  return keep({ store, generation }, `${annotations.place} ${version}`, () => readJudged(store, annotations));
}

/** {@link getJudged} for lists that stand without it; null when it cannot be read, which is not "nobody judged". */
export async function getJudgedOrNull(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Judged | null> {
  try {
    return await getJudged(store, annotations);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** The judged trials of one job; null as in {@link getJudgedOrNull}. */
export async function getJudgedOfJob(store: IndexStore, jobRowId: number): Promise<JudgedOfJob | null> {
  const judged = await getJudgedOrNull(store);
  return judged === null ? null : (judged.byJob.get(jobRowId) ?? new Map());
}

async function readJudged(store: IndexStore, annotations: AnnotationStore): Promise<Judged> {
  const findDecision = createDecisionFinder(await listDecisions(annotations));
  const stored = await listAll(annotations);
  const byName = groupByName(stored);
  const places = byName.size === 0 ? [] : await readTrialPlaces(store, byName.keys());
  const byJob = Map.groupBy(places, ({ jobRowId }) => jobRowId);
  return {
    stored,
    places: Map.groupBy(places, ({ trialName }) => trialName),
    byJob: new Map([...byJob].map(([id, trials]) => [id, matchTrials(byName, trials, findDecision)])),
  };
}

function matchTrials(
  byName: ReturnType<typeof groupByName>,
  trials: readonly TrialPlace[],
  findDecision: FindDecision,
): JudgedOfJob {
  // Each trial names its job's id itself.
  const job = { uuid: null, name: trials[0]?.jobName ?? "" };
  const byKey = matchJudgments(byName, { job, trials }, findDecision);
  return new Map(
    trials.flatMap((trial) => {
      const judgments = byKey.get(trial.key);
      return judgments === undefined ? [] : [[trial.key, { ...trial, judgments }] as const];
    }),
  );
}

export function countReviews(trials: readonly JudgedTrial[]): ReviewCounts {
  return {
    nJudged: trials.length,
    nDisagreeing: trials.filter(({ judgments }) => judgments.disagrees).length,
  };
}
