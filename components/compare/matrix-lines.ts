import { countAddressBytes, countPackedBytes, takeFittingEach } from "@/lib/domain/page-bytes";
import type { Outcome } from "@/lib/domain/trial";
import { formatDifference, MISSING } from "@/lib/format/number";
import type { Comparison } from "@/lib/queries/compare/page";
import type { MatrixAttempt, MatrixCell, MatrixPart, MatrixRow } from "@/lib/queries/compare/matrix";

/** One attempt: the key of its trial (null without a page), its number, how it ended, and what else is said of it. */
export type MatrixMark = readonly [
  key: string | null,
  attempt: number,
  outcome: Outcome,
  detail: string,
  /** The verifier may have crashed. */
  isSuspect?: true,
];

/** The attempts of one group at a task. */
export interface MatrixCellLine {
  readonly marks: readonly MatrixMark[];
  /** Attempts that are not among them. */
  readonly nMore: number;
  readonly n: number;
  readonly c: number;
  readonly mean: number | null;
}

/** One task as the table shows it, in texts. */
export interface MatrixLine {
  readonly task: string;
  readonly cells: readonly MatrixCellLine[];
  readonly difference: string;
  /** Absent where no group attempted a task twice; the words, and the groups they are of. */
  readonly flaky?: readonly [words: string, groups: string];
  /** Absent but for two groups with costs; the words are a dash where one is unknown. */
  readonly cost?: readonly [words: string, title?: string];
}

/** The rows under one heading of a page. */
export interface MatrixLines {
  readonly id: MatrixPart["id"];
  /** On all pages. */
  readonly nRows: number;
  readonly lines: readonly MatrixLine[];
}

/** More marks than this in one cell are counted instead of drawn. */
const MOST_MARKS = 12;
/** Bytes of all marks of a page, and what a mark takes beside its texts. */
const MAX_MARKS_BYTES = 1_000_000;
const MARK_BYTES = 220;

/** The rows of a page as texts; of attempts as many as a page holds, spread evenly over the cells. */
export function prepareMatrixLines(comparison: Comparison): readonly MatrixLines[] {
  const { matrix, groups } = comparison;
  const jobBytes = Math.max(...groups.map(({ entry }) => countAddressBytes(entry.job.key)));
  const cells = matrix.parts.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const shown = takeFittingEach(
    cells.map(({ attempts }) => attempts.slice(0, MOST_MARKS)),
    MAX_MARKS_BYTES,
    (attempt) => jobBytes + countMarkBytes(attempt),
  );
  const marks = new Map(cells.map((cell, at) => [cell, shown[at] ?? []]));
  return matrix.parts.map(({ id, nRows, rows }) => ({
    id,
    nRows,
    lines: rows.map((row) => prepareLine(row, comparison, marks)),
  }));
}

/** The name of the trial is sent as it is and as an address. */
function countMarkBytes({ key, detail = "" }: MatrixAttempt): number {
  return MARK_BYTES + countAddressBytes(key ?? "") + countPackedBytes(key ?? "") + countPackedBytes(detail);
}

function prepareLine(
  row: MatrixRow,
  { groups, pairs, matrix }: Comparison,
  marks: ReadonlyMap<MatrixCell, readonly MatrixAttempt[]>,
): MatrixLine {
  return {
    task: row.task,
    cells: row.cells.map((cell) => prepareCell(cell, marks.get(cell) ?? [])),
    difference: formatRowDifference(row.difference, matrix),
    ...(matrix.hasRepeats
      ? { flaky: [describeFlaky(row, groups.length), row.flaky.join(", ")] as const }
      : {}),
    ...(pairs.length === 1 && matrix.hasCost ? { cost: prepareCost(row) } : {}),
  };
}

function prepareCell({ attempts, n, c, mean }: MatrixCell, shown: readonly MatrixAttempt[]): MatrixCellLine {
  return {
    marks: shown.map(({ key, attempt, outcome, detail = "", isSuspect }) =>
      isSuspect === true ? [key, attempt, outcome, detail, true] : [key, attempt, outcome, detail],
    ),
    nMore: attempts.length - shown.length,
    n,
    c,
    mean,
  };
}

function formatRowDifference(
  difference: number | null,
  { scale, pointDecimals }: Comparison["matrix"],
): string {
  if (difference === null) return MISSING;
  const isRate = scale.high <= 1 && scale.low >= 0;
  const isZero = Math.abs(difference) < 1e-9;
  const text = formatDifference(isZero ? 0 : difference, isRate);
  return isRate && pointDecimals === 0 ? text.replace(/\.0$/, "") : text;
}

function describeFlaky(row: MatrixRow, nGroups: number): string {
  if (row.flaky.length === 0) return "none";
  if (row.flaky.length === nGroups) return nGroups === 2 ? "both" : "all";
  return row.flaky.length === 1 ? (row.flaky[0] ?? "") : `${row.flaky.length} of ${nGroups}`;
}

function prepareCost({ cells }: MatrixRow): NonNullable<MatrixLine["cost"]> {
  const first = cells[0]?.costUsd ?? null;
  const second = cells[1]?.costUsd ?? null;
  if (first === null || second === null) return [MISSING];
  const text = Math.abs(first - second).toFixed(2);
  const sign = Number(text) === 0 ? "" : first > second ? "+" : "−";
  return [`${sign}${text}`, `Mean cost of an attempt: ${first.toFixed(4)} against ${second.toFixed(4)}`];
}
