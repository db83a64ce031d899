import "server-only";
import { type HistoryMark, prepareHistoryChart } from "@/lib/core/charts/history-chart";
import {
  applyScoring,
  computeHistory,
  formatAttempts,
  formatScoreRange,
  type HistoryPoint,
  readScore,
  readScoreBounds,
} from "@/lib/core/comparison";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatPlural, formatReward } from "@/lib/core/format/number";
import { formatInstant } from "@/lib/core/format/time";
import type { DatasetParams } from "@/lib/pages/datasets/address";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import { describeMeanBasis } from "../job/mean-basis";
import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import {
  chooseGroups,
  type LeaderboardParams,
  listOwnSets,
  type OwnSet,
  readBoard,
  readBoardGroups,
} from "./board";
import type { Dataset } from "./list";

export type HistoryPage = ReturnType<typeof preparePage>;

export type HistoryLine = ReturnType<typeof toLine>;

/** With hostile names, 250 runs made a page of 2.7 MB. */
const MOST_POINTS = 100;

export async function getHistory(dataset: Dataset, params: DatasetParams) {
  const { key, missing, rule, tasks, coverage, repeats } = params;
  const saved = await listOwnSets(await getStore(), dataset);
  const name = `history ${JSON.stringify([dataset.id, key, missing, rule, tasks, coverage, repeats, saved])}`;
  const kept = await getCached(name, (current) => readHistory(current, dataset, params, saved));
  return preparePage(kept, dataset, await getIdentityOf());
}

/** A saved run set is one point. Repeats are one point if the address pools them. */
export async function readHistory(
  store: IndexStore,
  dataset: Pick<Dataset, "groups">,
  params: LeaderboardParams,
  saved: readonly OwnSet[] = [],
) {
  const joins = { saved: true, suggested: params.repeats === "together" };
  const { chosen, nRepeats } = await chooseGroups(store, dataset, saved, joins, MOST_POINTS);
  const named = await readBoardGroups(store, chosen);
  const board = await readBoard(store, { chosen, groups: named }, params);
  const starts = named.map(({ runs }) => findStart(runs.map(({ job }) => job)));
  return {
    board,
    points: computeHistory(
      named.map((group) => applyScoring(group, params.rule)),
      board,
      starts.map((start) => start?.epochMs ?? null),
    ),
    groups: named.map(({ refs, runs }, at) => ({
      refs,
      jobs: runs.map(({ job: { key, name } }) => ({ key, name })),
      agent: runs[0].group.agent,
      model: runs[0].summary.group.model,
      start: starts[at] ?? null,
    })),
    nRepeats,
  };
}

/** Returns the newest start; null if any job has no start with a known time zone. */
function findStart(jobs: readonly Pick<JobHead, "time">[]): ClockTime | null {
  const starts = jobs.flatMap(({ time: { startedAt } }) => (startedAt?.zoned === true ? [startedAt] : []));
  if (starts.length < jobs.length) return null;
  return starts.toSorted((a, b) => b.epochMs - a.epochMs)[0] ?? null;
}

type KeptHistory = Awaited<ReturnType<typeof readHistory>>;

type IdentityOf = Awaited<ReturnType<typeof getIdentityOf>>;

function preparePage(
  { board, points, groups, nRepeats }: KeptHistory,
  dataset: Pick<Dataset, "groups">,
  identityOf: IdentityOf,
) {
  const lines = numberChanges(points, groups).map(({ point, number, before }) => {
    const { refs = [], jobs = [], start = null, agent = "", model = null } = groups[point.row.at] ?? {};
    return toLine(point, { refs, jobs, identity: identityOf(agent, model), start, number, before });
  });
  const { key, rewardKeys, missing, tasks, nTasks, nCommonTasks } = board;
  const dated = lines.filter(({ start }) => start !== null);
  return {
    ...{ key, rewardKeys, missing, tasks, nTasks, nCommonTasks },
    lines: [...dated.toReversed(), ...lines.filter(({ start }) => start === null)],
    chart: prepareHistoryChart(points.flatMap((point, at) => toMark(point, lines[at]))),
    nUndated: lines.length - dated.length,
    nNoScore: dated.filter(({ score }) => score === null).length,
    nRepeats,
    nLeftOut: Math.max(0, dataset.groups.length - MOST_POINTS),
    csv: formatHistoryCsv(points, lines, key),
  };
}

function numberChanges(points: readonly HistoryPoint[], groups: KeptHistory["groups"]) {
  const last = new Map<string, readonly string[]>();
  let n = 0;
  return points.map((point) => {
    const before = last.get(point.series) ?? [];
    if (point.startMs !== null) last.set(point.series, groups[point.row.at]?.refs ?? []);
    const isChanged = point.change !== null && point.change.differs.length > 0;
    return { point, before, number: isChanged ? ++n : null };
  });
}

function toLine(
  { row, series, change }: HistoryPoint,
  own: Pick<KeptHistory["groups"][number], "refs" | "jobs" | "start"> & {
    readonly identity: number;
    readonly number: number | null;
    readonly before: readonly string[];
  },
) {
  const { refs, jobs, identity, start, number, before } = own;
  const { label, state, nTasks } = row;
  return {
    ...{ label, state, nTasks, refs, jobs, identity, series, start },
    score: readScore(row),
    scoreText: formatReward(readScore(row)),
    range: formatScoreRange(row),
    basis: describeMeanBasis(row.mean),
    attempts: formatAttempts(row.attempts),
    /** Null for the first of its agent and model, and without a known start. */
    change: change && {
      number,
      since: change.since,
      same: change.same,
      unknown: change.unknown,
      words: change.differs.map(({ name, detail }) => `${name}: ${detail}`),
      /** The earlier run comes first. */
      refs: [...before, ...refs],
    },
  };
}

function toMark({ row, series, startMs }: HistoryPoint, line: HistoryLine | undefined): HistoryMark[] {
  const score = readScore(row);
  if (line === undefined || startMs === null || score === null) return [];
  const { identity, scoreText, range, change, nTasks, attempts } = line;
  const bounds = readScoreBounds(row);
  const changed = change === null || change.words.length === 0 ? "" : ` Differs: ${change.words.join(" ")}`;
  const title = `${row.label}, ${series}: ${scoreText}, 95 % from ${range}, ${formatPlural(nTasks, "task")}, attempts ${attempts}.${changed}`;
  return [
    {
      group: { id: line.refs.join(" "), label: row.label, identity, variant: 0 },
      series,
      startMs,
      score: { value: score, low: bounds?.low ?? null, high: bounds?.high ?? null },
      change: change?.number ?? null,
      isRunning: row.state === "running",
      title,
    },
  ];
}

function formatHistoryCsv(
  points: readonly HistoryPoint[],
  lines: readonly HistoryLine[],
  key: string,
): string {
  return [
    formatCsvLine([
      ...["start", "group", "agent_and_model", "jobs", "state", "reward_key", "score"],
      ...["interval_low", "interval_high", "n_tasks", "n_trials", "since", "differs_in"],
      ...["same", "not_stated"],
    ]),
    ...points.map(({ row, series, change }, at) => {
      const { start = null, jobs = [] } = lines[at] ?? {};
      const bounds = readScoreBounds(row);
      return formatCsvLine([
        ...[start === null ? null : formatInstant(start), row.label, series],
        ...[jobs.map(({ name }) => name).join("; "), row.state, key, readScore(row)],
        ...[bounds?.low ?? null, bounds?.high ?? null, row.nTasks, row.nTrials],
        ...listChange(change),
      ]);
    }),
  ].join("");
}

function listChange(change: HistoryPoint["change"]): readonly (string | null)[] {
  if (change === null) return [null, null, null, null];
  const { since, differs, same, unknown } = change;
  const words = differs.map(({ name, detail }) => `${name}: ${detail}`).join(" ");
  return [since, words, same.join("; "), unknown.join("; ")];
}
