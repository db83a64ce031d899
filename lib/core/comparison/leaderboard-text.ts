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
  formatCount,
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
  return rank.low === rank.high ? String(rank.low) : `${rank.low}–${rank.high}`;
}

export function formatAttempts(attempts: LeaderboardRow["attempts"]): string {
  if (attempts === null) return MISSING;
  const { min, max } = attempts;
  return min === max ? String(min) : `${min} to ${max}`;
}

/** Returns `recorded` or `recomputed`. Harbor recorded no figures of a run set, or under a rule that was chosen for all groups. */
export function describeRecorded(
  { figures: { nFigures, nExact }, runs }: LeaderboardRow,
  { rule }: Pick<Leaderboard, "rule">,
): string {
  if (runs.length > 1 || nFigures === 0 || rule !== "recorded") return "recomputed";
  return nExact === nFigures ? "recorded" : `${nFigures - nExact} of ${nFigures} not exact`;
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
      ? [`Groups with less than ${coverage} % of the tasks have no rank.`]
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
    "Corrected: human-corrected pass rate, from randomly sampled labels. A dash: no labels, or labels that do not give it.",
    ...refused,
  ];
}

function hasLabels(labelled: LabelledScores): boolean {
  return labelled.some((score) => score !== null && score.nLabels > 0);
}

interface Column {
  readonly heading: string;
  readonly isNumeric: boolean;
  readonly write: (row: LeaderboardRow, labels: LabelledScore | null) => string;
}

function text(heading: string, write: Column["write"]): Column {
  return { heading, isNumeric: false, write };
}

function number(heading: string, write: Column["write"]): Column {
  return { heading, isNumeric: true, write };
}

const CORRECTED_COLUMNS = [
  number("Corrected", (_, score) => (score?.kind === "computed" ? formatReward(score.corrected) : MISSING)),
  text("Corrected, 95 % interval", (_, score) => (score?.kind === "computed" ? formatRange(score) : MISSING)),
  number("Labels", (_, score) => String(score?.nLabels ?? 0)),
];

export function prepareLeaderboardTable(
  board: Leaderboard,
  labelled: LabelledScores,
  names: "short" | "full",
) {
  const columns: readonly Column[] = [
    number("Rank", (row) => (row.state === "ranked" ? formatRank(row.rank) : STATE_WORDS[row.state])),
    text("Group", (row) => (names === "full" ? row.fullName : row.label)),
    ...(names === "full"
      ? [
          text("Agent", ({ runs }) => joinNames(runs.map(({ agent }) => agent)) ?? MISSING),
          text("Model", ({ runs }) => joinNames(runs.map(({ model }) => model)) ?? MISSING),
        ]
      : []),
    number("Score", (row) => formatReward(readScore(row))),
    text("95 % interval", formatScoreRange),
    ...(hasLabels(labelled) ? CORRECTED_COLUMNS : []),
    number("Tasks", (row) => `${row.nTasks} of ${board.nTasks}`),
    number("Attempts", (row) => formatAttempts(row.attempts)),
    number("Cost per trial", (row) => formatRowCost(row.cost)),
    ...board.families.map(({ name }, at) => number(name, (row) => formatReward(row.families[at] ?? null, 2))),
    text("Figures", (row) => describeRecorded(row, board)),
    ...(board.rows.some(({ marks }) => marks.length > 0) ? [text("Differs in", describeMarks)] : []),
  ];
  return {
    columns,
    rows: board.rows.map((row, at) => columns.map(({ write }) => write(row, labelled[at] ?? null))),
  };
}

export function formatRowCost(cost: LeaderboardRow["cost"]): string {
  if (cost.kind !== "computed") return MISSING;
  const missing = formatMissingCosts(cost.nMissing, cost.n + cost.nMissing);
  return [formatCost(cost.mean), ...(missing === null ? [] : [missing])].join(", ");
}

export function formatScoreRange(row: LeaderboardRow): string {
  const bounds = readScoreBounds(row);
  return bounds === null ? MISSING : formatRange(bounds);
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

type CsvField = readonly [
  name: string,
  read: (row: LeaderboardRow, labels: LabelledScore | null) => string | number | null,
];

const LABELLED_FIELDS: readonly CsvField[] = [
  ["corrected_score", (_, score) => (score?.kind === "computed" ? score.corrected : null)],
  ["corrected_low", (_, score) => (score?.kind === "computed" ? score.low : null)],
  ["corrected_high", (_, score) => (score?.kind === "computed" ? score.high : null)],
  ["n_labels", (_, score) => score?.nLabels ?? 0],
  ["no_corrected_score_because", (_, score) => (score?.kind === "computed" ? null : describeRefused(score))],
];

function formatCsv(board: Leaderboard, dataset: string, labelled: LabelledScores): string {
  const fields: readonly CsvField[] = [
    ["dataset", () => dataset],
    ["state", ({ state }) => state],
    ["rank_low", ({ rank }) => rank?.low ?? null],
    ["rank_high", ({ rank }) => rank?.high ?? null],
    ["group", ({ fullName }) => fullName],
    ["jobs", ({ runs }) => joinNames(runs.map(({ job }) => job))],
    ["agent", ({ runs }) => joinNames(runs.map(({ agent }) => agent))],
    ["model", ({ runs }) => joinNames(runs.map(({ model }) => model))],
    ["reward_key", () => board.key],
    ["score", readScore],
    ["interval_low", (row) => readScoreBounds(row)?.low ?? null],
    ["interval_high", (row) => readScoreBounds(row)?.high ?? null],
    ["n_tasks", ({ nTasks }) => nTasks],
    ["n_tasks_of_all", () => board.nTasks],
    ["attempts_min", ({ attempts }) => attempts?.min ?? null],
    ["attempts_max", ({ attempts }) => attempts?.max ?? null],
    ["n_trials", ({ nTrials }) => nTrials],
    ["cost_per_trial_usd", ({ cost }) => (cost.kind === "computed" ? cost.mean : null)],
    ["n_costs", ({ cost }) => (cost.kind === "computed" ? cost.n : 0)],
    ["n_recorded_figures", ({ figures }) => figures.nFigures],
    ["n_exact_figures", ({ figures }) => figures.nExact],
    ["differs_in", (row) => describeMarks(row) || null],
    ["scoring_rule", () => board.rule],
    ...board.families.map(({ name }, at): CsvField => [
      `family:${name}`,
      ({ families }) => families[at] ?? null,
    ]),
    ...(hasLabels(labelled) ? LABELLED_FIELDS : []),
  ];
  const lines = board.rows.map((row, at) => fields.map(([, read]) => read(row, labelled[at] ?? null)));
  return [fields.map(([name]) => name), ...lines].map(formatCsvLine).join("");
}

function joinNames(names: readonly (string | null)[]): string | null {
  return [...new Set(names.map((name) => name ?? ""))].join("; ") || null;
}

const MOST_NAMES = 4;

/**
 * Describes the leader and the groups clearly behind, by comparisons with the best (`computeRankSets`). A group that may have rank
 * 1 is not behind; any other is clearly worse than at least one group. Scores alone decide nothing.
 */
export function describeLead({ rows, nRanked, nFirst, nPairs }: Leaderboard) {
  const ranked = rows.filter(({ rank }) => rank !== null);
  const [best] = ranked;
  if (best === undefined) return { headline: "No group has a rank.", sentences: [] };
  if (nRanked === 1) return { headline: `Only ${best.label} has a rank.`, sentences: [] };
  const [leader, ...others] = ranked.filter(({ rank }) => rank?.low === 1);
  const isAlone = leader !== undefined && others.length === 0;
  const leaders = isAlone ? [leader] : ranked.filter((row) => readScore(row) === readScore(best));
  const behind = ranked.filter(({ rank }) => rank?.low !== 1);
  const nAll = (nRanked * (nRanked - 1)) / 2;
  return {
    headline: isAlone ? describeLeader(leader, behind) : describeNone(leaders, { nFirst, nRanked }),
    sentences: [
      ...(behind.length === 0 || isAlone ? [] : [`Clearly behind: ${listNames(behind)}.`]),
      ...(nPairs === nAll
        ? []
        : [`Only ${formatCount(nPairs)} of ${formatCount(nAll)} pairs could be compared.`]),
      ...describeMarked(leaders),
    ],
  };
}

function describeLeader(leader: LeaderboardRow, behind: readonly LeaderboardRow[]): string {
  const nOpen = (leader.rank?.high ?? 1) - 1;
  if (nOpen > 0)
    return `${leader.label} leads: no other group can be first, though ${formatPlural(nOpen, "group is", "groups are")} not clearly worse.`;
  const others =
    behind.length > MOST_NAMES ? `each of the ${formatCount(behind.length)} others` : listNames(behind);
  return `${leader.label} leads, clearly ahead of ${others}.`;
}

function describeNone(
  best: readonly LeaderboardRow[],
  { nFirst, nRanked }: Pick<Leaderboard, "nFirst" | "nRanked">,
): string {
  const first =
    nFirst < nRanked
      ? `${formatCount(nFirst)} of ${formatCount(nRanked)} groups`
      : nRanked === 2
        ? "either group"
        : `any of the ${formatCount(nRanked)} groups`;
  if (nFirst === 0)
    return `The data do not say who leads: each of the ${formatCount(nRanked)} groups is clearly behind another one.`;
  const score = formatReward(best[0] === undefined ? null : readScore(best[0]));
  return `The data do not say who leads: ${first} can be first. Best score: ${listNames(best)}, ${score}.`;
}

function listNames(rows: readonly LeaderboardRow[]): string {
  if (rows.length > MOST_NAMES) return formatPlural(rows.length, "group");
  const names = rows.map(({ label }) => label);
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

function describeMarked(leaders: readonly LeaderboardRow[]): readonly string[] {
  return leaders.flatMap(({ label, marks }) => {
    const differing = marks.filter(({ state }) => state === "differs").map(({ short }) => short);
    return differing.length === 0 ? [] : [`Caveats: ${label} (${differing.join(", ")}).`];
  });
}
