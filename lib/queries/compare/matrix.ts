import "server-only";

import { LRUCache } from "lru-cache";

import { type PagePlace, placeInList, rangeOfPage } from "@/lib/domain/list-page";
import { findTaskFamily } from "@/lib/domain/task-family";
import { type CellMark, MARK_BYTES, MOST_MARKS } from "@/lib/domain/matrix-marks";
import { countAddressBytes, countPageBytes } from "@/lib/domain/page-bytes";
import type { Outcome } from "@/lib/domain/trial";
import {
  applyMissingRule,
  compareTaskMeans,
  computeDistribution,
  computeMean,
  countSuccesses,
} from "@/lib/stats";

import type { CompareFilter } from "@/lib/addresses/compare";
import { type ComparedTrial, groupByTask, readRewardAt } from "@/lib/comparison";

import { countStands, findStand, fitsChange, type TaskChanges } from "./changes";
import { type ChosenGroup, nameVersions } from "./groups";
import { computeMeanAmount, createColouring, type MarkColouring, type MatrixColours } from "./matrix-colours";
import { compareRows, divideRows, type DividedRows, type MatrixHeading } from "./matrix-order";
import type { AttemptVerdict, GroupVerdicts } from "./verdicts";

/** One attempt as the matrix draws it: what it became under the chosen key and threshold. */
export type MatrixAttempt = CellMark;

/** One group's attempts at one task. */
export interface MatrixCell {
  /** Mean amount of an attempt in words, where marks are coloured by what an attempt spends; null where none states it. */
  readonly spent?: string | null;
  readonly attempts: readonly MatrixAttempt[];
  readonly n: number;
  readonly c: number;
  /** Mean reward over the attempts that count; null when none does or one is infinite. */
  readonly mean: number | null;
  /** Mean cost of an attempt in US dollars over those that report one; null when none does. */
  readonly costUsd: number | null;
}

/** A task over all groups, in the order of the groups. */
export interface MatrixRow {
  readonly task: string;
  readonly cells: readonly MatrixCell[];
  /** The best of the others' means minus the first group's; null when the task is not in every group. */
  readonly difference: number | null;
  /** Labels of groups that pass some attempts and fail others. */
  readonly flaky: readonly string[];
}

/** Rows under a heading; `all` where the sort leaves no headings. */
export interface MatrixPart extends MatrixHeading {
  /** Of this page. */
  readonly rows: readonly MatrixRow[];
  /** On all pages. */
  readonly nRows: number;
}

/** The matrix with how many rows each filter would show. */
export interface Matrix {
  readonly parts: readonly MatrixPart[];
  readonly page: PagePlace;
  readonly counts: { readonly all: number; readonly differ: number; readonly flaky: number };
  /** What means are drawn on: 0 to 1 unless a reward lies outside. */
  readonly scale: { readonly low: number; readonly high: number };
  readonly hasCost: boolean;
  readonly colours: MatrixColours;
  readonly changes: TaskChanges;
  /** Attempts that reviewers judged, shown or not. */
  readonly verdicts: GroupVerdicts["counts"];
  /** Decimals that differences in points need, the same for all rows. */
  readonly pointDecimals: 0 | 1;
  /** Whether any group attempted a task more than once, so that it could be flaky. */
  readonly hasRepeats: boolean;
  /** Families of the tasks; they divide nothing where each has one task or all are one. */
  readonly nFamilies: number;
}

/** Rows of one page: ten thousand tasks with all their attempts would be a hundred megabytes. */
export const MATRIX_ROWS = 50;
/** Bytes of a page's rows; of a row, of each of its cells and of each mark beside their names. */
const MAX_ROWS_BYTES = 320_000;
const ROW_BYTES = 4000;
const CELL_BYTES = 720;

/** A row before its attempts are drawn, which only those of one page are. */
type PlainRow = Omit<MatrixRow, "cells"> & {
  readonly cells: readonly Omit<MatrixCell, "attempts" | "spent">[];
  /** Whether the means of any two groups differ; false where one has none. */
  readonly isDiffering: boolean;
};

/** Cells of all rows that are kept. */
const MOST_CELLS = 250_000;

/** By what was chosen and how it counts, as figures are. */
const kept = new LRUCache<string, readonly PlainRow[], () => readonly PlainRow[]>({
  maxSize: MOST_CELLS,
  sizeCalculation: (rows) => 1 + rows.reduce((sum, { cells }) => sum + cells.length, 0),
  memoMethod: (_key, _old, { context }) => context(),
});

/** Rows of the whole matrix, kept while the jobs stay as they are: turning its pages then costs one page. */
function keepRows(
  groups: readonly ChosenGroup[],
  tasks: readonly string[],
  key: string,
  { threshold, missing }: CompareFilter,
  compute: () => readonly PlainRow[],
): readonly PlainRow[] {
  const name = JSON.stringify([nameVersions(groups), tasks.length, key, threshold, missing]);
  return kept.memo(name, { context: compute });
}

/** What of a comparison the matrix is seen with. */
interface MatrixView {
  readonly verdicts: GroupVerdicts;
  /** Place among the groups of the one that is set against the first. */
  readonly versus: number;
}

/** Every task of the groups, filtered, sorted and divided by who is ahead; one page of them with every attempt. */
export function createMatrix(
  groups: readonly ChosenGroup[],
  tasks: readonly string[],
  key: string,
  filter: CompareFilter,
  { verdicts, versus }: MatrixView,
): Matrix {
  const byGroup = groups.map(({ trials }) => groupByTask(trials));
  const attemptsAt = (task: string) => byGroup.map((trialsOf) => trialsOf.get(task) ?? []);
  const rows = keepRows(groups, tasks, key, filter, () =>
    tasks.map((task) => createRow(task, groups, attemptsAt(task), key, filter)),
  );
  const standAt = ({ task, cells }: PlainRow) => {
    const [other, baseline] = [versus, 0].map((at) => ({
      mean: cells[at]?.mean ?? null,
      spent: computeMeanAmount(byGroup[at]?.get(task) ?? [], key, filter.spent),
    }));
    return other === undefined || baseline === undefined ? null : findStand(other, baseline);
  };
  const stands = new Map(rows.map((row) => [row, standAt(row)]));
  const shown = rows.filter((row) => {
    if (!fitsChange(stands.get(row) ?? null, filter.change)) return false;
    if (filter.show === "differ") return row.isDiffering;
    return filter.show === "all" || row.flaky.length > 0;
  });
  const sorted = shown.toSorted(compareRows(filter));
  const means = rows.flatMap((row) => row.cells.flatMap((cell) => cell.mean ?? []));
  const divided = divideRows(sorted, filter);
  const range = rangeOfPage(filter.matrixPage, countPageRows(groups, tasks));
  const page = placeInList(range, sorted.length);
  const colouring = createColouring(groups, key, filter.colour);
  const describeVerdict = (trial: ComparedTrial) => (filter.hasVerdicts ? verdicts.find(trial) : null);
  const draw = (row: PlainRow): MatrixRow => {
    const trials = attemptsAt(row.task);
    const cells = row.cells.map((cell, index) => ({
      ...cell,
      ...colouring.describeCell(trials[index] ?? []),
      attempts: (trials[index] ?? []).map((trial) => ({
        ...createAttempt(trial, key, filter.threshold, colouring.describe(trial), describeVerdict(trial)),
        ...(trial.jobKey === groups[index]?.runs[0].job.key ? {} : { jobKey: trial.jobKey }),
      })),
    }));
    return { ...row, cells };
  };
  return {
    parts: cutParts(divided, page).map((part) => ({ ...part, rows: part.rows.map(draw) })),
    page,
    counts: {
      all: rows.length,
      differ: rows.filter((row) => row.isDiffering).length,
      flaky: rows.filter((row) => row.flaky.length > 0).length,
    },
    scale: {
      low: means.reduce((least, mean) => Math.min(least, mean), 0),
      high: means.reduce((most, mean) => Math.max(most, mean), 1),
    },
    pointDecimals: rows.every(({ difference }) => isWholePoints(difference ?? 0)) ? 0 : 1,
    nFamilies: new Set(tasks.map(findTaskFamily)).size,
    hasRepeats: rows.some((row) => row.cells.some((cell) => cell.n > 1)),
    hasCost: rows.some((row) => row.cells.some((cell) => cell.costUsd !== null)),
    colours: colouring.colours,
    verdicts: verdicts.counts,
    changes: { versus, measure: filter.spent, ...countStands(stands.values()) },
  };
}

/** Rows of every page, fewer where attempts are many or names are long: a cell has the rest of each name. */
function countPageRows(groups: readonly ChosenGroup[], tasks: readonly string[]): number {
  const longest = tasks.reduce(
    (most, task) => Math.max(most, countPageBytes(task), countAddressBytes(task)),
    0,
  );
  const cells = groups.reduce((sum, { id, label, trials }) => {
    const nMarks = Math.min(MOST_MARKS, trials.length / Math.max(1, tasks.length));
    const names = 2 * countPageBytes(label) + countAddressBytes(id) + longest;
    // What the names of a cell's trials begin with stands there once.
    return sum + CELL_BYTES + names / 2 + longest + nMarks * MARK_BYTES;
  }, 0);
  const size = Math.floor(MAX_ROWS_BYTES / (ROW_BYTES + 2 * longest + cells));
  return Math.max(1, Math.min(MATRIX_ROWS, size));
}

/** The rows of one page under their headings, each of which keeps its count over all pages. */
function cutParts(parts: readonly DividedRows<PlainRow>[], { nBefore, size }: PagePlace) {
  let start = 0;
  return parts.flatMap(({ id, family, rows }) => {
    const own = rows.slice(Math.max(0, nBefore - start), Math.max(0, nBefore + size - start));
    start += rows.length;
    return own.length === 0 ? [] : [{ id, family, rows: own, nRows: rows.length }];
  });
}

function createRow(
  task: string,
  groups: readonly ChosenGroup[],
  attempts: readonly (readonly ComparedTrial[])[],
  key: string,
  filter: CompareFilter,
): PlainRow {
  const cells = groups.map((_, index) => createCell(task, attempts[index] ?? [], key, filter));
  const means = cells.map((cell) => cell.mean);
  const [first, ...others] = means.filter((mean) => mean !== null);
  const isComplete = first !== undefined && !means.includes(null);
  return {
    task,
    cells,
    difference: isComplete ? Math.max(...others) - first : null,
    isDiffering: isComplete && others.some((other) => compareTaskMeans(other, first) !== 0),
    flaky: groups
      .filter((_, index) => {
        const cell = cells[index];
        return cell !== undefined && cell.c > 0 && cell.c < cell.n;
      })
      .map(({ label }) => label),
  };
}

function createCell(
  task: string,
  trials: readonly ComparedTrial[],
  key: string,
  filter: CompareFilter,
): PlainRow["cells"][number] {
  const values = trials.filter((trial) => trial.counts).map((trial) => readRewardAt(trial, key));
  const counts = countSuccesses([{ task, values }], filter)[0];
  const complete = applyMissingRule([{ task, values }], filter.missing).tasks[0];
  const costs = computeDistribution(trials.map((trial) => trial.tokens.costUsd));
  return {
    n: counts?.n ?? 0,
    c: counts?.c ?? 0,
    mean: complete?.values.every(Number.isFinite) ? computeMean(complete.values) : null,
    costUsd: costs.kind === "computed" ? costs.mean : null,
  };
}

function createAttempt(
  trial: ComparedTrial,
  key: string,
  threshold: number,
  { amount, ...colour }: ReturnType<MarkColouring["describe"]>,
  verdict: AttemptVerdict | null,
): MatrixAttempt {
  const value = readRewardAt(trial, key);
  const exception = trial.exceptionType === null ? null : `with ${trial.exceptionType}`;
  const reward = value === null ? null : `${key} ${String(value)}`;
  const detail = [reward, exception, amount, verdict?.words ?? null]
    .filter((part) => part !== null)
    .join(", ");
  return {
    key: !trial.hasFolder && trial.state === "missing" ? null : trial.key,
    attempt: trial.attempt,
    outcome: classifyAttempt(trial, value, threshold),
    ...(detail === "" ? {} : { detail }),
    ...(trial.isSuspect ? { isSuspect: true } : {}),
    ...colour,
    ...(verdict === null ? {} : { verdict: verdict.stand }),
  };
}

/** The outcome under another key or threshold than the headline's: passing decides first, then an exception. */
function classifyAttempt(trial: ComparedTrial, value: number | null, threshold: number): Outcome {
  if (trial.state !== "finished") return trial.outcome;
  if (!trial.counts && value !== null) return "invalid";
  if (value !== null && value >= threshold) return "passed";
  if (trial.outcome === "errored" || trial.outcome === "timeout" || trial.outcome === "cancelled")
    return trial.outcome;
  if (value === null || Number.isNaN(value)) return "unscored";
  return value <= 0 ? "failed" : "partial";
}

function isWholePoints(difference: number): boolean {
  return compareTaskMeans(difference * 100, Math.round(difference * 100)) === 0;
}
