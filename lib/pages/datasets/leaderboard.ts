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
  type Leaderboard,
  type LeaderboardRow,
  readScore,
  readScoreBounds,
} from "@/lib/core/comparison";
import { describeRefused, type LabelledScore } from "@/lib/core/comparison/labelled-score";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import { type DatasetParams, nameFamilyColumn } from "@/lib/pages/datasets/address";
import { SEVERAL_AGENTS } from "@/lib/people/labels/sample";
import type { IndexStore } from "@/lib/store/tables";

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

export type LeaderboardPage = ReturnType<typeof preparePage>;

export type LeaderboardLine = LeaderboardPage["lines"][number];

export async function getLeaderboard(dataset: Dataset, params: DatasetParams) {
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
) {
  const isPooled = params.runs !== "each";
  const own = await chooseGroups(store, dataset, saved, { saved: isPooled, suggested: false });
  const pooled = await poolBoardGroups(store, own.chosen, params.runs);
  return {
    board: await readBoard(store, pooled, params),
    /** In the order given to the board. `corrected`: runs whose labels can correct the score. */
    groups: pooled.groups.map((group) => {
      const { refs, runs } = group;
      return { refs, runs, corrected: isCorrectable(group) ? runs : null };
    }),
    nPooled: pooled.nPooled,
  };
}

function preparePage(
  { board, groups, nPooled }: Awaited<ReturnType<typeof readLeaderboard>>,
  corrections: readonly (GroupCorrection | null)[],
  dataset: Dataset,
  { format }: DatasetParams,
) {
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
      /** Human-corrected score; null without labels, and for runs that share rollouts or mix agents. */
      correction: corrections[place] ?? null,
      uncorrected: describeUncorrected(labelled[place] ?? null),
      values: listValues(board, row, corrections[place] ?? null),
    })),
    /** Upper end of the scale of scores, at least 1. */
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
): Readonly<Record<string, number | null>> {
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

function describeRow(row: LeaderboardRow, best: readonly number[], board: Pick<Leaderboard, "rule">) {
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
        ? `Over ${formatPlural(cost.n, "trial")} that record a cost, of ${String(cost.n + cost.nMissing)}`
        : "No trial records a cost",
    families: row.families.map((score, at) => ({
      text: formatReward(score, 2),
      isBest: score !== null && state === "ranked" && score === best[at],
    })),
    recorded: describeRecorded(row, board),
    recordedBasis:
      board.rule !== "recorded"
        ? "Recomputed under the chosen scoring rule"
        : runs.length > 1
          ? "Nothing is recorded for a run set"
          : nFigures === 0
            ? "No file records a figure of this group"
            : `${String(nExact)} of ${formatPlural(nFigures, "recorded figure")} follow exactly from the trials`,
    sensitivity: describeSensitivity(row.sensitivity),
  };
}
