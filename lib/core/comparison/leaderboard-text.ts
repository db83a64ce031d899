import { describeRefused, type LabelledScore } from "@/lib/core/comparison/labelled-score";
import type { LeaderboardFormat } from "@/lib/core/domain/dataset";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatLatexTable, formatMarkdownTable } from "@/lib/core/format/markup";
import {
  formatCost,
  formatMissingCosts,
  formatPlural,
  formatRange,
  formatReward,
  MISSING,
} from "@/lib/core/format/number";
import type { RankSet } from "@/lib/core/stats";

import {
  type Leaderboard,
  type LeaderboardRow,
  type LeaderboardState,
  readScore,
  readScoreBounds,
} from "./leaderboard";

const STATE_WORDS: Readonly<Record<LeaderboardState, string>> = {
  ranked: "ranked",
  running: "still running",
  reference: "reference",
  "not-scored": "no score",
  partial: "too few tasks",
};

export function formatRank(rank: RankSet | null): string {
  if (rank === null) return MISSING;
  return rank.low === rank.high ? String(rank.low) : `${String(rank.low)}–${String(rank.high)}`;
}

export function formatAttempts(attempts: LeaderboardRow["attempts"]): string {
  if (attempts === null) return MISSING;
  const { min, max } = attempts;
  return min === max ? String(min) : `${String(min)} to ${String(max)}`;
}

/** Returns `recorded` or `recomputed`. Harbor recorded no figures of a run set, or under a rule that was chosen for all groups. */
export function describeRecorded(
  { figures: { nFigures, nExact }, runs }: LeaderboardRow,
  { rule }: Pick<Leaderboard, "rule">,
): string {
  if (runs.length > 1 || nFigures === 0 || rule !== "recorded") return "recomputed";
  return nExact === nFigures ? "recorded" : `${String(nFigures - nExact)} of ${String(nFigures)} not exact`;
}

function describeMarks({ marks }: LeaderboardRow): string {
  const differing = marks.filter(({ state }) => state === "differs");
  if (differing.length > 0) return differing.map(({ short }) => short).join(", ");
  return marks.length === 0 ? "" : `unknown: ${marks.map(({ short }) => short).join(", ")}`;
}

export function describeLeaderboard(board: Leaderboard): string {
  const { key, counting, tasks, coverage, nTasks, nPairs } = board;
  const over =
    tasks === "own" ? "over each group's own tasks" : `over ${formatPlural(nTasks, "common task")}`;
  return [
    `Score: mean ${key} ${over}, ${counting}.`,
    "Interval: 95 %, tasks as clusters.",
    `Rank: every place the data allow, from ${formatPlural(nPairs, "paired comparison")} on the tasks that both groups have. A group can be first if no other one is clearly better (comparisons with the best, Hsu; 97.5 %).`,
    ...(board.rows.some(({ state }) => state === "partial")
      ? [`Groups with less than ${String(coverage)} % of the tasks have no rank.`]
      : []),
  ].join(" ");
}

/** Scores by reviewers' labels, in the order of a leaderboard's rows; null for a group without labels. */
export type LabelledScores = readonly (LabelledScore | null)[];

export function describeLabelledScores({ rows }: Leaderboard, labelled: LabelledScores): readonly string[] {
  if (!hasLabels(labelled)) return [];
  const refused = rows.flatMap(({ label }, at) => {
    const score = labelled[at] ?? null;
    const isRefused = score !== null && score.kind !== "computed" && score.nLabels > 0;
    return isRefused ? [`${label}: ${describeRefused(score)}.`] : [];
  });
  return [
    "Corrected: pass rate as reviewers have it, from labels of trials that chance drew; a dash where nobody labelled a trial or the labels there do not give it.",
    ...refused,
  ];
}

function hasLabels(labelled: LabelledScores): boolean {
  return labelled.some((score) => score !== null && score.nLabels > 0);
}

const RANK_COLUMN = { heading: "Rank", isNumeric: true };
const GROUP_COLUMN = { heading: "Group", isNumeric: false };
const AGENT_COLUMNS = ["Agent", "Model"].map((heading) => ({ heading, isNumeric: false }));

const SCORE_COLUMNS = [
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

export function prepareLeaderboardTable(
  board: Leaderboard,
  labelled: LabelledScores,
  names: "short" | "full",
) {
  const families = board.families.map(({ name }) => name);
  const hasMarks = board.rows.some(({ marks }) => marks.length > 0);
  const isLabelled = hasLabels(labelled);
  return {
    columns: [
      RANK_COLUMN,
      GROUP_COLUMN,
      ...(names === "full" ? AGENT_COLUMNS : []),
      ...SCORE_COLUMNS,
      ...(isLabelled ? CORRECTED_COLUMNS : []),
      ...COUNT_COLUMNS,
      ...families.map((heading) => ({ heading, isNumeric: true })),
      { heading: "Figures", isNumeric: false },
      ...(hasMarks ? [{ heading: "Differs in", isNumeric: false }] : []),
    ],
    rows: board.rows.map((row, at) => [
      row.state === "ranked" ? formatRank(row.rank) : STATE_WORDS[row.state],
      ...(names === "full" ? [row.fullName, ...nameAgents(row)] : [row.label]),
      formatReward(readScore(row)),
      formatScoreRange(row),
      ...(isLabelled ? describeLabelled(labelled[at] ?? null) : []),
      `${String(row.nTasks)} of ${String(board.nTasks)}`,
      formatAttempts(row.attempts),
      formatRowCost(row.cost),
      ...row.families.map((score) => formatReward(score, 2)),
      describeRecorded(row, board),
      ...(hasMarks ? [describeMarks(row)] : []),
    ]),
  };
}

export function formatRowCost(cost: LeaderboardRow["cost"]): string {
  if (cost.kind !== "computed") return MISSING;
  const missing = formatMissingCosts(cost.nMissing, cost.n + cost.nMissing);
  return [formatCost(cost.mean), ...(missing === null ? [] : [missing])].join(", ");
}

function nameAgents({ runs }: LeaderboardRow): readonly string[] {
  const [agents, models] = [runs.map(({ agent }) => agent), runs.map(({ model }) => model)];
  return [joinNames(agents) ?? MISSING, joinNames(models) ?? MISSING];
}

export function formatScoreRange(row: LeaderboardRow): string {
  const bounds = readScoreBounds(row);
  return bounds === null ? MISSING : formatRange(bounds);
}

function describeLabelled(score: LabelledScore | null): readonly string[] {
  const nLabels = String(score?.nLabels ?? 0);
  return score?.kind === "computed"
    ? [formatReward(score.corrected), formatRange(score), nLabels]
    : [MISSING, MISSING, nLabels];
}

export function formatLeaderboard(
  board: Leaderboard,
  dataset: string,
  format: LeaderboardFormat,
  labelled: LabelledScores = [],
): string {
  if (format === "csv") return formatCsv(board, dataset, labelled);
  const { columns, rows } = prepareLeaderboardTable(board, labelled, "full");
  const note = [`${dataset}.`, describeLeaderboard(board), ...describeLabelledScores(board, labelled)].join(
    " ",
  );
  return format === "markdown"
    ? formatMarkdownTable(columns, rows, note)
    : formatLatexTable(columns, rows, note);
}

function formatCsv(board: Leaderboard, dataset: string, labelled: LabelledScores): string {
  const isLabelled = hasLabels(labelled);
  const lines = board.rows.map((row, at) => [
    ...listCsvFields(board, dataset, row),
    ...(isLabelled ? listLabelledFields(labelled[at] ?? null) : []),
  ]);
  return [[...listCsvNames(board), ...(isLabelled ? LABELLED_NAMES : [])], ...lines]
    .map(formatCsvLine)
    .join("");
}

const LABELLED_NAMES = [
  "corrected_score",
  "corrected_low",
  "corrected_high",
  "n_labels",
  "no_corrected_score_because",
];

function listLabelledFields(score: LabelledScore | null) {
  return score?.kind === "computed"
    ? [score.corrected, score.low, score.high, score.nLabels, null]
    : [null, null, null, score?.nLabels ?? 0, describeRefused(score)];
}

function listCsvNames({ families }: Leaderboard): readonly string[] {
  return [
    ...["dataset", "state", "rank_low", "rank_high", "group", "jobs", "agent", "model"],
    ...["reward_key", "score", "interval_low", "interval_high", "n_tasks", "n_tasks_of_all"],
    ...["attempts_min", "attempts_max", "n_trials", "cost_per_trial_usd", "n_costs"],
    ...["n_recorded_figures", "n_exact_figures", "differs_in", "scoring_rule"],
    ...families.map(({ name }) => `family:${name}`),
  ];
}

function listCsvFields(board: Leaderboard, dataset: string, row: LeaderboardRow) {
  const { runs, cost, figures } = row;
  return [
    ...[dataset, row.state, row.rank?.low ?? null, row.rank?.high ?? null, row.fullName],
    ...[joinNames(runs.map(({ job }) => job)), joinNames(runs.map(({ agent }) => agent))],
    ...[joinNames(runs.map(({ model }) => model)), board.key, readScore(row), ...listEnds(row)],
    ...[row.nTasks, board.nTasks, row.attempts?.min ?? null, row.attempts?.max ?? null, row.nTrials],
    ...(cost.kind === "computed" ? [cost.mean, cost.n] : [null, 0]),
    ...[figures.nFigures, figures.nExact, describeMarks(row) || null, board.rule],
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
