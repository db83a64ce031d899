import { countAddressBytes, countPackedBytes, takeFittingEach } from "@/lib/domain/page-bytes";
import type { ListPart } from "@/lib/domain/list-page";
import type { Outcome } from "@/lib/domain/trial";
import { formatCost, formatCount, formatReward, MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { TasksPanel } from "@/lib/queries/job/tasks";

type Row = TasksPanel["rows"][number];
type AttemptMark = NonNullable<Row["cells"][number]>["attempts"][number];

/** One attempt: the key of its trial (null without a folder), its number, how it ended, and its exception. */
export type AttemptLine = readonly [
  key: string | null,
  attempt: number,
  outcome: Outcome,
  exception?: string | null,
  /** The verifier may have crashed. */
  isSuspect?: true,
];

/** The attempts of one group. */
export interface CellLine {
  readonly attempts: readonly AttemptLine[];
  /** Attempts that are not among them; absent when none is left out. */
  readonly nMore?: number;
  readonly nPassed: number;
  readonly nEnded: number;
}

/** One task as the table shows it, in texts; see `TrialLine` for why. */
export interface TaskLine {
  readonly task: string;
  /** One per group that has a column; null where a group has no attempt. */
  readonly cells: readonly (CellLine | null)[];
  /** Null when no attempt ended. */
  readonly nPassed: number | null;
  /** Present in a job with partial rewards only; a dash when no attempt has one. */
  readonly reward?: string;
  readonly pattern: string;
  /** Whether the pattern deserves a look. */
  readonly isMixed: boolean;
  /** Judged attempts, and those judged against the verifier; null when the annotations cannot be read. */
  readonly reviews: readonly [nReviewed: number, nDisagree: number] | null;
  readonly cost: string;
  readonly duration: string;
}

/** Bytes of all marks of a page, and what a mark takes beside its texts. */
const MAX_MARKS_BYTES = 900_000;
const MARK_BYTES = 250;

/** The rows of a page of tasks as texts; of attempts as many as a page holds, spread evenly over the cells. */
export function prepareTaskLines(
  { rows: all, ...panel }: Pick<TasksPanel, "rows" | "isPartial" | "suspects">,
  /** The groups that have columns. */
  { from, shown: nGroups }: ListPart,
): TaskLine[] {
  const rows = all.map((row) => ({ ...row, cells: row.cells.slice(from, from + nGroups) }));
  const attempts = rows.flatMap(({ cells }) => cells.map((cell) => cell?.attempts ?? []));
  const shown = takeFittingEach(attempts, MAX_MARKS_BYTES, countMarkBytes);
  let nCells = 0;
  return rows.map((task) => {
    const own = shown.slice(nCells, (nCells += task.cells.length));
    return prepareTaskLine(task, panel, own);
  });
}

/** The name of the trial is sent as it is and as an address, that of the exception as it is. */
function countMarkBytes({ key, exceptionType }: AttemptMark): number {
  return MARK_BYTES + countAddressBytes(key) + countPackedBytes(key) + countPackedBytes(exceptionType ?? "");
}

function prepareTaskLine(
  task: Row,
  { isPartial, suspects }: Pick<TasksPanel, "isPartial" | "suspects">,
  shown: readonly (readonly AttemptMark[])[],
): TaskLine {
  const { reviews, pattern } = task;
  return {
    task: task.taskName,
    cells: task.cells.map((cell, at) =>
      cell === null ? null : prepareCell(cell, shown[at] ?? [], suspects),
    ),
    nPassed: task.nEnded === 0 ? null : task.nPassed,
    ...(isPartial ? { reward: formatReward(task.meanReward) } : {}),
    pattern: describePattern(task),
    isMixed: pattern === "flaky" || pattern === "split",
    reviews: reviews === null ? null : [reviews.nJudged, reviews.nDisagreeing],
    cost: formatCost(task.meanCostUsd),
    duration: formatDuration(task.medianDurationMs),
  };
}

function prepareCell(
  { attempts, nPassed, nEnded }: NonNullable<Row["cells"][number]>,
  shown: readonly AttemptMark[],
  suspects: ReadonlySet<string>,
): CellLine {
  const nMore = attempts.length - shown.length;
  return {
    attempts: shown.map((attempt) => prepareAttempt(attempt, suspects)),
    ...(nMore === 0 ? {} : { nMore }),
    nPassed,
    nEnded,
  };
}

function prepareAttempt(
  { key, hasFolder, attempt, outcome, exceptionType }: AttemptMark,
  suspects: ReadonlySet<string>,
): AttemptLine {
  const place = hasFolder ? key : null;
  if (suspects.has(key)) return [place, attempt, outcome, exceptionType, true];
  return exceptionType === null ? [place, attempt, outcome] : [place, attempt, outcome, exceptionType];
}

function describePattern({ pattern, nFlaky, nGroups }: Row): string {
  if (pattern === null) return MISSING;
  return pattern === "flaky" && nGroups > 1
    ? `flaky, ${formatCount(nFlaky)} of ${formatCount(nGroups)}`
    : pattern;
}
