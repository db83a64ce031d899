import "server-only";
import { nameGroupSort } from "@/lib/core/domain/compare-filter";
import { compareNames } from "@/lib/core/domain/compare-text";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { compareTaskMeans, computeMean } from "@/lib/core/stats";
import type { CompareFilter } from "@/lib/pages/compare/address";

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

export interface DividedRows<Row> extends MatrixHeading {
  readonly rows: readonly Row[];
}

/** Sorts unknown values last. Among equal values the higher means come first. */
export function compareRows(filter: CompareFilter): (a: OrderedRow, b: OrderedRow) => number {
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

export function divideRows<Row extends OrderedRow>(
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
