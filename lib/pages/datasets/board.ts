import "server-only";
import {
  computeLeaderboard,
  joinRuns,
  type Leaderboard,
  type LeaderboardRule,
  markMixed,
  nameKind,
  poolBySettings,
  suggestRunSets,
} from "@/lib/core/comparison";
import { mixesModels } from "@/lib/core/domain/agent-settings";
import { compareText } from "@/lib/core/domain/compare-text";
import { qualifyModels } from "@/lib/core/domain/model-name";
import { oncePer } from "@/lib/core/domain/once-per";
import { groupRef } from "@/lib/pages/address/href";
import { writeRunSet } from "@/lib/pages/compare/address";
import type { DatasetParams } from "@/lib/pages/datasets/address";
import { type GroupSummary, type IndexStore, readHeads } from "@/lib/store/tables";

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

export type LeaderboardParams = Pick<
  DatasetParams,
  "key" | "missing" | "rule" | "tasks" | "coverage" | "runs" | "repeats"
>;

export const MOST_GROUPS = 250;

export interface OwnSet extends Pick<SavedSet, "ref" | "name"> {
  readonly runs: readonly string[];
}

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

/** Splits a group that mixes models, because models never share a row. */
function divideByModel(summary: GroupSummary): readonly GroupSummary[] {
  const { differences, parts } = summary.setups ?? { differences: [], parts: [] };
  return mixesModels(differences) && parts.length > 0 ? parts.map((part) => part.summary) : [summary];
}

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
  // In the CLI's order: sets are named after their first run, and the order of a sum changes its last digit.
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

const MOST_BOARDS = 20;

type Groups = readonly ChosenGroup[];

/** Unused trials are dropped: those of 250 groups take 120 MB if jobs have 1,000 each. */
const IDLE_MS = 60_000;

type CacheOf<T extends object> = (store: IndexStore) => ReturnType<typeof createCache<T>>;

// Job versions are never reused, so cached entries cannot be stale. The trials of one dataset are kept, so that another setting
// or tab reads nothing again.
const groupsOf: CacheOf<Groups> = oncePer(() => createCache(1, IDLE_MS));
const boardsOf: CacheOf<Leaderboard> = oncePer(() => createCache(MOST_BOARDS));

export async function readBoardGroups(store: IndexStore, chosen: readonly FoundGroup[]): Promise<Groups> {
  return groupsOf(store)(JSON.stringify(nameVersions(chosen)), async () =>
    (await readChosenGroups(store, chosen)).map(markMixed),
  );
}

/**
 * Pools runs of one agent, model and settings, within a folder or across all. Saved run sets stay as they are.
 * @returns nPooled - runs that are, or could be, pooled with others
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

export async function readBoard(
  store: IndexStore,
  { chosen, groups }: { readonly chosen: readonly FoundGroup[]; readonly groups: Groups },
  { key, missing, rule: scoring, tasks, coverage }: LeaderboardRule,
): Promise<Leaderboard> {
  const rule = { key, missing, rule: scoring, tasks, coverage };
  return boardsOf(store)(JSON.stringify([nameVersions(chosen), rule]), () =>
    Promise.resolve(computeLeaderboard(groups, rule)),
  );
}
