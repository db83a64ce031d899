import {
  computeLeaderboard,
  describeLabelledScores,
  describeLead,
  describeLeaderboard,
  formatLeaderboard,
  type LabelledScores,
  type Leaderboard,
  type LeaderboardRule,
  type NamedRuns,
  prepareLeaderboardTable,
  prepareSensitivityJson,
} from "@/lib/core/comparison";
import { describeRefused } from "@/lib/core/comparison/labelled-score";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import {
  type DatasetName,
  DEFAULT_COVERAGE,
  LEADERBOARD_FORMATS,
  type LeaderboardFormat,
  nameDataset,
} from "@/lib/core/domain/dataset";
import { SUMMATION } from "@/lib/server/view-options";

import { defineCommand, flag, parseChoice, parseNumber, option, UsageError, parseSummation } from "./command";
import {
  COUNTING,
  listRuns,
  parseCounting,
  poolRuns,
  poolSaved,
  prepareSensitivityText,
  readSaved,
} from "./compare-folders";
import { findExclusions, readRules } from "./known-failures";
import { correctGroups } from "./labelled-scores";
import { openFolders } from "./open-folders";
import { type Terminal, writeAll, writeJson, toSnakeCase } from "./terminal";
import { formatTextTable } from "./text-table";

interface PrintedLeaderboard {
  readonly dataset: DatasetName;
  readonly board: Leaderboard;
  readonly labelled: LabelledScores;
}

export const leaderboard = defineCommand({
  listed: { "leaderboard DIR ...": "Rank the groups over each dataset" },
  usage: ["assay leaderboard DIR ... [OPTIONS]"],
  about: `Ranks the groups of all jobs in or below each DIR, one table per dataset. A rank is the range of places that the data
allow, from paired comparisons on shared tasks. A group can be first if no other group is clearly better. Groups without a
dataset share a table only if their tasks are the same.`,
  options: {
    dataset: option("NAME", "Only the dataset of this name."),
    pool: option(
      "RULE",
      "Pool runs into one group: settings (default) for one agent, model and settings, none, or as in compare.",
    ),
    coverage: option(
      "N",
      "Percent of tasks with finished trials that a group needs for a rank (default 80).",
    ),
    data: option(
      "DIR",
      `Folder with Assay's own data: judgments, which correct scores, saved run sets and your own rules.toml
(default: as in assay view).`,
    ),
    key: option("NAME", "Reward key (default: the most frequent)."),
    ...COUNTING,
    tasks: option(
      "RULE",
      "Tasks of the scores: own (default) of each group, or common to all ranked groups.",
    ),
    format: option("FORMAT", "text (default), markdown, csv or latex."),
    json: flag("Print JSON (assay.leaderboard/1)."),
    summation: SUMMATION,
  },
  examples: ["assay leaderboard jobs --format markdown"],
  async run({ values, positionals }, terminal) {
    if (positionals.length === 0) throw new UsageError("Pass at least one folder of jobs.");
    const rule: LeaderboardRule = {
      key: values.key ?? null,
      ...parseCounting(values),
      tasks: parseChoice(values.tasks ?? "own", ["own", "common"], "rule of tasks"),
      coverage: parseNumber(values.coverage, "--coverage", [0, 100], DEFAULT_COVERAGE, "percentage"),
    };
    const format = parseChoice(values.format ?? "text", ["text", ...LEADERBOARD_FORMATS], "format");
    const snapshot = openFolders(terminal, positionals, parseSummation(values.summation, terminal.env));
    const jobs = snapshot.jobs.filter(({ job }) => job.purpose === "benchmark");
    const exclusions = await findExclusions(
      { ...snapshot, jobs },
      terminal,
      readRules(terminal, values.data),
    );
    const runs = listRuns({ ...snapshot, jobs }, exclusions).filter(
      ({ content }) => content.trials.length > 0,
    );
    const named = runs.map((run) => {
      const tasks = run.content.trials.map(({ taskName }) => taskName);
      return { run, dataset: nameDataset({ source: run.group.source, tasks }) };
    });
    const { data = null, dataset: asked = null, pool = "settings" } = values;
    const saved = pool === "saved" ? await readSaved(terminal, data) : null;
    const pooled = [...Map.groupBy(named, ({ dataset }) => dataset.id).values()].flatMap((members) => {
      const [first] = members;
      if (first === undefined || !isAsked(first.dataset, asked)) return [];
      const own = members.map(({ run }) => run);
      const groups =
        saved === null ? poolRuns(own, pool === "none" ? null : pool) : poolSaved(own, saved, runs);
      return [{ dataset: first.dataset, groups }];
    });
    const boards = await rankAll(pooled, rule, { snapshot, terminal, data });
    if (boards.length === 0) throw new UsageError(describeNone(named, positionals, asked));
    if (values.json) await writeJson(terminal.stdout, prepareLeaderboardJson(boards));
    else
      await writeAll(
        terminal.stdout,
        format === "text" ? boards.map(prepareText) : formatAll(boards, format),
      );
    return 0;
  },
});

function formatAll(boards: readonly PrintedLeaderboard[], format: LeaderboardFormat): readonly string[] {
  if (format === "csv" && boards.length > 1)
    throw new UsageError(
      `CSV holds one table, and there are ${boards.length} datasets: choose one with --dataset.`,
    );
  return boards.map(({ dataset, board, labelled }, at) => {
    const text = formatLeaderboard(board, dataset.label, format, labelled);
    return at === 0 ? text : `\n${text}`;
  });
}

async function rankAll(
  pooled: readonly { readonly dataset: DatasetName; readonly groups: readonly NamedRuns[] }[],
  rule: LeaderboardRule,
  from: { readonly snapshot: CatalogSnapshot; readonly terminal: Terminal; readonly data: string | null },
): Promise<readonly PrintedLeaderboard[]> {
  const all = pooled.flatMap(({ groups }) => groups);
  const corrected = await correctGroups(from.snapshot, all, from.terminal, from.data);
  const scoreOf = new Map(all.map((group, at) => [group, corrected[at] ?? null]));
  return pooled.map(({ dataset, groups }) => {
    const board = computeLeaderboard(groups, rule);
    const labelled = board.rows.map(({ at }) => {
      const group = groups[at];
      return group === undefined ? null : (scoreOf.get(group) ?? null);
    });
    return { dataset, board, labelled };
  });
}

function isAsked({ id, label }: DatasetName, asked: string | null): boolean {
  return asked === null || asked === id || asked === label;
}

function describeNone(
  named: readonly { readonly dataset: DatasetName }[],
  folders: readonly string[],
  asked: string | null,
): string {
  const names = [...new Set(named.map(({ dataset }) => dataset.label))];
  return asked === null || names.length === 0
    ? `No group of trials in ${folders.join(", ")}.`
    : `No dataset named "${asked}". Available: ${names.join(", ")}.`;
}

function prepareText({ dataset, board, labelled }: PrintedLeaderboard, at: number): string {
  const { columns, rows } = prepareLeaderboardTable(board, labelled, "short");
  const headings = columns.map(({ heading, isNumeric }) =>
    isNumeric ? { right: heading.toLowerCase() } : heading.toLowerCase(),
  );
  const name = dataset.isNamed ? dataset.label : `${dataset.label} (no dataset recorded)`;
  const sensitivity = prepareSensitivityText(board.rows, board.missing);
  const { headline, sentences } = describeLead(board);
  return [
    ...(at === 0 ? [] : [""]),
    ...[name, "", [headline, ...sentences].join(" "), "", formatTextTable(headings, rows)],
    [describeLeaderboard(board), ...describeLabelledScores(board, labelled)].join(" "),
    ...(sensitivity === "" ? [""] : ["", sensitivity]),
  ].join("\n");
}

/** The `assay.leaderboard/1` document; a missing figure is null, or has a reason. */
function prepareLeaderboardJson(boards: readonly PrintedLeaderboard[]) {
  return {
    schema: "assay.leaderboard/1",
    datasets: boards.map(({ dataset, board, labelled }) => {
      const { rows, rewardKeys, counting, nMoreFamilies, conditions, ...figures } = board;
      return {
        name: dataset.label,
        id: dataset.id,
        ...toSnakeCase(figures),
        groups: rows.map(({ at, label, fullName, sensitivity, ...row }, place) => ({
          name: label,
          ...toSnakeCase(row),
          corrected: prepareLabelledJson(labelled[place] ?? null),
          sensitivity: prepareSensitivityJson(sensitivity),
        })),
      };
    }),
  };
}

function prepareLabelledJson(score: LabelledScores[number]) {
  if (score === null) return null;
  if (score.kind !== "computed")
    return { kind: score.kind, n_labels: score.nLabels, reason: describeRefused(score) };
  const { kind, observed, corrected, low, high, nLabels, nTrials } = score;
  return { kind, observed, corrected, low, high, n_labels: nLabels, n_trials: nTrials };
}
