import "server-only";

import type { DatasetParams } from "@/lib/addresses/datasets";
import { writeRunSet } from "@/lib/addresses/compare";
import { groupRef } from "@/lib/addresses/href";
import {
  computeLeaderboard,
  describeLeaderboard,
  describeMarks,
  describeRecorded,
  formatAttempts,
  formatLeaderboard,
  formatRank,
  formatScoreRange,
  type Leaderboard,
  type LeaderboardRow,
  markMixed,
  nameKind,
  readScore,
  readScoreBounds,
  suggestRunSets,
} from "@/lib/comparison";
import { compareText } from "@/lib/domain/compare-text";
import { formatCost, formatPlural, formatReward, MISSING } from "@/lib/format/number";
import { type IndexStore, type JobHead, readHeads } from "@/lib/store";

import { getGroupCorrections, type GroupCorrection } from "../annotations/verifier/groups";
import { findGroups, type FoundGroup, readChosenGroups, type Run } from "../compare/groups";
import { describeMeanBasis } from "../job/mean-basis";
import { listSavedSets, type SavedSet } from "../run-sets/saved";
import { getCached, getStore } from "../shell/catalog";
import type { Dataset } from "./list";

/** What a leaderboard depends on besides its dataset. */
export type LeaderboardParams = Pick<DatasetParams, "key" | "missing" | "tasks" | "repeats">;

/** One group or run set, each figure as text beside the number that is drawn. */
export interface LeaderboardLine extends Pick<
  LeaderboardRow,
  "label" | "state" | "rank" | "marks" | "nTasks"
> {
  /** References of its runs as the compare page takes them. */
  readonly refs: readonly string[];
  readonly jobs: readonly Pick<JobHead, "key" | "name">[];
  /** Agent and model, each once over its runs. */
  readonly agents: readonly string[];
  readonly rankText: string;
  readonly score: number | null;
  readonly bounds: { readonly low: number; readonly high: number } | null;
  readonly scoreText: string;
  /** Interval as text, then how it was found, or why there is none. */
  readonly range: string;
  readonly basis: string;
  readonly attempts: string;
  readonly cost: string;
  readonly costBasis: string;
  readonly families: readonly { readonly text: string; readonly isBest: boolean }[];
  /** Whether its figures are recorded, or recomputed from its trials alone. */
  readonly recorded: string;
  readonly recordedBasis: string;
  readonly differs: string;
  /** Its score as humans would have it; null where nobody labelled a trial, and for a run set. */
  readonly correction: GroupCorrection | null;
}

/** The leaderboard of a dataset as the page shows it. */
export interface LeaderboardPage extends Omit<Leaderboard, "rows"> {
  /** All of them, whatever the text filter. */
  readonly lines: readonly LeaderboardLine[];
  /** Ends of the scale of scores, at least 0 to 1. */
  readonly end: number;
  /** What scores and ranks are, in sentences. */
  readonly note: string;
  /** Groups that look like repeats of another one by their names. */
  readonly nRepeats: number;
  /** Groups of older jobs that are left out, since there are too many. */
  readonly nLeftOut: number;
  /** As it is copied. */
  readonly copy: string;
}

/** Groups of one leaderboard at most, the newest ones. */
export const MOST_GROUPS = 100;

/** What is kept of a leaderboard while the index stays as it is: no trials. */
interface KeptLeaderboard {
  readonly board: Leaderboard;
  /** In the order in which the board was given them. */
  readonly groups: readonly { readonly refs: readonly string[]; readonly runs: readonly Run[] }[];
  readonly nRepeats: number;
}

/** The leaderboard of a dataset under what the address says. */
export async function getLeaderboard(dataset: Dataset, params: DatasetParams): Promise<LeaderboardPage> {
  const { key, missing, tasks, repeats } = params;
  const store = await getStore();
  const saved = await listOwnSets(store, dataset);
  // Saved sets change without the index.
  const name = `leaderboard ${JSON.stringify([dataset.id, key, missing, tasks, repeats, saved])}`;
  const kept = await getCached(name, (current) => readLeaderboard(current, dataset, params, saved));
  const corrections = await getGroupCorrections(
    store,
    kept.board.rows.map(({ at }) => {
      const [run, ...others] = kept.groups[at]?.runs ?? [];
      return run === undefined || others.length > 0 ? null : run;
    }),
  );
  return preparePage(kept, corrections, dataset, params);
}

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

/**
 * The leaderboard of a dataset in an index, with the runs of each group. Where repeats count together, saved run sets stand for their runs,
 * and of the others those that look like repeats.
 */
export async function readLeaderboard(
  store: IndexStore,
  dataset: Pick<Dataset, "groups">,
  params: LeaderboardParams,
  saved: readonly OwnSet[] = [],
): Promise<KeptLeaderboard> {
  const isTogether = params.repeats === "together";
  const { chosen, nRepeats } = await chooseGroups(store, dataset, saved, {
    saved: isTogether,
    suggested: isTogether,
  });
  const named = (await readChosenGroups(store, chosen)).map(markMixed);
  return {
    board: computeLeaderboard(named, params),
    groups: chosen.map(({ refs, runs: own }) => ({ refs, runs: own })),
    nRepeats,
  };
}

/** The newest groups of a dataset, those of saved run sets and those that look like repeats counted together where `joins` says so. */
export async function chooseGroups(
  store: IndexStore,
  { groups }: Pick<Dataset, "groups">,
  saved: readonly OwnSet[],
  joins: { readonly saved: boolean; readonly suggested: boolean },
): Promise<{ readonly chosen: readonly FoundGroup[]; readonly nRepeats: number }> {
  const newest = groups.slice(0, MOST_GROUPS);
  const jobs = await readHeads(store, [...new Set(newest.map(({ jobRowId }) => jobRowId))]);
  const byId = new Map(jobs.map((job) => [job.rowId, job]));
  const found = newest.flatMap(({ jobRowId, key, agent, model, source }) => {
    const job = byId.get(jobRowId);
    const kind = nameKind({ key, agent, model, source });
    return job === undefined ? [] : [{ ref: groupRef(job.key, key), jobName: job.name, kind }];
  });
  // By name, as the command has them: sets are named after their first run, and sums keep their last digit.
  const runs = found.toSorted((a, b) => compareText(a.jobName, b.jobName));
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

function preparePage(
  { board, groups, nRepeats }: KeptLeaderboard,
  corrections: readonly (GroupCorrection | null)[],
  dataset: Dataset,
  { format }: DatasetParams,
): LeaderboardPage {
  const { rows, ...rest } = board;
  const best = board.families.map((_, at) =>
    Math.max(...rows.flatMap(({ state, families }) => (state === "ranked" ? (families[at] ?? []) : []))),
  );
  const highest = rows.flatMap((row) => [readScore(row) ?? 0, readScoreBounds(row)?.high ?? 0]);
  return {
    ...rest,
    lines: rows.map((row, place) => ({
      ...describeRow(row, best),
      refs: groups[row.at]?.refs ?? [],
      jobs: (groups[row.at]?.runs ?? []).map(({ job: { key, name } }) => ({ key, name })),
      correction: corrections[place] ?? null,
    })),
    end: Math.max(1, ...highest),
    note: describeLeaderboard(board),
    nRepeats,
    nLeftOut: Math.max(0, dataset.groups.length - MOST_GROUPS),
    copy: formatLeaderboard(board, dataset.label, format),
  };
}

function describeRow(
  row: LeaderboardRow,
  best: readonly number[],
): Omit<LeaderboardLine, "refs" | "jobs" | "correction"> {
  const { label, state, rank, marks, nTasks, cost, figures, runs } = row;
  const { nFigures, nExact } = figures;
  const agents = runs.map(({ agent, model }) => (model === null ? agent : `${agent} ${model}`));
  return {
    label,
    state,
    rank,
    marks,
    nTasks,
    agents: [...new Set(agents)],
    rankText: formatRank(rank),
    score: readScore(row),
    bounds: readScoreBounds(row),
    scoreText: formatReward(readScore(row)),
    range: formatScoreRange(row),
    basis: describeMeanBasis(row.mean),
    attempts: formatAttempts(row.attempts),
    cost: cost.kind === "computed" ? formatCost(cost.mean) : MISSING,
    costBasis:
      cost.kind === "computed"
        ? `Over ${formatPlural(cost.n, "trial")} that state a cost, of ${String(cost.n + cost.nMissing)}`
        : "No trial states a cost",
    families: row.families.map((score, at) => ({
      text: formatReward(score, 2),
      isBest: score !== null && state === "ranked" && score === best[at],
    })),
    recorded: describeRecorded(row),
    recordedBasis:
      runs.length > 1
        ? "Nothing recorded speaks for a run set"
        : nFigures === 0
          ? "No file records a figure of this group"
          : `${String(nExact)} of ${formatPlural(nFigures, "recorded figure")} follow exactly from the trials`,
    differs: describeMarks(row),
  };
}
