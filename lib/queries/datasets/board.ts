import "server-only";

import { writeRunSet } from "@/lib/addresses/compare";
import type { DatasetParams } from "@/lib/addresses/datasets";
import { groupRef } from "@/lib/addresses/href";
import {
  computeLeaderboard,
  joinRuns,
  type Leaderboard,
  type LeaderboardRule,
  markMixed,
  nameKind,
  poolBySettings,
  suggestRunSets,
} from "@/lib/comparison";
import { mixesModels } from "@/lib/domain/agent-settings";
import { qualifyModels } from "@/lib/domain/model-name";
import { compareText } from "@/lib/domain/compare-text";
import { type GroupSummary, type IndexStore, readHeads } from "@/lib/store";

import {
  type ChosenGroup,
  findGroups,
  findSets,
  type FoundGroup,
  nameVersions,
  readChosenGroups,
} from "../compare/groups";
import { listSavedSets, type SavedSet } from "../run-sets/saved";
import { createCache } from "../shell/cache";
import type { Dataset } from "./list";

/** What a leaderboard depends on besides its dataset. */
export type LeaderboardParams = Pick<
  DatasetParams,
  "key" | "missing" | "rule" | "tasks" | "coverage" | "runs" | "repeats"
>;

/** Groups of one leaderboard at most, the newest ones. */
export const MOST_GROUPS = 250;

/** A saved run set over a dataset. */
export interface OwnSet extends Pick<SavedSet, "ref" | "name"> {
  /** References of its runs; those of jobs that are not here are left out. */
  readonly runs: readonly string[];
}

/** The saved run sets all of whose runs are over the dataset. */
export async function listOwnSets(store: IndexStore, { groups }: Dataset): Promise<readonly OwnSet[]> {
  const { sets } = await listSavedSets(store);
  if (sets.length === 0) return [];
  const jobs = await readHeads(store, [...new Set(groups.map(({ jobRowId }) => jobRowId))]);
  const byId = new Map(jobs.map((job) => [job.rowId, job]));
  const own = new Set(groups.map(({ jobRowId, key }) => groupRef(byId.get(jobRowId)?.key ?? "", key)));
  return sets.flatMap(({ ref, name, members }): OwnSet[] => {
    const runs = members.flatMap((member) => member.ref ?? []);
    return runs.length > 0 && runs.every((run) => own.has(run)) ? [{ ref, name, runs }] : [];
  });
}

/** Models never share a row: a group that mixes them is one for each. */
function divideByModel(summary: GroupSummary): readonly GroupSummary[] {
  const { differences, parts } = summary.setups ?? { differences: [], parts: [] };
  return mixesModels(differences) && parts.length > 0 ? parts.map((part) => part.summary) : [summary];
}

/** The newest groups of a dataset, those of saved run sets and those that look like repeats counted together where `joins` says so. */
export async function chooseGroups(
  store: IndexStore,
  { groups }: Pick<Dataset, "groups">,
  saved: readonly OwnSet[],
  joins: { readonly saved: boolean; readonly suggested: boolean },
  most: number = MOST_GROUPS,
): Promise<{ readonly chosen: readonly FoundGroup[]; readonly nRepeats: number }> {
  const newest = groups.slice(0, most);
  const jobs = await readHeads(store, [...new Set(newest.map(({ jobRowId }) => jobRowId))]);
  const byId = new Map(jobs.map((job) => [job.rowId, job]));
  const found = newest.flatMap(({ jobRowId, key }) => {
    const job = byId.get(jobRowId);
    const summaries = job?.groups.filter(({ group }) => group.key === key).flatMap(divideByModel) ?? [];
    return summaries.map(({ group }) => ({
      ref: groupRef(job?.key ?? "", group.key),
      jobName: job?.name ?? "",
      group,
    }));
  });
  // By name, as the command has them: sets are named after their first run, and sums keep their last digit.
  const named = qualifyModels(found).map(({ group, ...run }) => ({ ...run, kind: nameKind(group) }));
  const runs = named.toSorted((a, b) => compareText(a.jobName, b.jobName));
  const inSaved = new Set(saved.flatMap((set) => set.runs));
  const suggested = suggestRunSets(runs.filter(({ ref }) => !inSaved.has(ref)));
  const inSet = new Set([...(joins.saved ? inSaved : []), ...(joins.suggested ? suggested.flat() : [])]);
  const refs = [
    ...(joins.saved ? saved.map(({ ref }) => ref) : []),
    ...(joins.suggested ? suggested.flatMap(writeRunSet) : []),
    ...runs.flatMap(({ ref }) => (inSet.has(ref) ? [] : [ref])),
  ];
  const { chosen } = await findGroups(store, refs, () => 0);
  return { chosen, nRepeats: inSaved.size + suggested.flat().length };
}

/** Boards that are kept: a few settings of a few datasets, without trials. */
const MOST_BOARDS = 20;

type Groups = readonly ChosenGroup[];

const kept = new WeakMap<
  IndexStore,
  {
    readonly groups: ReturnType<typeof createCache<Groups>>;
    readonly boards: ReturnType<typeof createCache<Leaderboard>>;
  }
>();

/** How long trials are kept that nobody looks at: those of 250 groups take 120 MB where jobs have 1,000 each. */
const IDLE_MS = 60_000;

/** No version of a job is used twice, so what is kept by these never grows old. */
function keepOf(store: IndexStore) {
  // Of one dataset alone the trials are kept, so that another setting or tab reads nothing again.
  const own = kept.get(store) ?? { groups: createCache(1, IDLE_MS), boards: createCache(MOST_BOARDS) };
  kept.set(store, own);
  return own;
}

/** The chosen groups with their trials, those of mixed runs named so. */
export async function readBoardGroups(store: IndexStore, chosen: readonly FoundGroup[]): Promise<Groups> {
  return keepOf(store).groups(JSON.stringify(nameVersions(chosen)), async () =>
    (await readChosenGroups(store, chosen)).map(markMixed),
  );
}

/**
 * The same with runs of one agent, model and settings counted together, of one folder or all, saved run sets left as they are.
 *
 * @returns nPooled - how many runs are, or could be, counted together with others
 */
export async function poolBoardGroups(
  store: IndexStore,
  chosen: readonly FoundGroup[],
  by: DatasetParams["runs"],
): Promise<{ readonly chosen: readonly FoundGroup[]; readonly groups: Groups; readonly nPooled: number }> {
  const read = await readBoardGroups(store, chosen);
  const runs = read.flatMap(({ saved, runs: [run], contents: [content] }) =>
    saved !== null || content === undefined ? [] : [{ ...run, content }],
  );
  const sets = poolBySettings(runs, by === "folder");
  const nPooled = sets.filter((set) => set.length > 1).flat().length;
  if (by === "each" || nPooled === 0) return { chosen, groups: read, nPooled };
  const saved = read.flatMap((group) => (group.saved === null ? [] : group.refs));
  const pools = sets.map(([first, ...others]) => [first.ref, ...others.map(({ ref }) => ref)] as const);
  const found = await findSets(store, [...saved.map((ref) => [ref] as const), ...pools], () => 0);
  const contents = new Map(
    read.flatMap((group) => group.runs.map(({ ref }, at) => [ref, group.contents[at]] as const)),
  );
  const groups = found.chosen.map((group) => {
    const own = group.runs.flatMap(({ ref }) => contents.get(ref) ?? []);
    return markMixed({ ...group, ...joinRuns(own) });
  });
  return { chosen: found.chosen, groups, nPooled };
}

/** The leaderboard of the chosen groups, the same one for every page that shows figures of it. */
export async function readBoard(
  store: IndexStore,
  { chosen, groups }: { readonly chosen: readonly FoundGroup[]; readonly groups: Groups },
  { key, missing, rule: scoring, tasks, coverage }: LeaderboardRule,
): Promise<Leaderboard> {
  const rule = { key, missing, rule: scoring, tasks, coverage };
  return keepOf(store).boards(JSON.stringify([nameVersions(chosen), rule]), () =>
    Promise.resolve(computeLeaderboard(groups, rule)),
  );
}
