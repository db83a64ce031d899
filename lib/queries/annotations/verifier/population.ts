import "server-only";

import { listSearchValues } from "@/lib/addresses/address";
import { decodeSegment } from "@/lib/addresses/href";
import { jobPageHref, listUnknownJobValues, parseJobParams } from "@/lib/addresses/job";
import { type Population, toPopulation } from "@/lib/labels/members";
import { type IndexStore, readHead, readPopulation } from "@/lib/store";

import { openTrialsList } from "../../job/trials-selection";
import { createGenerationCache } from "../../shell/cache";

/** Lists may be of all trials there are. */
const MOST_POPULATIONS = 16;

const keep = createGenerationCache(MOST_POPULATIONS);

/**
 * The trials of the list that an address names, as they are now; null when it names no list, or a job that is not open.
 *
 * @param version - of what people say, which a list may be filtered by: judgments, tags, names of clusters
 */
export async function readListPopulation(
  { store, generation, version }: { store: IndexStore; generation: number; version: string },
  href: string,
): Promise<Population | null> {
  const isSaid = /[?&](?:judgment|tag|cluster)=/u.test(href);
  return keep({ store, generation }, `${href} ${isSaid ? version : ""}`, () => readList(store, href));
}

/**
 * The list that an address names without its filters by what came of the trials: those of its jobs, agents, tasks and groups. The
 * same population where it has no such filter; null as in {@link readListPopulation}.
 */
export async function readWholeList(
  at: Parameters<typeof readListPopulation>[0],
  href: string,
): Promise<Population | null> {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const params = parseJobParams(search, jobKey === null);
  const { jobs, agents, isWithoutReference, tasks, digests, groups } = params;
  const { isDivided, rewardKey, trialSort, descending, columns } = params;
  const drawing = { tab: "trials", isDivided, rewardKey, trialSort, descending, columns } as const;
  const chosen = { jobs, agents, isWithoutReference, tasks, digests, groups };
  const whole = jobPageHref(jobKey, { ...drawing, ...chosen });
  const isWhole = whole === jobPageHref(jobKey, { ...params, tab: "trials" });
  return readListPopulation(at, isWhole ? href : whole);
}

/** The job of the list that an address names, null for all jobs, and what it asks of it; null when it names no list. */
function parseList(href: string) {
  const url = URL.parse(href, "http://localhost");
  const path = /^\/(?:trials|jobs\/(?<job>[^/]+))$/.exec(url?.pathname ?? "");
  if (url === null || path === null) return null;
  const segment = path.groups?.["job"];
  const jobKey = segment === undefined ? null : decodeSegment(segment);
  return { jobKey, search: { ...listSearchValues(url.href), tab: "trials" } };
}

async function readList(store: IndexStore, href: string): Promise<Population | null> {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const job = jobKey === null ? null : await readHead(store, jobKey);
  if (jobKey !== null && job === null) return null;
  if (listUnknownJobValues(search, job === null).length > 0) return null;
  const { jobs, selection } = await openTrialsList(store, job, parseJobParams(search, job === null));
  return toPopulation(await readPopulation(store, jobs, selection));
}
