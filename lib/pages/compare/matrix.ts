import "server-only";
import { findLevel, formatAmount, type MarkMeasure, prepareMarkScale } from "@/lib/core/charts/mark-scale";
import { type ComparedTrial, groupByTask, readRewardAt } from "@/lib/core/comparison";
import {
  readTaskChange,
  TASK_SPENDINGS,
  type TaskChange,
  type TaskSpending,
  type TaskStanding,
  nameGroupSort,
  MARK_COLOURS,
  type MarkColour,
} from "@/lib/core/domain/compare-filter";
import { compareNames } from "@/lib/core/domain/compare-text";
import { type PagePlace, placeInList, rangeOfPage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { type CellMark, MARK_BYTES, MOST_MARKS } from "@/lib/core/domain/matrix-marks";
import { countAddressBytes, countPageBytes } from "@/lib/core/domain/page-bytes";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import type { Outcome } from "@/lib/core/domain/trial";
import {
  applyMissingRule,
  compareTaskMeans,
  computeDistribution,
  computeMean,
  countSuccesses,
} from "@/lib/core/stats";
import type { CompareFilter } from "@/lib/pages/compare/address";

import type { ChosenGroup } from "./groups";
import type { AttemptVerdict, GroupVerdicts } from "./verdicts";

export type Matrix = ReturnType<typeof createMatrix>;
export type MatrixPart = Matrix["parts"][number];
export type MatrixRow = MatrixPart["rows"][number];

/** Bytes of a page, and estimates for a row, cell and mark without names. */
const MAX_ROWS_BYTES = 480_000;
const ROW_BYTES = 4000;
const CELL_BYTES = 720;

type PlainRow = ReturnType<typeof createRow>;

export function createMatrix(
  groups: readonly ChosenGroup[],
  tasks: readonly string[],
  key: string,
  filter: CompareFilter,
  { verdicts, versus }: { readonly verdicts: GroupVerdicts; readonly versus: number },
) {
  const byGroup = groups.map(({ trials }) => groupByTask(trials));
  const attemptsAt = (task: string) => byGroup.map((trialsOf) => trialsOf.get(task) ?? []);
  const rows = tasks.map((task) => createRow(task, groups, attemptsAt(task), key, filter));
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
  const tied = divided.find(({ id }) => id === "tied");
  const isWhole = filter.show === "all" && filter.change === "any";
  const isFolded = isWhole && !filter.hasTies && divided.length > 1;
  const listed = isFolded ? divided.filter((part) => part !== tied) : divided;
  const nListed = listed.reduce((sum, part) => sum + part.rows.length, 0);
  const range = rangeOfPage(filter.matrixPage, countPageRows(groups, tasks));
  const page = placeInList(range, nListed);
  const colouring = createColouring(groups, key, filter.colour);
  const describeVerdict = (trial: ComparedTrial) => (filter.hasVerdicts ? verdicts.find(trial) : null);
  const draw = (row: PlainRow) => {
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
    parts: cutParts(listed, page).map((part) => ({ ...part, rows: part.rows.map(draw) })),
    /** Every listed part, with the page on which it starts. */
    places: placeParts(listed, page),
    /** Folded: the means of all groups at these tasks. Null if they are among the rows, or there are none. */
    ties: isFolded && tied !== undefined ? tied.rows.map(({ cells }) => cells[0]?.mean ?? 0) : null,
    page,
    counts: {
      all: rows.length,
      differ: rows.filter((row) => row.isDiffering).length,
      flaky: rows.filter((row) => row.flaky.length > 0).length,
    },
    /** 0 to 1 unless a mean lies outside. */
    scale: {
      low: means.reduce((least, mean) => Math.min(least, mean), 0),
      high: means.reduce((most, mean) => Math.max(most, mean), 1),
    },
    isWholePoints: rows.every(({ difference }) => isWholePoints(difference ?? 0)),
    nFamilies: new Set(tasks.map(findTaskFamily)).size,
    hasRepeats: rows.some((row) => row.cells.some((cell) => cell.n > 1)),
    hasCost: rows.some((row) => row.cells.some((cell) => cell.costUsd !== null)),
    colours: colouring.colours,
    verdicts: verdicts.counts,
    /** `versus` is the index of the group compared with the first. */
    changes: { versus, measure: filter.spent, ...countStands(stands.values()) },
  };
}

/** Shows fewer rows if attempts are many or names are long, to limit the page size. */
function countPageRows(groups: readonly ChosenGroup[], tasks: readonly string[]): number {
  const longest = tasks.reduce(
    (most, task) => Math.max(most, countPageBytes(task), countAddressBytes(task)),
    0,
  );
  const cells = groups.reduce((sum, { id, label, trials }) => {
    const nMarks = Math.min(MOST_MARKS, trials.length / Math.max(1, tasks.length));
    const names = 2 * countPageBytes(label) + countAddressBytes(id) + longest;
    // The common start of a cell's trial names is sent once.
    return sum + CELL_BYTES + names / 2 + longest + nMarks * MARK_BYTES;
  }, 0);
  const size = Math.floor(MAX_ROWS_BYTES / (ROW_BYTES + 2 * longest + cells));
  return Math.max(1, Math.min(2 * PAGE_ROWS, size));
}

function placeParts(parts: readonly DividedRows<PlainRow>[], { size }: PagePlace) {
  let start = 0;
  return parts.map(({ id, rows }) => {
    const matrixPage = 1 + Math.floor(start / size);
    start += rows.length;
    return { id, nRows: rows.length, matrixPage };
  });
}

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
) {
  const plain = groups.map((_, index) => createCell(task, attempts[index] ?? [], key, filter));
  const baseline = plain[0]?.mean ?? null;
  const cells = plain.map((cell) => ({
    ...cell,
    /** Sign of the mean minus the baseline's; null if either has none. */
    versus: cell.mean === null || baseline === null ? null : compareTaskMeans(cell.mean, baseline),
  }));
  const means = cells.map((cell) => cell.mean);
  const [first, ...others] = means.filter((mean) => mean !== null);
  const isComplete = first !== undefined && !means.includes(null);
  return {
    task,
    cells,
    /** The best of the other means minus the first group's; null unless every group has a mean. */
    difference: isComplete ? Math.max(...others) - first : null,
    /** True if any two means differ; false if a group has none. */
    isDiffering: isComplete && others.some((other) => compareTaskMeans(other, first) !== 0),
    flaky: groups
      .filter((_, index) => {
        const { c = 0, n = 0 } = cells[index] ?? {};
        return c > 0 && c < n;
      })
      .map(({ label }) => label),
  };
}

function createCell(task: string, trials: readonly ComparedTrial[], key: string, filter: CompareFilter) {
  const values = trials.filter((trial) => trial.counts).map((trial) => readRewardAt(trial, key));
  const counts = countSuccesses([{ task, values }], filter)[0];
  const complete = applyMissingRule([{ task, values }], filter.missing).tasks[0];
  const costs = computeDistribution(trials.map((trial) => trial.tokens.costUsd));
  return {
    n: counts?.n ?? 0,
    c: counts?.c ?? 0,
    /** Over the attempts that count; null if none does, or one is infinite. */
    mean: complete?.values.every(Number.isFinite) ? computeMean(complete.values) : null,
    /** Mean US dollars of the attempts that report a cost; null if none does. */
    costUsd: costs.kind === "computed" ? costs.mean : null,
  };
}

function createAttempt(
  trial: ComparedTrial,
  key: string,
  threshold: number,
  { amount, ...colour }: ReturnType<MarkColouring["describe"]>,
  verdict: AttemptVerdict | null,
): CellMark {
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

/** Decides the outcome under the chosen key and threshold: passing comes first, then an exception. */
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

interface TaskStand {
  readonly standing: TaskStanding;
  readonly spending: TaskSpending;
}

type Stand = Readonly<Record<"mean" | "spent", number | null>>;

/** Compares a group with the baseline at a task; null if one has no mean reward. */
function findStand(other: Stand, baseline: Stand): TaskStand | null {
  if (other.mean === null || baseline.mean === null) return null;
  return {
    standing: STANDINGS[compareTaskMeans(other.mean, baseline.mean)],
    spending:
      other.spent === null || baseline.spent === null
        ? "unknown"
        : SPENDINGS[compareTaskMeans(other.spent, baseline.spent)],
  };
}

const STANDINGS = { "1": "ahead", "0": "level", "-1": "behind" } as const;
const SPENDINGS = { "1": "more", "0": "same", "-1": "less" } as const;

/** Counts tasks by standing and spending; null entries count in `nApart`. */
function countStands(stands: Iterable<TaskStand | null>) {
  const none = () =>
    Object.fromEntries(TASK_SPENDINGS.map((one) => [one, 0])) as Record<TaskSpending, number>; // Every one is there.
  const counts = { ahead: none(), level: none(), behind: none() };
  let nApart = 0;
  for (const stand of stands)
    if (stand === null) nApart++;
    else counts[stand.standing][stand.spending]++;
  return { counts, nApart };
}

function fitsChange(stand: TaskStand | null, change: TaskChange): boolean {
  if (change === "any") return true;
  const { standing, spending } = readTaskChange(change);
  return (
    stand !== null &&
    (standing === null || stand.standing === standing) &&
    (spending === null || stand.spending === spending)
  );
}

interface OrderedRow {
  readonly task: string;
  readonly difference: number | null;
  /** True if any two means differ; false if a group has none. */
  readonly isDiffering: boolean;
  readonly cells: readonly { readonly mean: number | null; readonly costUsd: number | null }[];
}

interface MatrixHeading {
  readonly id: "better" | "worse" | "tied" | "apart" | "all" | "family";
  readonly family: string | null;
}

interface DividedRows<Row> extends MatrixHeading {
  readonly rows: readonly Row[];
}

/** Sorts unknown values last. Among equal values the higher means come first. */
function compareRows(filter: CompareFilter): (a: OrderedRow, b: OrderedRow) => number {
  const sign = filter.descending ? -1 : 1;
  const byName = (a: OrderedRow, b: OrderedRow) => compareNames(a.task, b.task);
  if (filter.sort === "task") return (a, b) => sign * byName(a, b);
  const read = createReader(filter.sort);
  return (a, b) => {
    const left = read(a);
    const right = read(b);
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || byName(a, b);
    return sign * compareTaskMeans(left, right) || compareTotals(a, b) || byName(a, b);
  };
}

function createReader(sort: CompareFilter["sort"]): (row: OrderedRow) => number | null {
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
  const average = (values: readonly number[]) => (values.length === 0 ? null : computeMean(values));
  switch (sort) {
    case "difference":
      return ({ difference }) => difference;
    case "difficulty":
      return ({ cells }) => {
        const mean = average(known(cells.map((cell) => cell.mean)));
        return mean === null ? null : -mean;
      };
    case "disagreement":
      return ({ cells }) => {
        const means = known(cells.map((cell) => cell.mean));
        return means.length < 2 ? null : Math.max(...means) - Math.min(...means);
      };
    case "cost":
      return ({ cells }) => average(known(cells.map((cell) => cell.costUsd)));
    case "task":
      return () => null;
    default:
      return ({ cells }) => cells.find((_, at) => nameGroupSort(at) === sort)?.mean ?? null;
  }
}

function compareTotals(a: OrderedRow, b: OrderedRow): number {
  const total = (row: OrderedRow) => row.cells.reduce((sum, cell) => sum + (cell.mean ?? 0), 0);
  return compareTaskMeans(total(b), total(a));
}

function divideRows<Row extends OrderedRow>(
  rows: readonly Row[],
  { by, sort, descending }: CompareFilter,
): readonly DividedRows<Row>[] {
  if (by === "family") return divideByFamily(rows);
  if (sort !== "difference") return [{ id: "all", family: null, rows }];
  const pick = (id: MatrixHeading["id"], isOwn: (row: Row) => boolean): DividedRows<Row> => ({
    id,
    family: null,
    rows: rows.filter(isOwn),
  });
  const isBetter = ({ difference }: Row) => difference !== null && compareTaskMeans(difference, 0) > 0;
  const better = pick("better", isBetter);
  // Losses start with the largest as well.
  const worse = pick("worse", (row) => row.isDiffering && !isBetter(row));
  const ordered = [
    { ...better, rows: better.rows.toSorted(compareSizes) },
    { ...worse, rows: worse.rows.toSorted(compareSizes) },
  ];
  return [
    ...(descending ? ordered : ordered.toReversed()),
    pick("tied", ({ difference, isDiffering }) => difference !== null && !isDiffering),
    pick("apart", ({ difference }) => difference === null),
  ].filter((part) => part.rows.length > 0);
}

/** Largest gain or loss first. Among equal ones, the most groups of that side, then the name. */
function compareSizes(a: OrderedRow, b: OrderedRow): number {
  const [left, right] = [a.difference ?? 0, b.difference ?? 0];
  const sign = compareTaskMeans(left, 0) > 0 ? 1 : -1;
  return sign * compareTaskMeans(right, left) || sign * compareTotals(a, b) || compareNames(a.task, b.task);
}

function divideByFamily<Row extends OrderedRow>(rows: readonly Row[]): readonly DividedRows<Row>[] {
  const families = Map.groupBy(rows, ({ task }) => findTaskFamily(task));
  return [...families]
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([family, own]) => ({ id: "family", family, rows: own }));
}

type MarkColouring = ReturnType<typeof createColouring>;

function createColouring(groups: readonly ChosenGroup[], key: string, colour: MarkColour) {
  const isStated = (one: MarkColour) =>
    one === "outcome" ||
    one === colour ||
    groups.some(({ trials }) => trials.some((trial) => readAmount(trial, key, one) !== null));
  const measure = colour === "outcome" ? null : colour;
  const read = (trial: ComparedTrial) => measure && readAmount(trial, key, measure);
  /** Over all attempts, including those of tasks not shown; null if marks show outcomes. */
  const scale =
    measure &&
    prepareMarkScale(
      groups.flatMap(({ trials }) => trials.map(read)),
      measure,
    );
  return {
    colours: { options: MARK_COLOURS.filter(isStated), scale },
    /** The amount is null if it adds nothing to the attempt's title. */
    describe: (trial: ComparedTrial): { readonly level?: number | null; readonly amount: string | null } => {
      if (measure === null || scale === null) return { amount: null };
      const amount = readAmount(trial, key, measure);
      return { level: findLevel(scale, amount), amount: nameAmount(amount, measure) };
    },
    describeCell: (trials: readonly ComparedTrial[]): { readonly spent?: string | null } => {
      if (measure === null || measure === "reward") return {};
      const mean = computeMeanAmount(trials, key, measure);
      return { spent: mean === null ? null : formatAmount(mean, measure) };
    },
  };
}

/** Computes the mean of the attempts that state an amount: a reward, US dollars, milliseconds or tokens. Null if none does. */
function computeMeanAmount(
  trials: readonly ComparedTrial[],
  key: string,
  measure: MarkMeasure,
): number | null {
  const spread = computeDistribution(trials.map((trial) => readAmount(trial, key, measure)));
  return spread.kind === "computed" ? spread.mean : null;
}

function readAmount(trial: ComparedTrial, key: string, measure: MarkMeasure): number | null {
  switch (measure) {
    case "reward":
      return readRewardAt(trial, key);
    case "cost":
      return trial.tokens.costUsd;
    case "time":
      return trial.durationMs;
    case "tokens":
      return trial.nTokens;
  }
}

const UNKNOWN: Readonly<Record<MarkMeasure, string>> = {
  reward: "no reward",
  cost: "cost unknown",
  time: "time unknown",
  tokens: "tokens unknown",
};

/** Titles already show a known reward. */
function nameAmount(amount: number | null, measure: MarkMeasure): string | null {
  if (amount === null) return UNKNOWN[measure];
  if (measure === "reward") return null;
  return measure === "tokens" ? `${formatAmount(amount, measure)} tokens` : formatAmount(amount, measure);
}
