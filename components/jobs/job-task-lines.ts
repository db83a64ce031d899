import type { Outcome } from "@/lib/domain/trial";
import { formatCost, formatCount, formatReward, MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { TasksPanel } from "@/lib/queries/job-page-tasks";

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
  /** One per group of the job; null where a group has no attempt. */
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

/** Characters of all marks of a page, and what a mark takes beside its texts. */
const MAX_MARK_CHARS = 1_500_000;
const MARK_CHARS = 250;

/** The rows of a page of tasks as texts; of attempts as many as a page holds, spread evenly over the cells. */
export function prepareTaskLines(panel: Pick<TasksPanel, "rows" | "isPartial" | "suspects">): TaskLine[] {
  const cells = panel.rows.flatMap((row) => row.cells);
  const size = cells.reduce(
    (sum, cell) => (cell?.attempts ?? []).reduce((inner, attempt) => inner + measureMark(attempt), sum),
    0,
  );
  const maxChars = size <= MAX_MARK_CHARS ? size : MAX_MARK_CHARS / cells.length;
  return panel.rows.map((task) => prepareTaskLine(task, panel, maxChars));
}

/** Names are in the address of a mark and in its words. */
function measureMark({ key, exceptionType }: AttemptMark): number {
  return MARK_CHARS + 2 * (key.length + (exceptionType?.length ?? 0));
}

function prepareTaskLine(
  task: Row,
  { isPartial, suspects }: Pick<TasksPanel, "isPartial" | "suspects">,
  maxChars: number,
): TaskLine {
  const { reviews, pattern } = task;
  return {
    task: task.taskName,
    cells: task.cells.map((cell) => (cell === null ? null : prepareCell(cell, suspects, maxChars))),
    nPassed: task.nEnded === 0 ? null : task.nPassed,
    ...(isPartial ? { reward: formatReward(task.meanReward) } : {}),
    pattern: describePattern(task),
    isMixed: pattern === "flaky" || pattern === "split",
    reviews: reviews === null ? null : [reviews.nReviewed, reviews.nDisagree],
    cost: formatCost(task.meanCostUsd),
    duration: formatDuration(task.medianDurationMs),
  };
}

function prepareCell(
  { attempts, nPassed, nEnded }: NonNullable<Row["cells"][number]>,
  suspects: ReadonlySet<string>,
  maxChars: number,
): CellLine {
  let left = maxChars;
  const end = attempts.findIndex((attempt) => (left -= measureMark(attempt)) < 0);
  const shown = end === -1 ? attempts : attempts.slice(0, Math.max(1, end));
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
