import {
  computeLeaderboard,
  describeLeaderboard,
  formatLeaderboard,
  type Leaderboard,
  type LeaderboardRule,
  prepareLeaderboardTable,
  prepareSensitivityJson,
} from "@/lib/comparison";
import { type DatasetName, LEADERBOARD_FORMATS, nameDataset } from "@/lib/domain/dataset";

import { parseChoice, parseCommandLine, UsageError } from "./command-line";
import { readSaved } from "./compare-folders";
import { listRuns, poolRuns, poolSaved } from "./compare-runs";
import { findExclusions } from "./known-failures";
import { openFolders, parseSummation } from "./open-folders";
import { prepareSensitivityText } from "./sensitivity-text";
import { type Terminal, writeAll, writeJson } from "./terminal";
import { formatTextTable } from "./text-table";

/** The groups over one dataset. */
interface PrintedLeaderboard {
  readonly dataset: DatasetName;
  readonly board: Leaderboard;
}

/** `assay leaderboard`: the groups over each dataset with their ranks. @returns 0 */
export async function runLeaderboard(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    dataset: { type: "string" },
    pool: { type: "string" },
    data: { type: "string" },
    key: { type: "string" },
    missing: { type: "string" },
    tasks: { type: "string" },
    format: { type: "string" },
    json: { type: "boolean" },
    summation: { type: "string" },
  });
  if (positionals.length === 0) throw new UsageError("Name at least one folder of jobs.");
  const rule: LeaderboardRule = {
    key: values.key ?? null,
    missing: parseChoice(values.missing ?? "zero", ["zero", "exclude"], "missing rule"),
    tasks: parseChoice(values.tasks ?? "own", ["own", "common"], "rule of tasks"),
  };
  const format = parseChoice(values.format ?? "text", ["text", ...LEADERBOARD_FORMATS], "format");
  const snapshot = openFolders(terminal, positionals, parseSummation(values.summation, terminal.env));
  const jobs = snapshot.jobs.filter(({ job }) => job.purpose === "benchmark");
  const exclusions = await findExclusions({ ...snapshot, jobs }, terminal, values.data);
  const runs = listRuns({ ...snapshot, jobs }, exclusions).filter(({ content }) => content.trials.length > 0);
  const named = runs.map((run) => {
    const tasks = run.content.trials.map(({ taskName }) => taskName);
    return { run, dataset: nameDataset({ source: run.group.source, tasks }) };
  });
  const saved = values.pool === "saved" ? await readSaved(terminal, values.data ?? null) : null;
  const boards = [...Map.groupBy(named, ({ dataset }) => dataset.id).values()].flatMap(
    (members): PrintedLeaderboard[] => {
      const [first] = members;
      if (first === undefined || !isAsked(first.dataset, values.dataset ?? null)) return [];
      const own = members.map(({ run }) => run);
      const groups = saved === null ? poolRuns(own, values.pool ?? null) : poolSaved(own, saved, runs);
      return [{ dataset: first.dataset, board: computeLeaderboard(groups, rule) }];
    },
  );
  if (boards.length === 0) throw new UsageError(describeNone(named, positionals, values.dataset ?? null));
  if (format === "csv" && boards.length > 1)
    throw new UsageError(
      `CSV is one table, and there are ${String(boards.length)} datasets: name one with --dataset.`,
    );
  if (values.json === true) await writeJson(terminal.stdout, prepareLeaderboardJson(boards));
  else if (format === "text") await writeAll(terminal.stdout, boards.map(prepareText));
  else
    await writeAll(
      terminal.stdout,
      boards.map(({ dataset, board }, at) => {
        const text = formatLeaderboard(board, dataset.label, format);
        return at === 0 ? text : `\n${text}`;
      }),
    );
  return 0;
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
    ? `Found no group of trials in ${folders.join(", ")}.`
    : `No dataset is called "${asked}". There are ${names.join(", ")}.`;
}

function prepareText({ dataset, board }: PrintedLeaderboard, at: number): string {
  const { columns, rows } = prepareLeaderboardTable(board);
  const headings = columns.map(({ heading, isNumeric }) => ({
    heading: heading.toLowerCase(),
    align: isNumeric ? ("right" as const) : ("left" as const),
  }));
  const name = dataset.isNamed ? dataset.label : `${dataset.label} (no dataset stated)`;
  const sensitivity = prepareSensitivityText(board.rows, board.missing);
  return `${at === 0 ? "" : "\n"}${name}\n\n${formatTextTable(headings, rows)}\n${describeLeaderboard(board)}\n${sensitivity === "" ? "" : `\n${sensitivity}`}`;
}

/** All leaderboards as JSON (assay.leaderboard/1); a figure that there is not is null, or says why. */
function prepareLeaderboardJson(boards: readonly PrintedLeaderboard[]) {
  return {
    schema: "assay.leaderboard/1",
    datasets: boards.map(({ dataset, board }) => ({
      name: dataset.label,
      id: dataset.id,
      key: board.key,
      missing: board.missing,
      tasks: board.tasks,
      n_tasks: board.nTasks,
      n_common_tasks: board.nCommonTasks,
      n_ranked: board.nRanked,
      n_first: board.nFirst,
      n_pairs: board.nPairs,
      families: board.families,
      groups: board.rows.map((row) => ({
        name: row.label,
        runs: row.runs,
        state: row.state,
        rank: row.rank,
        mean: row.mean,
        sensitivity: prepareSensitivityJson(row.sensitivity),
        cost: row.cost,
        n_tasks: row.nTasks,
        n_trials: row.nTrials,
        attempts: row.attempts,
        families: row.families,
        figures: row.figures,
        marks: row.marks,
      })),
    })),
  };
}
