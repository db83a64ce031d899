import { type QueueSettings, readVerdict, type SampleMethod } from "@/lib/core/domain/review";
import {
  type AnnotationStore,
  createDecisionFinder,
  listAll,
  listDecisions,
  listQueues,
  type Queue,
  type QueueHead,
  readQueue,
} from "@/lib/people/annotations";
import type { TrialPlace } from "@/lib/store/tables";

import { findPart, isDrawnFrom, type ListPart, type Population } from "./members";
import { groupPlaces, listJudgedTrials, listQueueTrials, type ScopeTrial } from "./scope-trials";

/**
 * Why the labels of a random draw do not count. `unknown-list`: its list is unknown or not open. `changed-list`: the list has
 * other trials or verdicts now. `list-order`: trials are judged in list order and not all are done, so those judged so far are no
 * random sample. `unreadable-trials`: some trials cannot be read, so the rest is no random sample.
 */
export type DrawProblem = "unknown-list" | "changed-list" | "list-order" | "unreadable-trials";

export interface Draw {
  readonly queue: QueueHead;
  readonly trials: readonly ScopeTrial[];
  /** The list it was drawn from; null if unknown. */
  readonly population: Population | null;
  /** The list without filters by outcome; `population` if it has none. */
  readonly whole: Population | null;
  readonly part: ListPart | null;
  readonly problem: DrawProblem | null;
}

export interface Draws {
  readonly draws: readonly Draw[];
  readonly judged: readonly ScopeTrial[];
}

/** Looks up trials in the index of pages, or in folders that a command read. */
export interface TrialLookup {
  readonly readPlaces: (trialNames: ReadonlySet<string>) => Promise<readonly TrialPlace[]>;
  /** Current trials of the list at an address; null if the address names no list, or a job that is not open. */
  readonly readList: (href: string) => Promise<Population | null>;
  /** The list without filters by outcome; the same population if it has none. */
  readonly readWholeList: (href: string) => Promise<Population | null>;
}

const BY_CHANCE: ReadonlySet<SampleMethod> = new Set<SampleMethod>(["random", "stratified", "planned"]);

export async function readDraws(annotations: AnnotationStore, lookup: TrialLookup): Promise<Draws> {
  const [{ queues }, decisions, stored] = await Promise.all([
    listQueues(annotations),
    listDecisions(annotations),
    listAll(annotations),
  ]);
  const findDecision = createDecisionFinder(decisions);
  const findPlaces = async (subjects: readonly { readonly trialName: string }[]) =>
    groupPlaces(await lookup.readPlaces(new Set(subjects.map(({ trialName }) => trialName))));
  const judgedPlaces = await findPlaces(stored.map(({ subject }) => subject));
  const draws: Draw[] = [];
  for (const { queueId } of queues.filter(isByChance)) {
    const queue = await readQueue(annotations, queueId);
    if (queue === null) continue;
    const places = await findPlaces(queue.items.map(({ subject }) => subject));
    draws.push(await readDraw(lookup, queue, listQueueTrials(queue, places, findDecision)));
  }
  return { draws, judged: listJudgedTrials(stored, judgedPlaces, findDecision) };
}

export function isByChance({
  settings,
}: {
  readonly settings: Pick<QueueSettings, "method" | "strata">;
}): boolean {
  return BY_CHANCE.has(settings.method) && settings.strata.length > 0;
}

export async function readDraw(
  lookup: Pick<TrialLookup, "readList" | "readWholeList">,
  { items: _, leases: __, skips: ___, unreadable, ...queue }: Queue,
  trials: readonly ScopeTrial[],
): Promise<Draw> {
  const { sourceHref } = queue.settings;
  const population = sourceHref === null ? null : await lookup.readList(sourceHref);
  const whole = sourceHref === null ? null : await lookup.readWholeList(sourceHref);
  const part = population === null || whole === null ? null : findPart(population, whole);
  // A random draw with missing trials is no random sample.
  const problem = unreadable.length > 0 ? "unreadable-trials" : findProblem(queue, trials, population);
  return { queue, trials, population, whole, part, problem };
}

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
