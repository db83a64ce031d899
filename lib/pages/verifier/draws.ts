import "server-only";
import { decodeSegment } from "@/lib/core/domain/segment";
import { listSearchValues } from "@/lib/pages/address/address";
import { listUnknownTrialsValues, parseTrialsParams, trialsPageHref } from "@/lib/pages/trials/address";
import { type AnnotationStore, getAnnotationStore, listQueues } from "@/lib/people/annotations";
import { type Draws, readDraws, type TrialLookup } from "@/lib/people/labels/draws";
import { type Population, toPopulation } from "@/lib/people/labels/members";
import { type IndexStore, readHead, readPopulation, readTrialPlaces } from "@/lib/store/tables";

import { readIndexTime } from "../annotations/judged";
import { openTrialsList } from "../job/trials-selection";
import { createGenerationCache } from "../shell/cache";

const keepDraws = createGenerationCache(2);

export async function getDraws(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Draws> {
  const [at, { queues }] = await Promise.all([readIndexTime(store, annotations), listQueues(annotations)]);
  const version = `${at.version} ${queues.length}`;
  return keepDraws(at, `${annotations.place} ${version}`, () =>
    readDraws(annotations, findInIndex({ ...at, version })),
  );
}

export function findInIndex(at: Parameters<typeof readListPopulation>[0]): TrialLookup {
  return {
    readPlaces: async (names) => (names.size === 0 ? [] : readTrialPlaces(at.store, names)),
    readList: (href) => readListPopulation(at, href),
    readWholeList: (href) => readWholeList(at, href),
  };
}

const MOST_POPULATIONS = 16;

const keep = createGenerationCache(MOST_POPULATIONS);

/**
 * Returns the current trials of a list; null if the address names no list, or a job that is not open.
 * @param version - of judgments, tags and cluster names, which a list may be filtered by
 */
export async function readListPopulation(
  { store, generation, version }: { store: IndexStore; generation: number; version: string },
  href: string,
): Promise<Population | null> {
  const isSaid = /[?&](?:judgment|tag|cluster)=/u.test(href);
  return keep({ store, generation }, `${href} ${isSaid ? version : ""}`, () => readList(store, href));
}

/**
 * Returns the list without its filters by result, so that only jobs, agents, tasks and groups filter it. Returns the same
 * population if it has no such filter; null as in {@link readListPopulation}.
 */
export async function readWholeList(
  at: Parameters<typeof readListPopulation>[0],
  href: string,
): Promise<Population | null> {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const params = parseTrialsParams(search, jobKey === null);
  const { jobs, agents, isWithoutReference, tasks, digests, groups } = params;
  const { isDivided, rewardKey, sort, descending, columns } = params;
  const drawing = { tab: "trials", isDivided, rewardKey, sort, descending, columns } as const;
  const chosen = { jobs, agents, isWithoutReference, tasks, digests, groups };
  const whole = trialsPageHref(jobKey, { ...drawing, ...chosen });
  const isWhole = whole === trialsPageHref(jobKey, { ...params, tab: "trials" });
  return readListPopulation(at, isWhole ? href : whole);
}

function parseList(href: string) {
  const url = URL.parse(href, "http://localhost");
  const path = /^\/(?:trials|jobs\/(?<job>[^/]+))$/.exec(url?.pathname ?? "");
  if (url === null || path === null) return null;
  const segment = path.groups?.["job"];
  const jobKey = segment === undefined ? null : decodeSegment(segment);
  return { jobKey, search: listSearchValues(url.href) };
}

async function readList(store: IndexStore, href: string): Promise<Population | null> {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const job = jobKey === null ? null : await readHead(store, jobKey);
  if (jobKey !== null && job === null) return null;
  if (listUnknownTrialsValues(search, job === null).length > 0) return null;
  const { jobs, selection } = await openTrialsList(store, job, parseTrialsParams(search, job === null));
  return toPopulation(await readPopulation(store, jobs, selection));
}
