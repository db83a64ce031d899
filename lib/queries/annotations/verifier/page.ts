import "server-only";

import type { Route } from "next";

import type { VerifierParams } from "@/lib/addresses/review";
import { type AnnotationStore, getAnnotationStore } from "@/lib/annotations";
import { NotFoundError, StoreError } from "@/lib/domain/app-error";
import type { Draw, DrawProblem } from "@/lib/labels/draws";
import type { Population } from "@/lib/labels/members";
import {
  chooseSample,
  countLeftOut,
  type LabelSample,
  type LeftOut,
  type LeftOutReason,
  narrow,
  writeAgent,
} from "@/lib/labels/sample";
import { computeVerifierAccuracy, type Unavailable, type VerifierAccuracy } from "@/lib/stats";
import { type IndexStore, readHeads, readListedJobs } from "@/lib/store";

import { getCached, getIdentityOf, getStore } from "../../shell/catalog";
import { getDraws } from "./draws";
import { type RatesRow, reviewVerifier, type VerifierReview } from "./review";

/** A value to filter by, with how many trials have it. */
interface Choice {
  readonly value: string;
  readonly count: number;
}

/** What a page of the verifier is about. */
export interface VerifierSource {
  /** The queue whose list it is. */
  readonly queueId: string;
  /** In words, as the queue that was drawn first says it, and the address of the list. */
  readonly source: string;
  readonly href: Route | null;
  readonly queues: readonly { readonly id: string; readonly name: string }[];
  /** Other lists that trials were drawn from, which this page says nothing of. */
  readonly nOtherLists: number;
}

export interface VerifierPage {
  /** Null where nothing was drawn by chance of what the address asks about. */
  readonly review: VerifierReview | null;
  readonly about: VerifierSource | null;
  /** Why a queue that the address names, or all of those there are, does not count; null when some does or there is none. */
  readonly problem: DrawProblem | null;
  /** The newest queue of planned labels of the same list in which trials are still to be judged; null without one. */
  readonly planned: { readonly id: string; readonly name: string } | null;
  readonly leftOut: LeftOut["counts"];
  /** Labels that nobody left to chance, as a table without rates; null where there are none. */
  readonly byHand: VerifierAccuracy | null;
  readonly nJudged: number;
  /** Values to filter by. */
  readonly facets: Readonly<Record<"jobs" | "agents" | "families", readonly Choice[]>>;
  readonly jobNames: ReadonlyMap<string, string>;
  readonly jobKeys: ReadonlyMap<string, string>;
  readonly identityOf: (agent: string, model: string | null) => number;
  /** Whether the address narrows the list that was drawn from, for which nothing can be planned. */
  readonly isNarrowed: boolean;
  /** Why judgments cannot be read, in a sentence; null when they can. */
  readonly failure: string | null;
}

/** What chance drew of the trials that an address asks about, and what the address asks of. */
export interface AskedSample {
  readonly draw: Draw;
  readonly sample: LabelSample;
}

/** Finds the draws that say something of what an address asks. @throws NotFoundError without such a queue; StoreError */
export async function findSample(
  store: IndexStore,
  params: VerifierParams,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<{
  readonly draws: Awaited<ReturnType<typeof getDraws>>;
  readonly asked: AskedSample | null;
  readonly problem: DrawProblem | null;
  readonly jobs: ReadonlyMap<string, { readonly key: string; readonly name: string }>;
}> {
  const draws = await getDraws(store, annotations);
  const rowIds = new Set(
    draws.draws.flatMap(({ population }) => (population === null ? [] : listJobs(population))),
  );
  const heads = await readHeads(store, [...rowIds]);
  const jobs = new Map(heads.map(({ rowId, key, name }) => [String(rowId), { key, name }]));
  const named =
    params.queue === null ? null : draws.draws.find(({ queue }) => queue.queueId === params.queue);
  if (named === undefined) throw new NotFoundError("No queue of this address was drawn by chance.");
  const wanted =
    params.jobs.length === 0
      ? null
      : new Set(heads.filter(({ key }) => params.jobs.includes(key)).map(({ rowId }) => rowId));
  const eligible =
    named === null ? draws.draws : draws.draws.filter(({ population }) => population === named.population);
  const asked =
    named !== null && named.problem !== null
      ? null
      : chooseSample(eligible, draws.draws, (population) => narrow(population, params, wanted));
  const problem = asked === null ? ((named ?? draws.draws[0])?.problem ?? null) : null;
  return { draws, asked, problem, jobs };
}

/** Whether an address leaves out some of the list that was drawn from; a filter by the only job there is leaves out none. */
export function isNarrowed({ draw, sample }: AskedSample): boolean {
  return sample.members.size < (draw.population?.size ?? 0);
}

const jobsOf = new WeakMap<Population, readonly number[]>();

function listJobs(population: Population): readonly number[] {
  const known = jobsOf.get(population);
  if (known !== undefined) return known;
  const jobs = [...new Set([...population.values()].map(({ jobRowId }) => jobRowId))];
  jobsOf.set(population, jobs);
  return jobs;
}

/** Everything the page of the verifier shows for an address. @throws NotFoundError without such a queue */
export async function getVerifierPage(params: VerifierParams): Promise<VerifierPage> {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const listed = await getCached("listed-jobs", readListedJobs);
  const names = new Map(listed.map(({ key, name }) => [key, name]));
  try {
    const { draws, asked, problem, jobs } = await findSample(store, params);
    const { counts: leftOut, byHand } = countLeftOut(draws, asked?.sample ?? null, params);
    return {
      review: asked === null ? null : reviewVerifier(asked.sample),
      about: asked === null ? null : describeSource(asked, draws.draws),
      problem,
      planned: asked === null ? null : findPlanned(asked.draw, draws.draws),
      leftOut,
      byHand: readComputed(computeVerifierAccuracy(byHand, { design: "by-stratum", population: null })),
      nJudged: draws.judged.length,
      facets: listFacets(asked?.draw.population ?? null, jobs),
      jobNames: names,
      jobKeys: new Map([...jobs].map(([id, { key }]) => [id, key])),
      identityOf,
      isNarrowed: asked !== null && isNarrowed(asked),
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...NOTHING, jobNames: names, identityOf, failure: error.message };
  }
}

const NOTHING = {
  review: null,
  about: null,
  problem: null,
  planned: null,
  leftOut: new Map<LeftOutReason, number>(),
  byHand: null,
  nJudged: 0,
  facets: { jobs: [], agents: [], families: [] },
  jobKeys: new Map<string, string>(),
  isNarrowed: false,
} as const;

/** The same; null where the address names a queue that there is not. */
export async function getVerifierPageOrNull(params: VerifierParams): Promise<VerifierPage | null> {
  try {
    return await getVerifierPage(params);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

function readComputed(accuracy: VerifierAccuracy | Unavailable): VerifierAccuracy | null {
  return accuracy.kind === "computed" ? accuracy : null;
}

function describeSource({ draw, sample }: AskedSample, draws: readonly Draw[]): VerifierSource {
  const { source, sourceHref } = draw.queue.settings;
  const lists = new Set(
    draws.flatMap(({ population, problem }) => (problem === null ? (population ?? []) : [])),
  );
  return {
    source,
    queueId: draw.queue.queueId,
    // Checked to be the address of a list when its trials were read.
    href: sourceHref as Route | null,
    queues: sample.draws.map(({ queue }) => ({ id: queue.queueId, name: queue.settings.name })),
    nOtherLists: lists.size - 1,
  };
}

/** Of the list of one draw, the labels that were asked for last and are still to come. */
function findPlanned({ queue: { settings } }: Draw, draws: readonly Draw[]): VerifierPage["planned"] {
  const found = draws.find(
    ({ queue, trials }) =>
      queue.settings.method === "planned" &&
      queue.settings.sourceHref === settings.sourceHref &&
      !queue.isClosed &&
      trials.some(({ state }) => state === "todo" || state === "waiting"),
  );
  return found === undefined ? null : { id: found.queue.queueId, name: found.queue.settings.name };
}

function listFacets(
  population: Population | null,
  jobs: ReadonlyMap<string, { readonly key: string }>,
): VerifierPage["facets"] {
  const members = [...(population?.values() ?? [])];
  const count = (read: (member: (typeof members)[number]) => string): readonly Choice[] =>
    [...Map.groupBy(members, read)]
      .map(([value, own]) => ({ value, count: own.length }))
      .toSorted((a, b) => b.count - a.count);
  return {
    jobs: count(({ jobRowId }) => jobs.get(String(jobRowId))?.key ?? String(jobRowId)),
    agents: count(({ agent, model }) => writeAgent(agent, model)),
    families: count(({ family }) => family),
  };
}

/** The rows of one table of rates, by what they are called. */
export function listRates(
  page: VerifierPage,
): readonly (RatesRow & { readonly by: string; readonly name: string })[] {
  const { review } = page;
  if (review === null) return [];
  return [
    { ...review.all, by: "all", name: "All agents" },
    ...review.agents.map(({ rates, agent, model }) => ({
      ...rates,
      by: "agent",
      name: writeAgent(agent, model),
    })),
    ...review.jobs.map((row) => {
      const key = page.jobKeys.get(row.id) ?? row.id;
      return { ...row.rate(), by: "job", name: page.jobNames.get(key) ?? key };
    }),
    ...review.families.map((row) => ({ ...row.rate(), by: "task family", name: row.id })),
  ];
}
