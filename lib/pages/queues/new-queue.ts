import "server-only";
import type { Route } from "next";

import { ValidationError, AppError, StoreError, NotFoundError } from "@/lib/core/domain/app-error";
import { compareText } from "@/lib/core/domain/compare-text";
import { type QueueStratum, readVerdict, type QueueSettings } from "@/lib/core/domain/review";
import { decodeSegment } from "@/lib/core/domain/segment";
import { formatPlural } from "@/lib/core/format/number";
import { chooseDouble, drawSample, type Sample } from "@/lib/core/stats";
import { listSearchValues } from "@/lib/pages/address/address";
import { annotationsAddress, annotationsHref } from "@/lib/pages/annotations/address";
import type { NewQueueParams } from "@/lib/pages/annotations/review-address";
import {
  parseTrialsParams,
  readTrialsRequest,
  trialsPageHref,
  type TrialsParams,
} from "@/lib/pages/trials/address";
import {
  type AnnotationStore,
  getAnnotationStore,
  type QueueDraw,
  createQueue,
  listQueues,
  MOST_ITEMS,
  type QueueForm,
  listDecisions,
  readCodebook,
} from "@/lib/people/annotations";
import {
  findPart,
  type Member,
  nameMember,
  toPopulation,
  type ScopeTrial,
  isByChance,
} from "@/lib/people/labels/draws";
import { collectSample, describeDrawOutlook } from "@/lib/people/labels/sample";
import {
  type IndexStore,
  nameAttempts,
  namePlace,
  readCandidates,
  readClusterKeys,
  readFlakyAttempts,
  readPopulation,
  type TrialCandidate,
  readHeads,
  readRootLabel,
  type JobScope,
  readHead,
  type TrialKeys,
  type TrialOrder,
  type TrialSelection,
} from "@/lib/store/tables";

import { readIndexTime, getScope, getJudged } from "../annotations/judged";
import { filterAnnotationRows, listAnnotationRows, renameCategories } from "../annotations/page";
import { nameSubject } from "../annotations/review";
import { readClusters } from "../clusters/clusters";
import { openTrialsList } from "../job/trials-selection";
import { createGenerationCache } from "../shell/cache";
import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import { getDraws, readWholeList, findInIndex } from "../verifier/groups";
import { drawPlanned } from "../verifier/review";

export type DrawnTrial = ReturnType<typeof describe>;

type DrawnQueue = Awaited<ReturnType<typeof drawQueue>>;

/**
 * Draws the same trials for the same form and pool. `strata` are by agent and verdict if trials were drawn at random from all;
 * else empty.
 */
export async function drawQueue(
  store: IndexStore,
  source: QueueSource,
  draw: QueueDraw,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const at = await readIndexTime(store, annotations);
  // Cached while the form is filled in, since size, method and seed do not change the list.
  const name = JSON.stringify([annotations.place, at.version, draw.source]);
  const rows = await keep(at, name, () => readCandidates(store, source.jobs, source.selection, source.sort));
  const pool = await choosePool({ store, annotations, source }, draw, rows);
  const { drawn, strata } = await drawFromPool({ store, annotations, source, at }, pool, draw);
  const places = new Map(pool.map(({ id }, place) => [id, place]));
  const isAll = draw.method === "all" || draw.method === "selection";
  const trials =
    draw.order === "list"
      ? drawn.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
      : isAll
        ? shuffle(drawn, draw.seed)
        : drawn;
  const ids = trials.map(({ id }) => id);
  return {
    trials,
    double: new Set(chooseDouble(ids, draw.doubleShare, draw.seed)),
    nMatching: rows.length,
    pool,
    strata,
    nClusters: draw.method === "clusters" ? new Set(pool.map(({ cluster }) => cluster)).size : null,
    seed: isAll && draw.order === "list" && draw.doubleShare === 0 ? null : draw.seed,
  };
}

/** Lists may hold 100,000 trials. */
const keep = createGenerationCache(2);

async function drawFromPool(
  { store, annotations, source, at }: Stores & { readonly at: Parameters<typeof readWholeList>[0] },
  pool: readonly DrawnTrial[],
  draw: QueueDraw,
) {
  const { method, size, seed } = draw;
  if (method === "planned") {
    const byPlace = new Map(pool.map((trial) => [trial.place, trial]));
    const members = toPopulation(await readPopulation(store, source.jobs, source.selection));
    const whole = source.href === null ? null : await readWholeList(at, source.href);
    if (whole !== null && findPart(members, whole) !== null)
      throw new ValidationError("Some fields are invalid.", {
        method: "The list is filtered by result, so labels correct no score. Choose another method.",
      });
    const { draws } = await getDraws(store, annotations);
    const keyOf = (member: Member) => byPlace.get(nameMember(member))?.id ?? nameMember(member);
    const planned = drawPlanned(collectSample(members, draws), { size, seed, keyOf });
    const drawn = planned.drawn.flatMap((member) => byPlace.get(nameMember(member)) ?? []);
    return { drawn, strata: planned.strata };
  }
  const sample = drawFrom(pool, method, draw);
  const byId = new Map(pool.map((trial) => [trial.id, trial]));
  const isOfAll = method !== "disagreements" && method !== "flaky" && method !== "selection";
  return {
    drawn: sample.keys.flatMap((id) => byId.get(id) ?? []),
    strata: isOfAll ? toStrata(sample, byId) : [],
  };
}

interface Stores {
  readonly store: IndexStore;
  readonly annotations: AnnotationStore;
  readonly source: QueueSource;
}

async function choosePool(
  { store, annotations, source }: Stores,
  { method }: QueueDraw,
  rows: readonly TrialCandidate[],
): Promise<readonly DrawnTrial[]> {
  const clusters = method === "clusters" ? await readClustersByPlace({ store, annotations, source }) : null;
  const all = rows.map((row) => describe(row, clusters));
  switch (method) {
    case "stratified":
    case "planned":
      return all.filter(({ hasPassed }) => hasPassed !== null);
    case "clusters":
      return all.filter(({ cluster }) => cluster !== null);
    case "flaky": {
      const flaky = await readFlakyAttempts(store, source.jobs);
      return all.filter((trial) => flaky.has(nameAttempts(trial)));
    }
    case "disagreements": {
      const { trials } = await getScope(store, { queue: null, jobs: [] }, annotations);
      const places = trials.filter(isDisputed).flatMap(({ place }) => place ?? []);
      const differing = new Set(places.map(nameMember));
      return all.filter((trial) => differing.has(trial.place));
    }
    case "all":
    case "selection":
    case "random":
      return all;
  }
}

async function readClustersByPlace({ store, annotations, source }: Stores) {
  const [{ headOf }, keys] = await Promise.all([
    readClusters(store, annotations),
    readClusterKeys(store, source.jobs),
  ]);
  return new Map(Array.from(keys, ([place, key]) => [place, headOf.get(key) ?? key]));
}

function describe(row: TrialCandidate, clusters: ReadonlyMap<string, string> | null) {
  const hasPassed = readVerdict(row.outcome);
  return {
    ...row,
    hasPassed,
    // Does not depend on the folder or index if the trial has a uuid, so that a draw can be repeated.
    id: `${row.trialName} ${row.uuid ?? `${row.jobRowId} ${row.key}`}`,
    place: nameMember(row),
    stratum: JSON.stringify([row.agent, row.model, hasPassed]),
    // Null if passed, not classified yet, or not asked for.
    cluster: clusters?.get(namePlace(row)) ?? null,
  };
}

function isDisputed({ place, labels }: ScopeTrial): boolean {
  const verdict = place === null ? null : readVerdict(place.outcome);
  const judgments = labels.map(({ annotation }) => annotation.judgment);
  const isAgainst = judgments.some(
    (one) => one !== "defer" && verdict !== null && (one === "pass") !== verdict,
  );
  return isAgainst || new Set(judgments).size > 1;
}

const SAMPLING = {
  all: "all",
  selection: "all",
  random: "random",
  flaky: "random",
  disagreements: "random",
  stratified: "stratified",
  clusters: "one-per-cluster",
} as const satisfies Partial<Record<QueueDraw["method"], string>>;

function drawFrom(
  pool: readonly DrawnTrial[],
  method: keyof typeof SAMPLING,
  { size, seed }: Pick<QueueDraw, "size" | "seed">,
): Sample {
  const items = pool.map(({ id, stratum, cluster }) => ({ key: id, stratum, cluster }));
  const sampling = SAMPLING[method];
  return drawSample(items, { method: sampling, size: sampling === "all" ? items.length : size, seed });
}

function shuffle(drawn: readonly DrawnTrial[], seed: number): readonly DrawnTrial[] {
  const byId = new Map(drawn.map((trial) => [trial.id, trial]));
  const { keys } = drawFrom(drawn, "random", { size: drawn.length, seed });
  return keys.flatMap((id) => byId.get(id) ?? []);
}

function toStrata({ strata }: Sample, byId: ReadonlyMap<string, DrawnTrial>): readonly QueueStratum[] {
  const named = new Map([...byId.values()].map((trial) => [trial.stratum, trial]));
  return (strata ?? [])
    .flatMap(({ stratum, nTrials, nDrawn }): QueueStratum[] => {
      const trial = named.get(stratum);
      if (trial === undefined || trial.hasPassed === null) return [];
      return [{ agent: trial.agent, model: trial.model, hasPassed: trial.hasPassed, nTrials, nDrawn }];
    })
    .toSorted(
      (a, b) =>
        compareText(a.agent, b.agent) ||
        compareText(a.model ?? "", b.model ?? "") ||
        Number(b.hasPassed) - Number(a.hasPassed),
    );
}

export type QueuePreview = Awaited<ReturnType<typeof previewQueue>>;

export type NewQueuePage = Awaited<ReturnType<typeof getNewQueuePage>>;

/** Random, so that two forms over one list draw different trials. Users write seeds down and retype them, so at most 6 digits. */
function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1)).reduce((_, word) => word % 1_000_000, 0);
}

export async function getNewQueuePage(params: NewQueueParams) {
  const { job, list, picks, judgments, judged } = params;
  const source = { job, list, picks: [...picks], judgments: [...judgments], judged };
  const page = { source, seed: drawSeed() };
  try {
    const { words, isSelection } = await openQueueSource(await getSourceStore(source), source);
    const { queues } = await listQueues(getAnnotationStore());
    const reviewers = [...new Set(queues.flatMap(({ settings }) => settings.reviewers))].slice(0, 100);
    return { ...page, words, isSelection, reviewers, problem: null };
  } catch (error) {
    if (error instanceof AppError || error instanceof StoreError)
      return { ...page, words: null, isSelection: false, reviewers: [], problem: error.message };
    throw error;
  }
}

/** The page of a copied job may draw from the copy. */
function getSourceStore({ job }: QueueForm["source"]): Promise<IndexStore> {
  return job === null ? getStore() : getStoreOfJob(job);
}

const MOST_PARTS = 24;

/** The method may draw `nPool` of `nMatching` finished trials. `noCorrection` is null also where it is unknown yet. */
export async function previewQueue(draw: QueueDraw) {
  const [store, identityOf] = await Promise.all([getSourceStore(draw.source), getIdentityOf()]);
  const source = await openQueueSource(store, draw.source);
  const drawn = await drawQueue(store, source, draw);
  const parts = countParts(drawn);
  return {
    nMatching: drawn.nMatching,
    nPool: drawn.pool.length,
    nDrawn: drawn.trials.length,
    nDouble: drawn.double.size,
    nClusters: drawn.nClusters,
    noCorrection: drawn.trials.length === 0 ? null : await explainNoCorrection(store, source, draw, drawn),
    most: MOST_ITEMS,
    nParts: parts.length,
    parts: parts
      .slice(0, MOST_PARTS)
      .map((part) => ({ ...part, identity: identityOf(part.agent, part.model) })),
  };
}

function countParts({ pool, trials }: DrawnQueue) {
  const drawn = Map.groupBy(trials, ({ stratum }) => stratum);
  return [...Map.groupBy(pool, ({ stratum }) => stratum)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([stratum, own]) =>
      own.slice(0, 1).map(({ agent, model, hasPassed }) => ({
        agent,
        model,
        hasPassed,
        nPool: own.length,
        nDrawn: drawn.get(stratum)?.length ?? 0,
      })),
    );
}

/** Creates the queue of a form and returns its id. @param author - as typed; may be blank */
export async function makeQueue(form: QueueForm, author: string): Promise<string> {
  const store = await getSourceStore(form.source);
  const source = await openQueueSource(store, form.source);
  const { trials, double, strata, seed } = await drawQueue(store, source, form);
  const { source: _, size: __, ...said } = form;
  const settings: QueueSettings = {
    ...{ ...said, seed, strata, source: source.words, sourceHref: source.href },
    reviewers: [...new Set(form.reviewers.map((one) => one.trim()).filter((one) => one !== ""))],
  };
  const items = (await readSubjects(store, trials)).map(({ id, subject }) => {
    return { subject, nReviewers: double.has(id) ? 2 : 1 } as const;
  });
  return createQueue(getAnnotationStore(), { settings, items, author });
}

async function readSubjects(store: IndexStore, trials: readonly DrawnTrial[]) {
  const heads = await readHeads(store, [...new Set(trials.map(({ jobRowId }) => jobRowId))]);
  const roots = [...new Set(heads.map(({ root }) => root))];
  const labels = new Map(
    await Promise.all(roots.map(async (root) => [root, await readRootLabel(store, root)] as const)),
  );
  const jobs = new Map(heads.map((head) => [head.rowId, head]));
  return trials.map((trial) => {
    const job = jobs.get(trial.jobRowId) ?? null;
    const rootLabel = job === null ? "" : (labels.get(job.root) ?? "");
    const subject = nameSubject({ ...trial, id: trial.uuid, jobUuid: trial.runUuid }, job, rootLabel);
    return { id: trial.id, subject };
  });
}

/** Returns why labels of this draw would correct no score. Null if they would, or if its trials are not from a list. */
export async function explainNoCorrection(
  store: IndexStore,
  { href }: Pick<QueueSource, "href">,
  { method }: Pick<QueueDraw, "method">,
  { strata }: Pick<DrawnQueue, "strata">,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<string | null> {
  if (!isByChance({ settings: { method, strata } })) return describeDrawOutlook("by-hand");
  if (href === null) return null;
  const { readList, readWholeList } = findInIndex(await readIndexTime(store, annotations));
  const [population, whole] = await Promise.all([readList(href), readWholeList(href)]);
  const part = population === null || whole === null ? null : findPart(population, whole);
  return part === null ? null : describeDrawOutlook(part.kind);
}

interface QueueSource {
  readonly words: string;
  readonly href: Route | null;
  readonly jobs: JobScope;
  readonly selection: TrialSelection;
  readonly sort: TrialOrder;
  readonly isSelection: boolean;
}

type Address = QueueDraw["source"];

export async function openQueueSource(
  store: IndexStore,
  source: Address,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<QueueSource> {
  if (source.picks.length > 0) {
    const words = formatPlural(source.picks.length, "selected trial");
    return { ...(await selectKeys(store, await findPicks(store, source.picks))), words, href: null };
  }
  if (source.judgments.length > 0 || source.judged !== null) return openJudged(store, source, annotations);
  return openList(store, source);
}

async function openList(store: IndexStore, { job: jobKey, list }: Address): Promise<QueueSource> {
  const job = jobKey === null ? null : await readHead(store, jobKey);
  if (jobKey !== null && job === null) throw new NotFoundError("The job of this list is not open.");
  const params = readTrialsRequest(`http://localhost/?${list ?? ""}`, job === null);
  const href = trialsPageHref(job?.key ?? null, { ...params, tab: "trials" });
  const isFiltered = href !== trialsPageHref(job?.key ?? null, { ...orderOf(params), tab: "trials" });
  const words = `Trials of ${job?.name ?? "all jobs"}${isFiltered ? ", filtered" : ""}`;
  return { ...(await openTrialsList(store, job, params)), words, href, isSelection: false };
}

function orderOf({ sort, descending, columns, rewardKey, isDivided }: TrialsParams): Partial<TrialsParams> {
  return { sort, descending, columns, rewardKey, isDivided };
}

async function openJudged(store: IndexStore, { judgments, judged }: Address, annotations: AnnotationStore) {
  const [found, codebook, decisions] = await Promise.all([
    getJudged(store, annotations),
    readCodebook(annotations),
    listDecisions(annotations),
  ]);
  const filter = annotationsAddress.read(listSearchValues(`http://localhost/?${judged ?? ""}`));
  const wanted = new Set(judgments);
  const rows = listAnnotationRows(found, () => 0, { codebook, decisions });
  const isWanted = ({ chains }: (typeof rows)[number]) =>
    chains.some(({ versions }) => versions.some(({ versionId }) => wanted.has(versionId)));
  const chosen =
    wanted.size > 0 ? rows.filter(isWanted) : filterAnnotationRows(rows, renameCategories(filter, codebook));
  const places = chosen.flatMap((row) => row.found ?? []);
  const href = wanted.size > 0 ? null : annotationsHref({ ...filter, open: "", page: 1 });
  const byJob = Map.groupBy(places, ({ jobRowId }) => jobRowId);
  const keys = new Map([...byJob].map(([id, own]) => [id, new Set(own.map(({ key }) => key))]));
  const words =
    wanted.size > 0 ? `Trials of ${formatPlural(wanted.size, "judgment")}` : "Trials of a list of judgments";
  return { ...(await selectKeys(store, keys)), words, href };
}

async function findPicks(store: IndexStore, picks: readonly string[]): Promise<TrialKeys> {
  const named = picks.map((pick) => {
    const [job = "", trial = ""] = pick.split("/").map(decodeSegment);
    return { job, trial };
  });
  const byJob = Map.groupBy(named, ({ job }) => job);
  const found = await Promise.all(
    [...byJob].map(async ([job, trials]) => {
      const head = await readHead(store, job);
      return head === null ? [] : [[head.rowId, new Set(trials.map(({ trial }) => trial))] as const];
    }),
  );
  return new Map(found.flat());
}

async function selectKeys(store: IndexStore, only: TrialKeys) {
  const every = await openTrialsList(store, null, parseTrialsParams({}, true));
  return { ...every, jobs: [...only.keys()], selection: { ...every.selection, only }, isSelection: true };
}
