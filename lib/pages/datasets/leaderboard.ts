import "server-only";
import {
  describeLabelledScores,
  describeLead,
  describeLeaderboard,
  describeRecorded,
  describeSensitivity,
  formatAttempts,
  formatLeaderboard,
  formatRank,
  formatRowCost,
  formatScoreRange,
  isCorrectable,
  type Lead,
  type Leaderboard,
  type LeaderboardRow,
  readScore,
  readScoreBounds,
  type SensitivityLine,
} from "@/lib/core/comparison";
import { describeRefused, type LabelledScore } from "@/lib/core/comparison/labelled-score";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import { type DatasetParams, nameFamilyColumn } from "@/lib/pages/datasets/address";
import { SEVERAL_AGENTS } from "@/lib/people/labels/correct";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import type { Run } from "../compare/groups";
import { describeMeanBasis } from "../job/mean-basis";
import { getCached, getStore } from "../shell/catalog";
import { getGroupCorrections, type GroupCorrection } from "../verifier/groups";
import {
  chooseGroups,
  type LeaderboardParams,
  listOwnSets,
  MOST_GROUPS,
  type OwnSet,
  poolBoardGroups,
  readBoard,
} from "./board";
import type { Dataset } from "./list";

export interface LeaderboardLine extends Pick<
  LeaderboardRow,
  "label" | "state" | "rank" | "marks" | "nTasks"
> {
  readonly refs: readonly string[];
  readonly jobs: readonly Pick<JobHead, "key" | "name">[];
  readonly agents: readonly string[];
  readonly beside: string;
  readonly rankText: string;
  readonly score: number | null;
  readonly bounds: { readonly low: number; readonly high: number } | null;
  readonly scoreText: string;
  readonly range: string;
  readonly basis: string;
  readonly attempts: string;
  readonly cost: string;
  readonly costBasis: string;
  readonly families: readonly { readonly text: string; readonly isBest: boolean }[];
  readonly recorded: string;
  readonly recordedBasis: string;
  readonly sensitivity: SensitivityLine | null;
  /** Human-corrected score; null without labels, and for runs that share rollouts or mix agents. */
  readonly correction: GroupCorrection | null;
  readonly uncorrected: string;
  readonly values: Readonly<Record<string, number | null>>;
}

export interface LeaderboardPage extends Omit<Leaderboard, "rows"> {
  readonly lines: readonly LeaderboardLine[];
  /** Upper end of the scale of scores, at least 1. */
  readonly end: number;
  readonly note: string;
  readonly lead: Lead;
  readonly nPooled: number;
  readonly nLeftOut: number;
  readonly copy: string;
}

interface KeptLeaderboard {
  readonly board: Leaderboard;
  /** In the order given to the board. */
  readonly groups: readonly {
    readonly refs: readonly string[];
    readonly runs: readonly Run[];
    /** Runs whose labels can correct the score; null if they share rollouts or mix agents or models. */
    readonly corrected: readonly Run[] | null;
  }[];
  readonly nPooled: number;
}

export async function getLeaderboard(dataset: Dataset, params: DatasetParams): Promise<LeaderboardPage> {
  const { key, missing, rule, tasks, coverage, runs } = params;
  const store = await getStore();
  const saved = await listOwnSets(store, dataset);
  // Saved sets change without the index.
  const name = `leaderboard ${JSON.stringify([dataset.id, key, missing, rule, tasks, coverage, runs, saved])}`;
  const kept = await getCached(name, (current) => readLeaderboard(current, dataset, params, saved));
  const corrections = await getGroupCorrections(
    store,
    kept.board.rows.map(({ at }) => kept.groups[at]?.corrected ?? null),
  );
  return preparePage(kept, corrections, dataset, params);
}

/** Pools runs by agent, model and settings if asked. Saved run sets then replace their runs. */
export async function readLeaderboard(
  store: IndexStore,
  dataset: Pick<Dataset, "groups">,
  params: LeaderboardParams,
  saved: readonly OwnSet[] = [],
): Promise<KeptLeaderboard> {
  const isPooled = params.runs !== "each";
  const own = await chooseGroups(store, dataset, saved, { saved: isPooled, suggested: false });
  const pooled = await poolBoardGroups(store, own.chosen, params.runs);
  return {
    board: await readBoard(store, pooled, params),
    groups: pooled.groups.map((group) => {
      const { refs, runs } = group;
      return { refs, runs, corrected: isCorrectable(group) ? runs : null };
    }),
    nPooled: pooled.nPooled,
  };
}

function preparePage(
  { board, groups, nPooled }: KeptLeaderboard,
  corrections: readonly (GroupCorrection | null)[],
  dataset: Dataset,
  { format }: DatasetParams,
): LeaderboardPage {
  const { rows, ...rest } = board;
  const labelled = rows.map(({ at }, place) =>
    groups[at]?.corrected === null ? SEVERAL_AGENTS : (corrections[place] ?? null),
  );
  const best = board.families.map((_, at) =>
    Math.max(...rows.flatMap(({ state, families }) => (state === "ranked" ? (families[at] ?? []) : []))),
  );
  const highest = rows.flatMap((row) => [readScore(row) ?? 0, readScoreBounds(row)?.high ?? 0]);
  return {
    ...rest,
    lines: rows.map((row, place) => ({
      ...describeRow(row, best, board),
      refs: groups[row.at]?.refs ?? [],
      jobs: (groups[row.at]?.runs ?? []).map(({ job: { key, name } }) => ({ key, name })),
      correction: corrections[place] ?? null,
      uncorrected: describeUncorrected(labelled[place] ?? null),
      values: listValues(board, row, corrections[place] ?? null),
    })),
    end: Math.max(1, ...highest),
    lead: describeLead(board),
    // Each row says why it has no corrected score.
    note: [describeLeaderboard(board), ...describeLabelledScores(board, labelled).slice(0, 1)].join(" "),
    nPooled,
    nLeftOut: Math.max(0, dataset.groups.length - MOST_GROUPS),
    copy: formatLeaderboard(board, dataset.label, format, labelled),
  };
}

function describeUncorrected(score: LabelledScore | null): string {
  return score?.kind === "computed" ? "" : capitalise(describeRefused(score));
}

function listValues(
  board: Leaderboard,
  row: LeaderboardRow,
  correction: GroupCorrection | null,
): LeaderboardLine["values"] {
  const families = board.families.map(
    ({ name }, at) => [nameFamilyColumn(name), row.families[at] ?? null] as const,
  );
  return {
    score: readScore(row),
    corrected: correction?.kind === "computed" ? correction.corrected : null,
    cost: row.cost.kind === "computed" ? row.cost.mean : null,
    tasks: row.nTasks,
    attempts: row.attempts?.max ?? null,
    comparable: row.marks.length,
    ...Object.fromEntries(families),
  };
}

function describeBeside({ label, runs }: LeaderboardRow): string {
  const unsaid = (name: string | null) => (name === null || label.includes(name) ? [] : [name]);
  const agents = new Set(runs.map(({ agent, model }) => [...unsaid(agent), ...unsaid(model)].join(" ")));
  const [first, ...others] = runs.map(({ job }) => job);
  const more = others.length === 0 ? "" : ` and ${formatCount(others.length)} more`;
  const jobs = unsaid(first ?? null).map((name) => `in ${name}${more}`);
  return [[...agents].filter(Boolean).join(", "), ...jobs].filter(Boolean).join(" ");
}

function describeRow(
  row: LeaderboardRow,
  best: readonly number[],
  board: Pick<Leaderboard, "rule">,
): Omit<LeaderboardLine, "refs" | "jobs" | "correction" | "uncorrected" | "values"> {
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
    beside: describeBeside(row),
    rankText: formatRank(rank),
    score: readScore(row),
    bounds: readScoreBounds(row),
    scoreText: formatReward(readScore(row)),
    range: formatScoreRange(row),
    basis: describeMeanBasis(row.mean),
    attempts: formatAttempts(row.attempts),
    cost: formatRowCost(cost),
    costBasis:
      cost.kind === "computed"
        ? `Over ${formatPlural(cost.n, "trial")} that state a cost, of ${String(cost.n + cost.nMissing)}`
        : "No trial states a cost",
    families: row.families.map((score, at) => ({
      text: formatReward(score, 2),
      isBest: score !== null && state === "ranked" && score === best[at],
    })),
    recorded: describeRecorded(row, board),
    recordedBasis:
      board.rule !== "recorded"
        ? "Recomputed under the chosen scoring rule"
        : runs.length > 1
          ? "Nothing recorded speaks for a run set"
          : nFigures === 0
            ? "No file records a figure of this group"
            : `${String(nExact)} of ${formatPlural(nFigures, "recorded figure")} follow exactly from the trials`,
    sensitivity: describeSensitivity(row.sensitivity),
  };
}
