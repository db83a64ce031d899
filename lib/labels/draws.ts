import {
  type AnnotationStore,
  createDecisionFinder,
  listAll,
  listDecisions,
  listQueues,
  type Queue,
  type QueueHead,
  readQueue,
} from "@/lib/annotations";
import { type QueueSettings, readVerdict, type SampleMethod } from "@/lib/domain/review";
import type { TrialPlace } from "@/lib/store";

import { isDrawnFrom, type Population } from "./members";
import { findPart, type ListPart } from "./part";
import { groupPlaces, listJudgedTrials, listQueueTrials, type ScopeTrial } from "./scope-trials";

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

/** Where trials and lists of them are looked up: the index of pages, or folders that a command read. */
export interface TrialLookup {
  /** All trials with one of these names, those of the newest job first. */
  readonly readPlaces: (trialNames: ReadonlySet<string>) => Promise<readonly TrialPlace[]>;
  /** The trials of the list that an address names, as they are now; null where it names none, or a job that is not open. */
  readonly readList: (href: string) => Promise<Population | null>;
  /** The same list without its filters by what came of the trials; the same population where it has none. */
  readonly readWholeList: (href: string) => Promise<Population | null>;
}

const BY_CHANCE: ReadonlySet<SampleMethod> = new Set<SampleMethod>(["random", "stratified", "planned"]);

/** Reads all draws and judgments. @throws StoreError */
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

/** Whether chance drew a queue's trials at known rates. */
export function isByChance({
  settings,
}: {
  readonly settings: Pick<QueueSettings, "method" | "strata">;
}): boolean {
  return BY_CHANCE.has(settings.method) && settings.strata.length > 0;
}

/** Reads what a queue that chance drew was drawn from, as it is now. @throws StoreError */
export async function readDraw(
  lookup: Pick<TrialLookup, "readList" | "readWholeList">,
  { items: _, leases: __, skips: ___, unreadable, ...queue }: Queue,
  trials: readonly ScopeTrial[],
): Promise<Draw> {
  const { sourceHref } = queue.settings;
  const population = sourceHref === null ? null : await lookup.readList(sourceHref);
  const whole = sourceHref === null ? null : await lookup.readWholeList(sourceHref);
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
