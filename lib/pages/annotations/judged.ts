import "server-only";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
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
} from "@/lib/people/annotations";
import { type IndexStore, readIndexState, readTrialPlaces, type TrialPlace } from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";

export interface JudgedTrial extends TrialPlace {
  readonly judgments: TrialJudgments;
}

export type JudgedOfJob = ReadonlyMap<string, JudgedTrial>;

export interface Judged {
  readonly stored: readonly TrialAnnotations[];
  readonly places: ReadonlyMap<string, readonly TrialPlace[]>;
  /** By job row id; jobs without a judgment that counts may be absent. */
  readonly byJob: ReadonlyMap<number, JudgedOfJob>;
}

export interface ReviewCounts {
  readonly nJudged: number;
  readonly nDisagreeing: number;
}

const keep = createGenerationCache(2);

export async function getJudged(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Judged> {
  const { version, ...at } = await readIndexTime(store, annotations);
  return keep(at, `${annotations.place} ${version}`, () => readJudged(store, annotations));
}

/** Returns the states of the index and of all judgments, which a value computed of both is kept for. */
export async function readIndexTime(store: IndexStore, annotations: AnnotationStore) {
  const [{ generation }, version] = await Promise.all([
    readIndexState(store),
    readAnnotationsVersion(annotations),
  ]);
  return { store, generation, version: String(version) };
}

/** Returns null if judgments cannot be read, which differs from no judgments. */
export function getJudgedOrNull(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Judged | null> {
  return unlessUnreadable(() => getJudged(store, annotations), null);
}

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
  // `uuid` is null because each trial carries its job's id.
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
