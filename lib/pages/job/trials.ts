import "server-only";
import { type ListRange, PAGE_ROWS, rangeOfPage } from "@/lib/core/domain/list-page";
import { type Excerpt, findExcerpt, makePatterns } from "@/lib/core/domain/search-excerpt";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { describeFailure } from "@/lib/core/triage/classified";
import { readReward } from "@/lib/core/verification";
import type { TrialsParams } from "@/lib/pages/trials/address";
import {
  type FacetValue,
  type FacetValues,
  type IndexStore,
  type JobHead,
  namePlace,
  listTrialPlaces,
  readFailuresAt,
  readJobFacets,
  readScannerFacet,
  readSearchState,
  readSuspicionsAt,
  readTrials,
  readTrialsAt,
  readTrialSpot,
  type RowPlace,
  takeTurns,
  type TrialRow,
  type TrialSpot,
  readTexts,
} from "@/lib/store/tables";

import { pickKnown } from "./facets";
import { searchInFull } from "./full-search";
import { isDividedGroup } from "./settings";
import { type JudgedByJob, openTrialsList } from "./trials-selection";

/** Counts are over the whole job, or over all jobs. */
export type TrialsPanel = Awaited<ReturnType<typeof getTrialsPanel>>;

export async function getTrialsPanel(store: IndexStore, job: JobHead, filter: TrialsParams) {
  const [page, facets, search, full, scanners] = await Promise.all([
    getTrialsPage(store, job, filter, rangeOfPage(filter.page, PAGE_ROWS)),
    readJobFacets(store, job.rowId),
    readSearchState(store, job.rowId),
    searchInFull(store, job, filter),
    readScannerFacet(store, job.rowId),
  ]);
  const groups = filter.isDivided ? listGroupFacet(job, facets) : null;
  const menus = listMenus(facets);
  return { ...page, ...menus, search, full, scanners, groups: groups ?? menus.groups, nTrials: job.nTrials };
}

export function listMenus(facets: FacetValues) {
  return {
    outcomes: pickKnown(facets, "trial-outcome", OUTCOMES),
    exceptions: facets.get("trial-exception") ?? [],
    groups: facets.get("trial-group") ?? [],
    rewardKeys: facets.get("trial-reward-key") ?? [],
  };
}

function listGroupFacet({ groups }: JobHead, facets: FacetValues): readonly FacetValue[] {
  const divided = new Set(groups.filter(isDividedGroup).map(({ group }) => group.key));
  const whole = (facets.get("trial-group") ?? []).filter(({ value }) => !divided.has(value));
  return [...(facets.get("trial-setup") ?? []), ...whole];
}

export async function getTrialsPage(
  store: IndexStore,
  job: JobHead | null,
  filter: TrialsParams,
  range: ListRange,
) {
  const { jobs, selection, sort, judged } = await openTrialsList(store, job, filter);
  const page = await readTrials(store, jobs, selection, sort, range);
  return { ...page, rows: await completeRows(store, filter, page.rows, judged) };
}

/** No other request is served while these are read. At 200, others waited a quarter longer during a Parquet download. */
const LISTED_AT_ONCE = 50;

export async function* listTrials(store: IndexStore, job: JobHead | null, filter: TrialsParams) {
  const { jobs, selection, sort, judged } = await openTrialsList(store, job, filter);
  const places = await listTrialPlaces(store, jobs, selection, sort);
  for await (const some of takeTurns(places, LISTED_AT_ONCE))
    yield* await completeRows(store, { ...filter, text: "" }, await readTrialsAt(store, some), judged);
}

async function completeRows(
  store: IndexStore,
  { rewardKey, text }: Pick<TrialsParams, "rewardKey" | "text">,
  rows: readonly TrialRow[],
  judged: JudgedByJob | null,
) {
  const suspicions = await readSuspicionsAt(store, rows);
  const verdicts = await readFailuresAt(store, rows);
  const excerpts = await readExcerpts(store, text, rows);
  return rows.map((row) => {
    const { key } = row.trial;
    const reward = readReward(row.trial.rewards, rewardKey);
    return {
      ...row,
      failure: describeFailure(row.trial, verdicts.get(namePlace(row)) ?? null),
      /** The shown reward as Python writes it, and as a double; null if the trial has none for the key. */
      reward: reward && { text: reward.text, value: Number(reward.value) },
      judgments: judged?.get(row.jobRowId)?.get(key)?.judgments ?? null,
      /** Null without a suspicion, or while the verifier's files are unread. */
      suspicion: suspicions.get(row.jobRowId)?.get(key) ?? null,
      /** Null without a search, or if the trial matched by name. */
      excerpt: excerpts.get(namePlace(row)) ?? null,
    };
  });
}

/** Returns null if the trial is gone. */
export async function getTrialSpot(
  store: IndexStore,
  job: JobHead | null,
  filter: TrialsParams,
  place: RowPlace,
): Promise<TrialSpot | null> {
  const { jobs, selection, sort } = await openTrialsList(store, job, filter);
  return readTrialSpot(store, jobs, selection, sort, place);
}

/** Returns excerpts by place, such as `1 2`. A trial found by its name has none. */
async function readExcerpts(
  store: IndexStore,
  text: string,
  rows: readonly RowPlace[],
): Promise<ReadonlyMap<string, Excerpt>> {
  const patterns = makePatterns(text);
  if (patterns.length === 0) return new Map();
  const texts = await readTexts(store, rows);
  return new Map(
    [...texts].flatMap(([place, pieces]) => {
      const excerpt = findExcerpt(pieces, patterns);
      return excerpt === null ? [] : [[place, excerpt] as const];
    }),
  );
}
