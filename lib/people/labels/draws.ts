import { nameAgentModel } from "@/lib/core/charts/identity";
import {
  type Annotation,
  type AnnotationSubject,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { hasChanged, parseFingerprint } from "@/lib/core/domain/fingerprint";
import {
  type QueueStratum,
  readVerdict,
  type QueueSettings,
  type SampleMethod,
} from "@/lib/core/domain/review";
import {
  type Decision,
  type FindDecision,
  orderByFirst,
  type Queue,
  type ReviewerChain,
  type Settled,
  settleJudgments,
  type TrialAnnotations,
  type AnnotationStore,
  createDecisionFinder,
  listAll,
  listDecisions,
  listQueues,
  type QueueHead,
  readQueue,
} from "@/lib/people/annotations";
import type { PopulationTrial, TrialPlace } from "@/lib/store/tables";

export interface Member extends Pick<PopulationTrial, "jobRowId" | "key" | "family" | "agent" | "model"> {
  /** Key of its group, and of its part of the group with the same settings. */
  readonly groups: readonly string[];
  readonly agentModel: string;
  readonly hasPassed: boolean;
}

export type Population = ReadonlyMap<string, Member>;

export function nameMember({ jobRowId, key }: Pick<Member, "jobRowId" | "key">): string {
  return `${jobRowId} ${key}`;
}

export function toPopulation(trials: readonly PopulationTrial[]): Population {
  return new Map(
    trials.flatMap(({ jobRowId, key, family, agent, model, groupKey, setupKey, outcome }) => {
      const hasPassed = readVerdict(outcome);
      if (hasPassed === null) return [];
      const groups = setupKey === null ? [groupKey] : [groupKey, setupKey];
      const agentModel = nameAgentModel(agent, model);
      const member: Member = { jobRowId, key, family, agent, model, groups, agentModel, hasPassed };
      return [[nameMember(member), member] as const];
    }),
  );
}

export type AgentCounts = ReturnType<typeof countAgents>[number];

export function countAgents(members: Iterable<Member>) {
  return [...Map.groupBy(members, ({ agentModel }) => agentModel)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([agentModel, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const nPassed = own.filter(({ hasPassed }) => hasPassed).length;
      return [{ agentModel, agent: first.agent, model: first.model, nPassed, nFailed: own.length - nPassed }];
    });
}

/**
 * True if a draw was made from these trials, judging by their numbers: by agent and verdict, or in total if the draw ignored both.
 */
export function isDrawnFrom(strata: readonly QueueStratum[], population: Population, isBlindDraw: boolean) {
  const drawn = new Map<string, number>();
  for (const { agent, model, hasPassed, nTrials } of strata) {
    const name = isBlindDraw ? "" : `${nameAgentModel(agent, model)} ${String(hasPassed)}`;
    if (nTrials > 0) drawn.set(name, (drawn.get(name) ?? 0) + nTrials);
  }
  const now = Map.groupBy(population.values(), ({ agentModel, hasPassed }) =>
    isBlindDraw ? "" : `${agentModel} ${String(hasPassed)}`,
  );
  return now.size === drawn.size && [...now].every(([name, own]) => drawn.get(name) === own.length);
}

/**
 * `only-not-passed`, `only-passed`: the list has one verdict, and the omitted trials have the other too. `by-result`: it has both,
 * selected by a property that correlates with the verdict, such as outcome, reward, cost, time or judgment.
 */
export type PartKind = "only-not-passed" | "only-passed" | "by-result";

export interface ListPart {
  readonly kind: PartKind;
  readonly nTrials: number;
  readonly nWhole: number;
}

/**
 * Null if the list omits nothing by outcome.
 *
 * @param whole - the list without filters by outcome, see `readWholeList`
 */
export function findPart(members: Population, whole: Population): ListPart | null {
  if (members.size >= whole.size) return null;
  return findPartOf([...members.values()], [...whole.values()]);
}

export function findPartOf(members: readonly Member[], whole: readonly Member[]): ListPart | null {
  if (members.length >= whole.length) return null;
  const size = { nTrials: members.length, nWhole: whole.length };
  const isOnly = (verdict: boolean) =>
    members.every(({ hasPassed }) => hasPassed === verdict) &&
    whole.some(({ hasPassed }) => hasPassed !== verdict);
  if (isOnly(false)) return { kind: "only-not-passed", ...size };
  return { kind: isOnly(true) ? "only-passed" : "by-result", ...size };
}

/** A reviewer's current judgment; in a queue the one that was saved blind. */
export interface ScopeLabel {
  readonly reviewerKey: string;
  readonly annotation: Annotation;
  /** True if result or trajectory changed since; figures exclude it until confirmed. */
  readonly isStale: boolean;
}

export interface ScopeTrial extends Settled {
  readonly place: TrialPlace | null;
  readonly subject: AnnotationSubject;
  /** In order of the first judgments; empty while unreviewed. */
  readonly labels: readonly ScopeLabel[];
  readonly decision: Decision | null;
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

export function listLabels(chains: readonly ReviewerChain[], place: TrialPlace | null = null) {
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

export function settle(labels: readonly ScopeLabel[], decision: Decision | null, nReviewers: number) {
  const judgments = labels.map(({ annotation }) => annotation.judgment);
  return settleJudgments(judgments, decision, nReviewers);
}

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

export function isByChance({ settings }: { readonly settings: Pick<QueueSettings, "method" | "strata"> }) {
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
