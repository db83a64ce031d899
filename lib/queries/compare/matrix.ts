import "server-only";

import { type PagePlace, placeInList, rangeOfPage } from "@/lib/domain/list-page";
import { compareNames } from "@/lib/domain/compare-text";
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
import { COMPARE_SORTS } from "@/lib/domain/compare-filter";
import { groupByTask, readRewardAt, type ChosenGroup } from "./groups";
import type { ComparedTrial } from "./trials";

/** One attempt as the matrix draws it: what it became under the chosen key and threshold. */
export interface MatrixAttempt {
  /** Of its trial; null where there is none to open. */
  readonly key: string | null;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly detail?: string;
  readonly isSuspect?: boolean;
}

/** One group's attempts at one task. */
export interface MatrixCell {
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
  /** First group's mean minus the best of the others; null when the task is not in every group. */
  readonly difference: number | null;
  /** Labels of groups that pass some attempts and fail others. */
  readonly flaky: readonly string[];
}

/** Rows under a heading; `all` where the sort leaves no headings. */
export interface MatrixPart {
  readonly id: "ahead" | "tied" | "behind" | "apart" | "all";
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
  /** Decimals that differences in points need, the same for all rows. */
  readonly pointDecimals: 0 | 1;
  /** Whether any group attempted a task more than once, so that it could be flaky. */
  readonly hasRepeats: boolean;
}

/** Rows of one page: ten thousand tasks with all their attempts would be a hundred megabytes. */
export const MATRIX_ROWS = 50;
/** Bytes of a page's rows beside the marks of attempts; of a row and of each of its cells beside their names. */
const MAX_ROWS_BYTES = 700_000;
const ROW_BYTES = 700;
const CELL_BYTES = 300;

/** A row before its attempts are drawn, which only those of one page are. */
type PlainRow = Omit<MatrixRow, "cells"> & {
  readonly cells: readonly Omit<MatrixCell, "attempts">[];
  /** Whether the means of any two groups differ; false where one has none. */
  readonly isDiffering: boolean;
};

/** Every task of the groups, filtered, sorted and divided by who is ahead; one page of them with every attempt. */
export function createMatrix(
  groups: readonly ChosenGroup[],
  tasks: readonly string[],
  key: string,
  filter: CompareFilter,
): Matrix {
  const byGroup = groups.map(({ trials }) => groupByTask(trials));
  const attemptsAt = (task: string) => byGroup.map((trialsOf) => trialsOf.get(task) ?? []);
  const rows = tasks.map((task) => createRow(task, groups, attemptsAt(task), key, filter));
  const shown = rows.filter((row) => {
    if (filter.show === "differ") return row.isDiffering;
    return filter.show === "all" || row.flaky.length > 0;
  });
  const sorted = shown.toSorted(compareRows(filter));
  const means = rows.flatMap((row) => row.cells.flatMap((cell) => cell.mean ?? []));
  const divided =
    filter.sort === "difference"
      ? divideRows(sorted, filter.descending)
      : [{ id: "all" as const, rows: sorted }];
  const range = rangeOfPage(filter.matrixPage, countPageRows(groups, tasks));
  const page = placeInList(range, sorted.length);
  const draw = (row: PlainRow): MatrixRow => {
    const trials = attemptsAt(row.task);
    const cells = row.cells.map((cell, index) => ({
      ...cell,
      attempts: (trials[index] ?? []).map((trial) => createAttempt(trial, key, filter.threshold)),
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
    hasRepeats: rows.some((row) => row.cells.some((cell) => cell.n > 1)),
    hasCost: rows.some((row) => row.cells.some((cell) => cell.costUsd !== null)),
  };
}

/** Rows of every page, fewer where names are long: each row has the groups' in words, and in links to the rest of a cell. */
function countPageRows(groups: readonly ChosenGroup[], tasks: readonly string[]): number {
  const longest = tasks.reduce(
    (most, task) => Math.max(most, countPageBytes(task), countAddressBytes(task)),
    0,
  );
  const cells = groups.reduce(
    (sum, { id, label }) => sum + CELL_BYTES + 2 * countPageBytes(label) + countAddressBytes(id) + longest,
    0,
  );
  const size = Math.floor(MAX_ROWS_BYTES / (ROW_BYTES + 2 * longest + cells / 2));
  return Math.max(1, Math.min(MATRIX_ROWS, size));
}

interface PlainPart {
  readonly id: MatrixPart["id"];
  readonly rows: readonly PlainRow[];
}

/** The rows of one page under their headings, each of which keeps its count over all pages. */
function cutParts(parts: readonly PlainPart[], { nBefore, size }: PagePlace) {
  let start = 0;
  return parts.flatMap(({ id, rows }) => {
    const own = rows.slice(Math.max(0, nBefore - start), Math.max(0, nBefore + size - start));
    start += rows.length;
    return own.length === 0 ? [] : [{ id, rows: own, nRows: rows.length }];
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
    difference: isComplete ? first - Math.max(...others) : null,
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
  const values = trials
    .filter((trial) => trial.state === "finished")
    .map((trial) => readRewardAt(trial, key));
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

function createAttempt(trial: ComparedTrial, key: string, threshold: number): MatrixAttempt {
  const value = readRewardAt(trial, key);
  const exception = trial.failure === null ? null : `with ${trial.failure.type}`;
  const reward = value === null ? null : `${key} ${String(value)}`;
  const detail = [reward, exception].filter((part) => part !== null).join(", ");
  return {
    key: trial.folder === "" && trial.state === "missing" ? null : trial.key,
    attempt: trial.attempt,
    outcome: classifyAttempt(trial, value, threshold),
    ...(detail === "" ? {} : { detail }),
    ...(trial.isSuspect ? { isSuspect: true } : {}),
  };
}

/** The outcome under another key or threshold than the headline's: passing decides first, then an exception. */
function classifyAttempt(trial: ComparedTrial, value: number | null, threshold: number): Outcome {
  if (trial.state !== "finished") return trial.outcome;
  if (value !== null && value >= threshold) return "passed";
  if (trial.outcome === "errored" || trial.outcome === "timeout" || trial.outcome === "cancelled")
    return trial.outcome;
  if (value === null || Number.isNaN(value)) return "unscored";
  return value <= 0 ? "failed" : "partial";
}

function compareRows(filter: CompareFilter): (a: PlainRow, b: PlainRow) => number {
  const sign = filter.descending ? -1 : 1;
  const byName = (a: PlainRow, b: PlainRow) => compareNames(a.task, b.task);
  if (filter.sort === "task") return (a, b) => sign * byName(a, b);
  const column = COMPARE_SORTS.indexOf(filter.sort) - COMPARE_SORTS.indexOf("first");
  const read = (row: PlainRow) =>
    filter.sort === "difference" ? row.difference : (row.cells[column]?.mean ?? null);
  return (a, b) => {
    const left = read(a);
    const right = read(b);
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || byName(a, b);
    return sign * compareTaskMeans(left, right) || compareTotals(a, b) || byName(a, b);
  };
}

/** Among equal differences the tasks with the higher means come first. */
function compareTotals(a: PlainRow, b: PlainRow): number {
  const total = (row: PlainRow) => row.cells.reduce((sum, cell) => sum + (cell.mean ?? 0), 0);
  return compareTaskMeans(total(b), total(a));
}

function divideRows(rows: readonly PlainRow[], descending: boolean): readonly PlainPart[] {
  const sign = (row: PlainRow) => (row.difference === null ? null : compareTaskMeans(row.difference, 0));
  const pick = (id: MatrixPart["id"], wanted: -1 | 0 | 1 | null): PlainPart => ({
    id,
    rows: rows.filter((row) => sign(row) === wanted),
  });
  const compared = [pick("ahead", 1), pick("tied", 0), pick("behind", -1)];
  const ordered = descending ? compared : compared.toReversed();
  return [...ordered, pick("apart", null)].filter((part) => part.rows.length > 0);
}

function isWholePoints(difference: number): boolean {
  return compareTaskMeans(difference * 100, Math.round(difference * 100)) === 0;
}
