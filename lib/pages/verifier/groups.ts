import "server-only";
import type { Route } from "next";
import { cache } from "react";

import type { LabelledScore } from "@/lib/core/comparison/labelled-score";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { readVerdict } from "@/lib/core/domain/review";
import { decodeSegment } from "@/lib/core/domain/segment";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { listSearchValues } from "@/lib/pages/address/address";
import { verifierHref } from "@/lib/pages/annotations/review-address";
import { listUnknownTrialsValues, parseTrialsParams, trialsPageHref } from "@/lib/pages/trials/address";
import { type AnnotationStore, getAnnotationStore, listQueues } from "@/lib/people/annotations";
import {
  type Draws,
  readDraws,
  type TrialLookup,
  type Population,
  toPopulation,
} from "@/lib/people/labels/draws";
import { correctByLabels, writeAgent } from "@/lib/people/labels/sample";
import {
  type IndexStore,
  readHead,
  readPopulation,
  readTrialPlaces,
  type GroupSummary,
  type JobHead,
} from "@/lib/store/tables";

import { readIndexTime } from "../annotations/judged";
import { openTrialsList } from "../job/trials-selection";
import { createGenerationCache } from "../shell/cache";
import { getStore } from "../shell/catalog";

const keepDraws = createGenerationCache(2);

export async function getDraws(store: IndexStore, annotations: AnnotationStore = getAnnotationStore()) {
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
export async function readWholeList(at: Parameters<typeof readListPopulation>[0], href: string) {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const params = parseTrialsParams(search, jobKey === null);
  const { jobs, agents, isWithoutReference, tasks, digests, groups } = params;
  const { isDivided, rewardKey, sort, descending, columns } = params;
  const whole = trialsPageHref(jobKey, {
    ...{ tab: "trials", isDivided, rewardKey, sort, descending, columns },
    ...{ jobs, agents, isWithoutReference, tasks, digests, groups },
  });
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

/** The human-corrected score of a group, or why there is none, with the page that explains it. */
export type GroupCorrection = LabelledScore & { readonly href: Route };

const WITH_VERDICT = OUTCOMES.filter((outcome) => readVerdict(outcome) !== null);

interface GroupOfJob {
  readonly job: Pick<JobHead, "rowId" | "key">;
  readonly summary: Pick<GroupSummary, "group" | "counts">;
}

const getDrawsOrNull = cache((store: IndexStore) => unlessUnreadable(() => getDraws(store), null));

/** Returns one correction per input, in order. Null for null, for a group without labels, and if labels cannot be read. */
export async function getGroupCorrections(
  store: IndexStore,
  groups: readonly (GroupOfJob | readonly GroupOfJob[] | null)[],
): Promise<readonly (GroupCorrection | null)[]> {
  const draws = groups.length === 0 ? null : await getDrawsOrNull(store);
  return groups.map((group) => group && draws && correctRuns(draws, "job" in group ? [group] : group));
}

export async function getJobCorrections({
  job,
  shown,
}: {
  readonly job: GroupOfJob["job"];
  readonly shown: { readonly groups: readonly GroupOfJob["summary"][] };
}): Promise<readonly (GroupCorrection | null)[]> {
  return getGroupCorrections(
    await getStore(),
    shown.groups.map((summary) => ({ job, summary })),
  );
}

/** Corrects the score of pooled runs by the labels of all their trials. Callers must leave out runs that share rollouts. */
export function correctRuns(draws: Draws, runs: readonly GroupOfJob[]): GroupCorrection | null {
  const [first] = runs;
  if (first === undefined) return null;
  const { agent, model } = first.summary.group;
  const href = verifierHref({
    jobs: [...new Set(runs.map(({ job }) => job.key))],
    agents: [writeAgent(agent, model)],
  });
  const labelled = runs.map(({ job, summary }) => ({
    jobRowId: job.rowId,
    key: summary.group.key,
    nWithVerdict: WITH_VERDICT.reduce((sum, outcome) => sum + summary.counts[outcome], 0),
  }));
  const score = correctByLabels(draws, labelled);
  return score && { ...score, href };
}
