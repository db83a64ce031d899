import type { LeaderboardFormat } from "@/lib/domain/dataset";
import { formatCsvLine } from "@/lib/format/csv";
import { formatLatexTable, formatMarkdownTable } from "@/lib/format/markup";
import { formatCost, formatPlural, formatRange, formatReward, MISSING } from "@/lib/format/number";
import type { RankSet } from "@/lib/stats";

import {
  type Leaderboard,
  type LeaderboardRow,
  type LeaderboardState,
  readScore,
  readScoreBounds,
} from "./leaderboard";

/** Why a group has no rank, in words. */
const STATE_WORDS: Readonly<Record<LeaderboardState, string>> = {
  ranked: "ranked",
  running: "still running",
  reference: "reference",
  "not-scored": "no score",
};

/** The ranks of a group as text: `2–8`, or `1` where the data allow no other; a dash without a rank. */
export function formatRank(rank: RankSet | null): string {
  if (rank === null) return MISSING;
  return rank.low === rank.high ? String(rank.low) : `${String(rank.low)}–${String(rank.high)}`;
}

/** Attempts at a task: `3`, or `1 to 3`; a dash without any. */
export function formatAttempts(attempts: LeaderboardRow["attempts"]): string {
  if (attempts === null) return MISSING;
  const { min, max } = attempts;
  return min === max ? String(min) : `${String(min)} to ${String(max)}`;
}

/** Whether the figures of a row are recorded, or recomputed from its trials alone. */
export function describeRecorded({ figures: { nFigures, nExact }, runs }: LeaderboardRow): string {
  if (runs.length > 1) return "recomputed";
  if (nFigures === 0) return "recomputed";
  return nExact === nFigures ? "recorded" : `${String(nFigures - nExact)} of ${String(nFigures)} not exact`;
}

/** What differs of a row from most others, or what no file states, in few words; empty where all is equal. */
export function describeMarks({ marks }: LeaderboardRow): string {
  const differing = marks.filter(({ state }) => state === "differs");
  if (differing.length > 0) return differing.map(({ short }) => short).join(", ");
  return marks.length === 0 ? "" : `unknown: ${marks.map(({ short }) => short).join(", ")}`;
}

/** What scores and ranks are, in sentences. */
export function describeLeaderboard(board: Leaderboard): string {
  const { key, missing, tasks, nTasks, nPairs } = board;
  const over =
    tasks === "own" ? "over each group's own tasks" : `over ${formatPlural(nTasks, "common task")}`;
  const counted = missing === "zero" ? "count as 0" : "are excluded";
  return [
    `Score: mean ${key} ${over}, missing rewards ${counted}.`,
    "Interval: 95 %, tasks as clusters.",
    `Rank: every place the data allow, from ${formatPlural(nPairs, "paired comparison")} on the tasks that both groups have, Holm at 5 %. A pair that is compared with fewer others may differ clearly where its ranks overlap.`,
  ].join(" ");
}

/** A group's score as its reviewers would have it, by so many labels of trials drawn by chance. */
export interface LabelledScore {
  readonly corrected: number;
  readonly low: number;
  readonly high: number;
  readonly nLabels: number;
}

/** Of the rows of a leaderboard, in their order; null where labels correct no score. */
export type LabelledScores = readonly (LabelledScore | null)[];

const SCORE_COLUMNS = [
  { heading: "Rank", isNumeric: true },
  { heading: "Group", isNumeric: false },
  { heading: "Score", isNumeric: true },
  { heading: "95 % interval", isNumeric: false },
];

const CORRECTED_COLUMNS = [
  { heading: "Corrected", isNumeric: true },
  { heading: "Corrected, 95 % interval", isNumeric: false },
  { heading: "Labels", isNumeric: true },
];

const COUNT_COLUMNS = ["Tasks", "Attempts", "Cost per trial"].map((heading) => ({
  heading,
  isNumeric: true,
}));

/**
 * A leaderboard as rows of text with the headings of their columns, families among them.
 * @param labelled - have columns of their own where there are any
 */
export function prepareLeaderboardTable(board: Leaderboard, labelled: LabelledScores = []) {
  const families = board.families.map(({ name }) => name);
  const hasMarks = board.rows.some(({ marks }) => marks.length > 0);
  const hasLabels = labelled.some((one) => one !== null);
  return {
    columns: [
      ...SCORE_COLUMNS,
      ...(hasLabels ? CORRECTED_COLUMNS : []),
      ...COUNT_COLUMNS,
      ...families.map((heading) => ({ heading, isNumeric: true })),
      { heading: "Figures", isNumeric: false },
      ...(hasMarks ? [{ heading: "Differs in", isNumeric: false }] : []),
    ],
    rows: board.rows.map((row, at) => [
      row.state === "ranked" ? formatRank(row.rank) : STATE_WORDS[row.state],
      row.label,
      formatReward(readScore(row)),
      formatScoreRange(row),
      ...(hasLabels ? describeLabelled(labelled[at] ?? null) : []),
      `${String(row.nTasks)} of ${String(board.nTasks)}`,
      formatAttempts(row.attempts),
      row.cost.kind === "computed" ? formatCost(row.cost.mean) : MISSING,
      ...row.families.map((score) => formatReward(score, 2)),
      describeRecorded(row),
      ...(hasMarks ? [describeMarks(row)] : []),
    ]),
  };
}

/** The interval of a row's score as text; a dash where there is none. */
export function formatScoreRange(row: LeaderboardRow): string {
  const bounds = readScoreBounds(row);
  return bounds === null ? MISSING : formatRange(bounds);
}

function describeLabelled(score: LabelledScore | null): readonly string[] {
  if (score === null) return [MISSING, MISSING, MISSING];
  return [formatReward(score.corrected), formatRange(score), String(score.nLabels)];
}

/**
 * A leaderboard as a table to paste: Markdown or LaTeX as shown, CSV with every digit.
 * @param dataset - its name
 * @param labelled - see {@link prepareLeaderboardTable}
 */
export function formatLeaderboard(
  board: Leaderboard,
  dataset: string,
  format: LeaderboardFormat,
  labelled: LabelledScores = [],
): string {
  if (format === "csv") return formatCsv(board, dataset, labelled);
  const { columns, rows } = prepareLeaderboardTable(board, labelled);
  const note = `${dataset}. ${describeLeaderboard(board)}`;
  return format === "markdown"
    ? formatMarkdownTable(columns, rows, note)
    : formatLatexTable(columns, rows, note);
}

function formatCsv(board: Leaderboard, dataset: string, labelled: LabelledScores): string {
  const hasLabels = labelled.some((one) => one !== null);
  const lines = board.rows.map((row, at) => {
    const score = labelled[at];
    return [
      ...listCsvFields(board, dataset, row),
      ...(hasLabels ? [score?.corrected, score?.low, score?.high, score?.nLabels] : []).map((n) => n ?? null),
    ];
  });
  const names = hasLabels ? ["corrected_score", "corrected_low", "corrected_high", "n_labels"] : [];
  return [[...listCsvNames(board), ...names], ...lines].map(formatCsvLine).join("");
}

function listCsvNames({ families }: Leaderboard): readonly string[] {
  return [
    ...["dataset", "state", "rank_low", "rank_high", "group", "jobs", "agent", "model"],
    ...["reward_key", "score", "interval_low", "interval_high", "n_tasks", "n_tasks_of_all"],
    ...["attempts_min", "attempts_max", "n_trials", "cost_per_trial_usd", "n_costs"],
    ...["n_recorded_figures", "n_exact_figures", "differs_in"],
    ...families.map(({ name }) => `family:${name}`),
  ];
}

function listCsvFields(board: Leaderboard, dataset: string, row: LeaderboardRow) {
  const { runs, cost, figures } = row;
  return [
    ...[dataset, row.state, row.rank?.low ?? null, row.rank?.high ?? null, row.label],
    ...[joinNames(runs.map(({ job }) => job)), joinNames(runs.map(({ agent }) => agent))],
    ...[joinNames(runs.map(({ model }) => model)), board.key, readScore(row), ...listEnds(row)],
    ...[row.nTasks, board.nTasks, row.attempts?.min ?? null, row.attempts?.max ?? null, row.nTrials],
    ...(cost.kind === "computed" ? [cost.mean, cost.n] : [null, 0]),
    ...[figures.nFigures, figures.nExact, describeMarks(row) || null],
    ...row.families,
  ];
}

function listEnds(row: LeaderboardRow): readonly (number | null)[] {
  const bounds = readScoreBounds(row);
  return bounds === null ? [null, null] : [bounds.low, bounds.high];
}

function joinNames(names: readonly (string | null)[]): string | null {
  return [...new Set(names.map((name) => name ?? ""))].join("; ") || null;
}
