import "server-only";
import { rangeOfPage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import type { TrialsParams } from "@/lib/pages/trials/address";
import {
  type IndexStore,
  readDisagreeingKeys,
  readGroupNames,
  readHeads,
  readJobsWithoutDerivedDetails,
  readListedJobs,
  readScannerFacet,
  readSearchState,
  readSuspicionsAt,
  readTotals,
  readTrialFacets,
  type TrialKeys,
} from "@/lib/store/tables";

import { searchInFull } from "../job/full-search";
import { getTrialsPage, listMenus } from "../job/trials";
import type { VerifierDoubts } from "../job/verifier-checks";
import { findSavedSets, listSavedSets, readNamedRuns } from "../run-sets/saved";
import { getCached, getIdentityOf, getStore } from "../shell/catalog";

export type AllTrialsPage = Awaited<ReturnType<typeof getAllTrialsPage>>;

export type NamedGroup = NonNullable<ReturnType<AllTrialsPage["groups"]["get"]>>;

export async function getAllTrialsPage(filter: TrialsParams) {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const [page, facets, search, full, scanners, { nTrials }, listed, groups, doubts] = await Promise.all([
    getTrialsPage(store, null, filter, rangeOfPage(filter.page, PAGE_ROWS)),
    getCached("trial-facets", readTrialFacets),
    getCached("search-state", (index) => readSearchState(index, null)),
    searchInFull(store, null, filter),
    getCached("scanner-facet", (index) => readScannerFacet(index, null)),
    getCached("totals", readTotals),
    getCached("listed-jobs", readListedJobs),
    getCached("group-names", readGroupNames),
    getCached("verifier-doubts", readDoubts),
  ]);
  const jobs = await readHeads(store, [...new Set(page.rows.map(({ jobRowId }) => jobRowId))]);
  const read = listed.filter(({ isRead }) => isRead);
  return {
    panel: { ...page, ...listMenus(facets), search, full, scanners, nTrials },
    jobs: new Map(jobs.map((job) => [job.rowId, job])),
    jobFacet: read
      .map(({ key, nTrials: count }) => ({ value: key, count }))
      .toSorted((a, b) => b.count - a.count),
    ...(await readSets(store, filter.runSets)),
    jobNames: new Map(read.map(({ key, name }) => [key, name])),
    nJobs: listed.length,
    /** Jobs with unread trials, which are not in the list. */
    nUnread: listed.length - read.length,
    groups: nameGroups(groups, identityOf),
    identityOf,
    doubts,
  };
}

/** Newest first. A deleted set is included only if the URL names it. */
async function readSets(store: IndexStore, asked: readonly string[]) {
  const [{ sets: live }, runs] = await Promise.all([listSavedSets(store), readNamedRuns(store)]);
  const named = asked.filter((id) => live.every((set) => set.id !== id));
  const sets = [...live, ...(await findSavedSets(store, named)).values()];
  const nTrials = new Map(runs.map((run) => [run.ref, run.nTrials]));
  return {
    setFacet: sets.map(({ id, members }) => ({
      value: id,
      count: members.reduce((sum, { ref }) => sum + (nTrials.get(ref ?? "") ?? 0), 0),
    })),
    setNames: new Map(sets.map(({ id, name, isDeleted }) => [id, isDeleted ? `${name} (deleted)` : name])),
  };
}

function nameGroups(
  groups: Awaited<ReturnType<typeof readGroupNames>>,
  identityOf: Awaited<ReturnType<typeof getIdentityOf>>,
) {
  const byAgent = Map.groupBy(groups, ({ agent, model }) => JSON.stringify([agent, model]));
  return new Map(
    groups.map(({ key, agent, model, source }) => {
      // Only the dataset distinguishes groups of one agent and model.
      const isOneOfSeveral = (byAgent.get(JSON.stringify([agent, model]))?.length ?? 0) > 1;
      const identity = identityOf(agent, model);
      return [key, { agent, model, source, identity, isOneOfSeveral }] as const;
    }),
  );
}

export async function countAllTrials(filter: TrialsParams): Promise<number> {
  return (await getTrialsPage(await getStore(), null, filter, rangeOfPage(1, 1))).nMatching;
}

async function readDoubts(store: IndexStore): Promise<VerifierDoubts | null> {
  if ((await readJobsWithoutDerivedDetails(store)).size > 0) return null;
  const [suspicions, disagreeing] = await Promise.all([
    readSuspicionsAt(store),
    readDisagreeingKeys(store, null),
  ]);
  return { nSuspects: countKeys(suspicions), nNondeterministic: countKeys(disagreeing) };
}

function countKeys(keys: TrialKeys | ReadonlyMap<number, ReadonlyMap<string, unknown>>): number {
  return [...keys.values()].reduce((sum, { size }) => sum + size, 0);
}
