import "server-only";
import type { Route } from "next";

import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { oncePer } from "@/lib/core/domain/once-per";
import { computeVerifierAccuracy, type Unavailable, type VerifierAccuracy } from "@/lib/core/stats";
import type { VerifierParams } from "@/lib/pages/annotations/review-address";
import { type AnnotationStore, getAnnotationStore } from "@/lib/people/annotations";
import type { Draw } from "@/lib/people/labels/draws";
import type { Population } from "@/lib/people/labels/members";
import {
  chooseSample,
  countLeftOut,
  type LabelSample,
  type LeftOutReason,
  narrow,
  writeAgent,
} from "@/lib/people/labels/sample";
import { type IndexStore, readHeads, readListedJobs } from "@/lib/store/tables";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { getDraws } from "./draws";
import { reviewVerifier } from "./review";

export type VerifierPage = Awaited<ReturnType<typeof getVerifierPage>>;

interface AskedSample {
  readonly draw: Draw;
  readonly sample: LabelSample;
}

/** @throws NotFoundError for an unknown queue; StoreError */
export async function findSample(
  store: IndexStore,
  params: VerifierParams,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const draws = await getDraws(store, annotations);
  const rowIds = new Set(
    draws.draws.flatMap(({ population }) => (population === null ? [] : listJobs(population))),
  );
  const heads = await readHeads(store, [...rowIds]);
  const jobs = new Map(heads.map(({ rowId, key, name }) => [String(rowId), { key, name }]));
  const named =
    params.queue === null ? null : draws.draws.find(({ queue }) => queue.queueId === params.queue);
  if (named === undefined) throw new NotFoundError("This URL names no randomly sampled queue.");
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

/** Compares sizes, because a filter by the only job leaves out nothing. */
export function isNarrowed({ draw, sample }: AskedSample): boolean {
  return sample.members.size < (draw.population?.size ?? 0);
}

const listJobs = oncePer((population: Population) => [
  ...new Set([...population.values()].map(({ jobRowId }) => jobRowId)),
]);

export async function getVerifierPage(params: VerifierParams) {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const listed = await getCached("listed-jobs", readListedJobs);
  const names = new Map(listed.map(({ key, name }) => [key, name]));
  try {
    const { draws, asked, problem, jobs } = await findSample(store, params);
    const { counts: leftOut, byHand } = countLeftOut(draws, asked?.sample ?? null, params);
    return {
      review: asked === null ? null : reviewVerifier(asked.sample),
      about: asked === null ? null : describeSource(asked, draws.draws),
      /** Why the named queue, or every queue, does not count; null if one does, or if there is none. */
      problem,
      planned: asked === null ? null : findPlanned(asked.draw, draws.draws),
      leftOut,
      /** Labels not drawn at random, as a table without rates. */
      byHand: readComputed(computeVerifierAccuracy(byHand, { design: "by-stratum", population: null })),
      nJudged: draws.judged.length,
      facets: listFacets(asked?.draw.population ?? null, jobs),
      jobNames: names,
      jobKeys: new Map([...jobs].map(([id, { key }]) => [id, key])),
      identityOf,
      /** True if filters narrow the drawn list, for which nothing can be planned. */
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

export async function getVerifierPageOrNull(params: VerifierParams) {
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

function describeSource({ draw, sample }: AskedSample, draws: readonly Draw[]) {
  const { source, sourceHref } = draw.queue.settings;
  const lists = new Set(
    draws.flatMap(({ population, problem }) => (problem === null ? (population ?? []) : [])),
  );
  return {
    source,
    queueId: draw.queue.queueId,
    // Validated when its trials were read.
    href: sourceHref as Route | null,
    queues: sample.draws.map(({ queue }) => ({ id: queue.queueId, name: queue.settings.name })),
    nOtherLists: lists.size - 1,
  };
}

function findPlanned({ queue: { settings } }: Draw, draws: readonly Draw[]) {
  const found = draws.find(
    ({ queue, trials }) =>
      queue.settings.method === "planned" &&
      queue.settings.sourceHref === settings.sourceHref &&
      !queue.isClosed &&
      trials.some(({ state }) => state === "todo" || state === "waiting"),
  );
  return found === undefined ? null : { id: found.queue.queueId, name: found.queue.settings.name };
}

function listFacets(population: Population | null, jobs: ReadonlyMap<string, { readonly key: string }>) {
  const members = [...(population?.values() ?? [])];
  const count = (read: (member: (typeof members)[number]) => string) =>
    [...Map.groupBy(members, read)]
      .map(([value, own]) => ({ value, count: own.length }))
      .toSorted((a, b) => b.count - a.count);
  return {
    jobs: count(({ jobRowId }) => jobs.get(String(jobRowId))?.key ?? String(jobRowId)),
    agents: count(({ agent, model }) => writeAgent(agent, model)),
    families: count(({ family }) => family),
  };
}

export function listRates(page: VerifierPage) {
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
