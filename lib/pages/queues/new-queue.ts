import "server-only";
import { AppError, StoreError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";
import type { NewQueueParams } from "@/lib/pages/annotations/review-address";
import {
  createQueue,
  getAnnotationStore,
  listQueues,
  MOST_ITEMS,
  type QueueDraw,
  type QueueForm,
  type AnnotationStore,
} from "@/lib/people/annotations";
import { isByChance } from "@/lib/people/labels/draws";
import { findPart } from "@/lib/people/labels/members";
import { describeDrawOutlook } from "@/lib/people/labels/words";
import { type IndexStore, readHeads, readRootLabel } from "@/lib/store/tables";

import { readIndexTime } from "../annotations/judged";
import { nameSubject } from "../annotations/review";
import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import { findInIndex } from "../verifier/draws";
import { type DrawnQueue, drawQueue, type DrawnTrial } from "./draw";
import { openQueueSource, type QueueSource } from "./source";

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

/**
 * The method may draw `nPool` of `nMatching` finished trials. `noCorrection` is null also where it is unknown yet.
 * @throws NotFoundError, ValidationError, StoreError
 */
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

/**
 * Creates the queue of a form and returns its id.
 * @param author - as typed; may be blank
 * @throws ValidationError with a sentence per field; NotFoundError, StoreError
 */
export async function makeQueue(form: QueueForm, author: string): Promise<string> {
  const store = await getSourceStore(form.source);
  const source = await openQueueSource(store, form.source);
  const { trials, double, strata, seed } = await drawQueue(store, source, form);
  const { name, goal, method, order, reviewers, doubleShare, hides, isOpenCoding } = form;
  const settings: QueueSettings = {
    name,
    goal,
    method,
    seed,
    order,
    source: source.words,
    sourceHref: source.href,
    reviewers: [...new Set(reviewers.map((one) => one.trim()).filter((one) => one !== ""))],
    doubleShare,
    hides,
    isOpenCoding,
    strata,
  };
  const subjects = await readSubjects(store, trials);
  const items = trials.flatMap((trial, at) => {
    const subject = subjects[at];
    return subject === undefined ? [] : [{ subject, nReviewers: double.has(trial.id) ? 2 : 1 } as const];
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
    return nameSubject({ ...trial, id: trial.uuid, jobUuid: trial.runUuid }, job, rootLabel);
  });
}

/**
 * Returns why labels of this draw would correct no score. Null if they would, or if its trials are not from a list. @throws
 * StoreError
 */
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
