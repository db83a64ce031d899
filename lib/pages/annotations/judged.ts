import "server-only";
import { type AnnotationSubject, isSameTrial } from "@/lib/core/domain/annotation";
import { unlessUnreadable, NotFoundError } from "@/lib/core/domain/app-error";
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
  readImportedTags,
  type TrialJudgments,
  readQueue,
} from "@/lib/people/annotations";
import {
  groupPlaces,
  listJudgedTrials,
  listQueueTrials,
  type PlacesByName,
  type ScopeTrial,
} from "@/lib/people/labels/draws";
import {
  type IndexStore,
  type MachineTag,
  readIndexState,
  readTrialPlaces,
  type TrialPlace,
} from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";

export interface JudgedTrial extends TrialPlace {
  readonly judgments: TrialJudgments;
}

export type JudgedOfJob = ReadonlyMap<string, JudgedTrial>;

export type Judged = Awaited<ReturnType<typeof readJudged>>;

export type ReviewCounts = ReturnType<typeof countReviews>;

const keep = createGenerationCache(2);

export async function getJudged(store: IndexStore, annotations: AnnotationStore = getAnnotationStore()) {
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
export function getJudgedOrNull(store: IndexStore, annotations: AnnotationStore = getAnnotationStore()) {
  return unlessUnreadable(() => getJudged(store, annotations), null);
}

export async function getJudgedOfJob(store: IndexStore, jobRowId: number): Promise<JudgedOfJob | null> {
  const judged = await getJudgedOrNull(store);
  return judged === null ? null : (judged.byJob.get(jobRowId) ?? new Map());
}

async function readJudged(store: IndexStore, annotations: AnnotationStore) {
  const findDecision = createDecisionFinder(await listDecisions(annotations));
  const stored = await listAll(annotations);
  const byName = groupByName(stored);
  const places = byName.size === 0 ? [] : await readTrialPlaces(store, byName.keys());
  const byJob = Map.groupBy(places, ({ jobRowId }) => jobRowId);
  return {
    stored,
    places: Map.groupBy(places, ({ trialName }) => trialName),
    // Jobs without a judgment that counts may be absent.
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

export function countReviews(trials: readonly JudgedTrial[]) {
  const nDisagreeing = trials.filter(({ judgments }) => judgments.disagrees).length;
  return { nJudged: trials.length, nDisagreeing };
}

export interface ReviewScope {
  readonly queue: string | null;
  readonly jobs: readonly string[];
}

export type ScopeContent = Awaited<ReturnType<typeof getScope>>;

/** Lists trials in queue order; outside a queue, last judged first. */
export async function getScope(
  store: IndexStore,
  { queue: queueId, jobs }: ReviewScope,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const findDecision = createDecisionFinder(await listDecisions(annotations));
  const queue = queueId === null ? null : await readQueue(annotations, queueId);
  if (queueId !== null && queue === null) throw new NotFoundError("This queue does not exist.");
  const readJudgedTrials = async () => {
    const judged = await getJudged(store, annotations);
    return listJudgedTrials(judged.stored, judged.places, findDecision);
  };
  const trials =
    queue === null
      ? await readJudgedTrials()
      : listQueueTrials(
          queue,
          await readPlacesByName(
            store,
            queue.items.map(({ subject }) => subject),
          ),
          findDecision,
        );
  const isInJobs = ({ place }: ScopeTrial) => place !== null && jobs.includes(place.jobKey);
  return { queue, trials: jobs.length === 0 ? trials : trials.filter(isInJobs) };
}

export async function readPlacesByName(
  store: IndexStore,
  subjects: readonly Pick<AnnotationSubject, "trialName">[],
): Promise<PlacesByName> {
  const names = new Set(subjects.map(({ trialName }) => trialName));
  const places = names.size === 0 ? [] : await readTrialPlaces(store, names);
  return groupPlaces(places);
}

/** `isWhole` is false if part of the input could not be read; such a value is not cached. */
interface Made<T> {
  readonly value: T;
  readonly isWhole: boolean;
}

/** Carries an incomplete value past the cache, which keeps nothing that failed. */
class NotWhole extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super("Not all that it is made of could be read.");
    this.value = value;
  }
}

/**
 * Creates a `createGenerationCache` that every statement also empties, because each value covers all judgments. Nothing is
 * cached while judgments cannot be read.
 */
export function createAnnotatedCache(limit: number) {
  const keep = createGenerationCache(limit);
  return async <T>(
    state: Parameters<typeof keep>[0],
    name: string,
    make: () => Promise<Made<T>>,
    annotations: AnnotationStore = getAnnotationStore(),
  ): Promise<T> => {
    // Read before `make` runs, so that the next request never misses a save in between.
    const said = await readAnnotationsVersion(annotations);
    if (said === null) return (await make()).value;
    const parts = [state.generation, annotations.place, said];
    try {
      return await keep({ store: state.store, generation: JSON.stringify(parts) }, name, async () => {
        const { value, isWhole } = await make();
        if (!isWhole) throw new NotWhole(value);
        return value;
      });
    } catch (error) {
      if (error instanceof NotWhole) return error.value as T; // Made by `make` under the same name.
      throw error;
    }
  };
}

const keepTags = createGenerationCache(2);

/**
 * Returns the imported tags of trials in open folders as machine tags: `id` is the tool, `version` the category, each pair once
 * per trial.
 */
export async function getPlacedTags(store: IndexStore, annotations: AnnotationStore = getAnnotationStore()) {
  const [{ generation }, { standing, version }] = await Promise.all([
    readIndexState(store),
    readImportedTags(annotations),
  ]);
  if (standing.length === 0) return [];
  return keepTags({ store, generation }, `${annotations.place} ${String(version)}`, async () => {
    const byName = Map.groupBy(standing, ({ trial }) => trial.trialName);
    const places = await readTrialPlaces(store, byName.keys());
    return places.flatMap(({ id: trialId, ...place }) => {
      const identity = { ...place, trialId };
      const { jobRowId, position, key, groupKey, state } = place;
      const at = { jobRowId, position, key, groupKey, isFinished: state === "finished" };
      const own = (byName.get(place.trialName) ?? []).filter(({ trial }) => isSameTrial(trial, identity));
      const tags = new Map(own.map((tag) => [`${tag.source}\n${tag.category}`, tag]));
      return Array.from(tags.values(), ({ source: id, category: version }): MachineTag => {
        return { ...at, kind: "import", id, version };
      });
    });
  });
}

/** Returns an empty map if tags cannot be read; the page frame reports that. */
export async function readImportedTagKeys(store: IndexStore, categories: readonly string[]) {
  const tags = await unlessUnreadable(() => getPlacedTags(store), []);
  const given = tags.filter(({ version }) => categories.includes(version));
  const byJob = Map.groupBy(given, ({ jobRowId }) => jobRowId);
  return new Map(Array.from(byJob, ([id, own]) => [id, new Set(own.map(({ key }) => key))]));
}
