import "server-only";

import { type DatasetParams, nameFamilyColumn } from "@/lib/addresses/datasets";
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
} from "@/lib/comparison";
import { formatCount, formatPlural, formatReward } from "@/lib/format/number";
import { capitalise } from "@/lib/format/words";
import { describeRefused, type LabelledScore, SEVERAL_AGENTS } from "@/lib/labels/correct";
import type { IndexStore, JobHead } from "@/lib/store";

import { getGroupCorrections, type GroupCorrection } from "../annotations/verifier/groups";
import type { Run } from "../compare/groups";
import { describeMeanBasis } from "../job/mean-basis";
import { getCached, getStore } from "../shell/catalog";
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
  /** What the label does not say of its agent, model and job. */
  readonly beside: string;
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
  /** Its score under every reading; null where none moves a trial. */
  readonly sensitivity: SensitivityLine | null;
  /** Its score as humans would have it; null where nobody labelled a trial, and for runs that share rollouts or mix agents. */
  readonly correction: GroupCorrection | null;
  /** Why it has no corrected score; empty where it has one. */
  readonly uncorrected: string;
  /** Numbers that lines are sorted by, by the id of their column; null where there is none. */
  readonly values: Readonly<Record<string, number | null>>;
}

export interface LeaderboardPage extends Omit<Leaderboard, "rows"> {
  /** All of them, whatever the text filter. */
  readonly lines: readonly LeaderboardLine[];
  /** Ends of the scale of scores, at least 0 to 1. */
  readonly end: number;
  /** What scores and ranks are, in sentences. */
  readonly note: string;
  readonly lead: Lead;
  /** Runs of the same agent, model and settings as another one. */
  readonly nPooled: number;
  /** Groups of older jobs that are left out, since there are too many. */
  readonly nLeftOut: number;
  /** As it is copied. */
  readonly copy: string;
}

/** What is kept of a leaderboard while the index stays as it is: no trials. */
interface KeptLeaderboard {
  readonly board: Leaderboard;
  /** In the order in which the board was given them. */
  readonly groups: readonly {
    readonly refs: readonly string[];
    readonly runs: readonly Run[];
    /** The runs whose labels can correct its score: null where they share rollouts, or are of several agents and models. */
    readonly corrected: readonly Run[] | null;
  }[];
  readonly nPooled: number;
}

/** The leaderboard of a dataset under what the address says. */
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

/**
 * The leaderboard of a dataset in an index, with the runs of each group. Where runs are pooled, saved run sets stand for their runs,
 * and the others are one row for each agent, model and settings.
 */
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
    // Why a group has none stands in its row.
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
