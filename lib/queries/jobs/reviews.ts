import "server-only";

import {
  type AnnotationStore,
  groupByName,
  listAll,
  matchJudgments,
  type TrialAnnotations,
  type TrialJudgments,
} from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import { type IndexStore, type JobHead, readTrialPlaces, type TrialPlace } from "@/lib/store";

/** How many of some trials reviewers judged, and on how many of those one contradicts the verifier. */
export interface ReviewCounts {
  readonly nJudged: number;
  readonly nDisagreeing: number;
}

/** Counts by group of a job; groups that nobody judged are absent. Null when the annotations cannot be read. */
export type JobReviews = ReadonlyMap<string, ReviewCounts> | null;

interface JudgedTrials {
  readonly store: IndexStore;
  readonly generation: number;
  readonly byName: ReadonlyMap<string, readonly TrialAnnotations[]>;
  readonly byHead: ReadonlyMap<number, readonly TrialPlace[]>;
  readonly reviews: Map<number, ReadonlyMap<string, ReviewCounts>>;
}

/** By the list of all annotations, which stays the same object until something is saved. */
const known = new WeakMap<readonly TrialAnnotations[], JudgedTrials>();

const NONE: ReadonlyMap<string, ReviewCounts> = new Map();

/**
 * What reviewers said about the trials of some jobs, by the jobs' ids. Costs one look at the annotations' last number
 * while nothing was saved and the index stays at `generation`.
 */
export async function readJobReviews(
  store: IndexStore,
  annotations: AnnotationStore,
  heads: readonly JobHead[],
  generation: number,
): Promise<ReadonlyMap<number, JobReviews>> {
  try {
    const judged = await findJudged(store, await listAll(annotations), generation);
    return new Map(heads.map((head) => [head.id, countJob(judged, head)]));
  } catch (error) {
    if (error instanceof StoreError) return new Map(heads.map(({ id }) => [id, null]));
    throw error;
  }
}

async function findJudged(
  store: IndexStore,
  all: readonly TrialAnnotations[],
  generation: number,
): Promise<JudgedTrials> {
  const before = known.get(all);
  if (before?.store === store && before.generation === generation) return before;
  const byName = groupByName(all);
  const trials = byName.size === 0 ? [] : await readTrialPlaces(store, byName.keys());
  const byHead = Map.groupBy(trials, ({ headId }) => headId);
  const reviews = new Map<number, ReadonlyMap<string, ReviewCounts>>();
  const judged = { store, generation, byName, byHead, reviews };
  known.set(all, judged);
  return judged;
}

function countJob(
  { byName, byHead, reviews }: JudgedTrials,
  head: JobHead,
): ReadonlyMap<string, ReviewCounts> {
  const trials = byHead.get(head.id);
  if (trials === undefined) return NONE;
  const before = reviews.get(head.id);
  if (before !== undefined) return before;
  const judgments = matchJudgments(byName, { job: head.job, trials });
  const byGroup = Map.groupBy(
    trials.filter(({ key }) => judgments.has(key)),
    ({ groupKey }) => groupKey,
  );
  const counts = new Map(
    [...byGroup].map(([group, same]) => [
      group,
      countReviews(same.flatMap(({ key }) => judgments.get(key) ?? [])),
    ]),
  );
  reviews.set(head.id, counts);
  return counts;
}

function countReviews(judgments: readonly TrialJudgments[]): ReviewCounts {
  return { nJudged: judgments.length, nDisagreeing: judgments.filter(({ disagrees }) => disagrees).length };
}
