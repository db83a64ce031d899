import "server-only";

import {
  type AnnotationStore,
  getAnnotationStore,
  listDecisions,
  listQueues,
  type Queue,
  type QueueHead,
  readAnnotationsVersion,
} from "@/lib/annotations";
import { readVerdict, type SampleMethod } from "@/lib/domain/review";
import { type IndexStore, readIndexState } from "@/lib/store";

import { createGenerationCache } from "../../shell/cache";
import { getScope, type ScopeTrial } from "../scope";
import { findPart, type ListPart } from "./part";
import { isDrawnFrom, type Population, readListPopulation, readWholeList } from "./population";

/**
 * Why the labels of a queue that chance drew do not count. `unknown-list`: its list is not known or not open. `changed-list`:
 * that list has other trials or verdicts now. `list-order`: its trials are judged in the order of the list and it is not done,
 * so that those judged so far are the first ones and no sample. `unreadable-trials`: trials of it cannot be read, and the rest is
 * not what chance drew.
 */
export type DrawProblem = "unknown-list" | "changed-list" | "list-order" | "unreadable-trials";

/** A queue whose trials were drawn by chance at known rates. */
export interface Draw {
  readonly queue: QueueHead;
  /** In its order, with what people say of them. */
  readonly trials: readonly ScopeTrial[];
  /** What it was drawn from; null where that is not known. */
  readonly population: Population | null;
  /** The same list without its filters by what came of the trials; `population` where it has none. */
  readonly whole: Population | null;
  /** What its list leaves out by what came of the trials; null where it leaves out none. */
  readonly part: ListPart | null;
  readonly problem: DrawProblem | null;
}

/** Everything that figures about the verifier begin with. */
export interface Draws {
  /** The newest first. */
  readonly draws: readonly Draw[];
  /** Every trial that somebody judged, drawn by chance or not. */
  readonly judged: readonly ScopeTrial[];
}

const BY_CHANCE: ReadonlySet<SampleMethod> = new Set<SampleMethod>(["random", "stratified", "planned"]);

const keep = createGenerationCache(2);

/** Reads all draws and judgments, once while neither these nor the index change. @throws StoreError */
export async function getDraws(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Draws> {
  const [{ generation }, version, { queues }, decisions] = await Promise.all([
    readIndexState(store),
    readAnnotationsVersion(annotations),
    listQueues(annotations),
    listDecisions(annotations),
  ]);
  const drawn = queues.filter(isByChance);
  const state = [version, queues.length].join(" ");
  return keep({ store, generation }, `${annotations.place} ${state}`, async () => {
    const { trials: judged } = await getScope(store, { queue: null, jobs: [] }, annotations, decisions);
    const draws: Draw[] = [];
    for (const queue of drawn) {
      const scope = { queue: queue.queueId, jobs: [] };
      const { trials, queue: stored } = await getScope(store, scope, annotations, decisions);
      if (stored !== null) draws.push(await readDraw({ store, generation, version: state }, stored, trials));
    }
    return { draws, judged };
  });
}

/** Whether chance drew a queue's trials at known rates. */
export function isByChance({ settings }: Pick<QueueHead, "settings">): boolean {
  return BY_CHANCE.has(settings.method) && settings.strata.length > 0;
}

/** Reads what a queue that chance drew was drawn from, as it is now. @throws StoreError */
export async function readDraw(
  at: Parameters<typeof readListPopulation>[0],
  { items: _, leases: __, skips: ___, unreadable, ...queue }: Queue,
  trials: readonly ScopeTrial[],
): Promise<Draw> {
  const { sourceHref } = queue.settings;
  const population = sourceHref === null ? null : await readListPopulation(at, sourceHref);
  const whole = sourceHref === null ? null : await readWholeList(at, sourceHref);
  const part = population === null || whole === null ? null : findPart(population, whole);
  // What chance drew is not known whole without each of its trials.
  const problem = unreadable.length > 0 ? "unreadable-trials" : findProblem(queue, trials, population);
  return { queue, trials, population, whole, part, problem };
}

/** Why the labels of a draw do not count; null where they do. */
export function findProblem(
  { settings: { method, order, strata } }: Pick<QueueHead, "settings">,
  trials: readonly ScopeTrial[],
  population: Population | null,
): DrawProblem | null {
  if (population === null) return "unknown-list";
  const isBlindDraw = method === "random";
  if (!isDrawnFrom(strata, population, isBlindDraw)) return "changed-list";
  const hasChanged = trials.some(
    ({ place, subject }) => place !== null && readVerdict(place.outcome) !== readVerdict(subject.outcomeSeen),
  );
  if (hasChanged && !isBlindDraw) return "changed-list";
  const isDone = trials.every(({ state }) => state !== "todo" && state !== "waiting");
  return order === "list" && !isDone ? "list-order" : null;
}
