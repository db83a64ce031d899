import "server-only";
import type { Route } from "next";

import { NotFoundError, StoreError, ValidationError } from "@/lib/core/domain/app-error";
import { oncePer } from "@/lib/core/domain/once-per";
import { BLIND_PARTS, type QueueSettings } from "@/lib/core/domain/review";
import { formatCsvLine } from "@/lib/core/format/csv";
import { computeVerifierAccuracy, type Unavailable, chooseDouble, type AccuracyRate } from "@/lib/core/stats";
import { readFileSearch } from "@/lib/pages/address/address";
import { type VerifierParams, verifierAddress } from "@/lib/pages/annotations/review-address";
import { type AnnotationStore, getAnnotationStore, createQueue } from "@/lib/people/annotations";
import { type Draw, type Population, findPart, nameMember } from "@/lib/people/labels/draws";
import {
  chooseSample,
  countLeftOut,
  listCounted,
  type LabelSample,
  type LeftOutReason,
  narrow,
  writeAgent,
} from "@/lib/people/labels/sample";
import { type IndexStore, readHeads, readListedJobs } from "@/lib/store/tables";

import { getReviewSubject } from "../annotations/review";
import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { getDraws } from "./groups";
import { reviewVerifier, NEXT_LABELS, type Correction, RATE_NAMES, readRate, drawPlanned } from "./review";

export type VerifierPage = Awaited<ReturnType<typeof getVerifierPage>>;

type AskedSample = NonNullable<ReturnType<typeof chooseSample>>;

async function findSample(
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
  const chosen = new Set(heads.filter(({ key }) => params.jobs.includes(key)).map(({ rowId }) => rowId));
  const wanted = params.jobs.length === 0 ? null : chosen;
  const eligible = draws.draws.filter(({ population }) => named === null || population === named.population);
  const asked =
    (named?.problem ?? null) === null
      ? chooseSample(eligible, draws.draws, (population) => narrow(population, params, wanted))
      : null;
  const problem = asked === null ? ((named ?? draws.draws[0])?.problem ?? null) : null;
  return { draws, asked, problem, jobs };
}

/** Compares sizes, because a filter by the only job leaves out nothing. */
function isNarrowed({ draw, sample }: AskedSample): boolean {
  return sample.members.size < (draw.population?.size ?? 0);
}

const listJobs = oncePer((population: Population) => [
  ...new Set([...population.values()].map(({ jobRowId }) => jobRowId)),
]);

async function getVerifierPage(params: VerifierParams) {
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
      byHand: computeVerifierAccuracy(byHand, { design: "by-stratum", population: null }),
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

function describeSource({ draw, sample }: AskedSample, draws: readonly Draw[]) {
  const { source, sourceHref } = draw.queue.settings;
  return {
    source,
    queueId: draw.queue.queueId,
    // Validated when its trials were read.
    href: sourceHref as Route | null,
    queues: sample.draws.map(({ queue }) => ({ id: queue.queueId, name: queue.settings.name })),
    nOtherLists: listCounted(draws).length - 1,
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

function listRates(page: VerifierPage) {
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

/**
 * Draws the queue of the next labels, see {@link drawPlanned}.
 * @param base - settings of a queue over the same list; its list, reviewers and double-review share are copied
 */
export function drawNextLabels(sample: LabelSample, base: QueueSettings, seed: number) {
  const { drawn, strata } = drawPlanned(sample, { size: NEXT_LABELS, seed, keyOf: nameMember });
  const twice = new Set(chooseDouble(drawn.map(nameMember), base.doubleShare, seed));
  const settings: QueueSettings = {
    ...base,
    ...{ goal: "corrected-score", method: "planned", seed, order: "random", strata },
    ...{ name: nameQueue(base.name), hides: BLIND_PARTS, isOpenCoding: false },
  };
  const trials = drawn.map(({ jobRowId, key }) => {
    const nReviewers = twice.has(nameMember({ jobRowId, key })) ? 2 : 1;
    return { jobRowId, key, nReviewers } as const;
  });
  return { trials, settings };
}

const LONGEST_NAME = 100;
const NEXT_NAME = "Next labels: ";

function nameQueue(name: string): string {
  const first = name.startsWith(NEXT_NAME) ? name.slice(NEXT_NAME.length) : name;
  return `${NEXT_NAME}${first.slice(0, LONGEST_NAME)}`;
}

/** Creates a queue of the labels that the planner wants next and returns its id. */
export async function queueNextLabels(store: IndexStore, params: VerifierParams, author: string) {
  const annotations = getAnnotationStore();
  const { asked, jobs } = await findSample(store, params, annotations);
  if (asked === null) throw new NotFoundError("These trials have no randomly sampled queue.");
  if (isNarrowed(asked))
    throw new ValidationError("Clear the filters first. Labels are planned for the whole list.", {});
  if (findPart(asked.sample.members, asked.sample.whole) !== null)
    throw new ValidationError("The list is filtered by result, so labels correct no score.", {});
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  const { settings, trials } = drawNextLabels(asked.sample, asked.draw.queue.settings, seed);
  const items: Parameters<typeof createQueue>[1]["items"][number][] = [];
  for (const { jobRowId, key: trialKey, nReviewers } of trials) {
    const job = jobs.get(String(jobRowId));
    if (job === undefined) continue;
    const target = { kind: "trial", jobKey: job.key, trialKey, list: null } as const;
    items.push({ subject: (await getReviewSubject(target)).subject, nReviewers });
  }
  return createQueue(annotations, { settings, items, author });
}

type Cell = string | number | null;

export async function getVerifierCsv(url: string): Promise<string> {
  const search = readFileSearch(url, verifierAddress);
  return formatVerifierCsv(await getVerifierPage(verifierAddress.read(search)));
}

/**
 * Writes a row for all trials, and for each agent, job and task family, with all digits. Unknown values are empty; the reason
 * column says why.
 */
function formatVerifierCsv(page: VerifierPage): string {
  const { review } = page;
  const scores = new Map<string, Correction>(
    review === null
      ? []
      : [
          ["all All agents", review.score],
          ...review.agents.map(
            ({ agent, model, score }) => [`agent ${writeAgent(agent, model)}`, score] as const,
          ),
        ],
  );
  const heading: Cell[] = [
    "by",
    "name",
    "trials_verifier_passed",
    "trials_verifier_not_passed",
    "labels_both_passed",
    "labels_only_verifier_passed",
    "labels_only_human_passed",
    "labels_both_failed",
    ...RATE_NAMES.flatMap((name) => [name, `${name}_low`, `${name}_high`, `${name}_reason`]),
    "recorded",
    "corrected",
    "corrected_low",
    "corrected_high",
    "corrected_method",
    "corrected_reason",
  ];
  const rows = listRates(page).map((row): Cell[] => [
    row.by,
    row.name,
    row.verdicts.nPassed,
    row.verdicts.nFailed,
    row.labels.bothPassed,
    row.labels.onlyVerifierPassed,
    row.labels.onlyHumanPassed,
    row.labels.bothFailed,
    ...RATE_NAMES.flatMap((name) => writeRate(readRate(row, name))),
    ...writeScore(scores.get(`${row.by} ${row.name}`)),
  ]);
  return [heading, ...rows].map(formatCsvLine).join("");
}

function writeRate(rate: AccuracyRate | Unavailable): Cell[] {
  return rate.kind === "computed" ? [rate.rate, rate.low, rate.high, null] : [null, null, null, rate.reason];
}

function writeScore(score: Correction | undefined): Cell[] {
  if (score === undefined) return [null, null, null, null, null, null];
  if (score.kind === "unavailable") return [null, null, null, null, null, score.reason];
  const { observed, corrected, low, high, method } = score;
  return [observed, corrected, low, high, method, null];
}
