import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import { JOB_PAGE_ROWS, type JobFilter, TASK_PATTERNS, type TaskPattern } from "@/lib/domain/job-filter";
import type { Outcome, TrialRecord } from "@/lib/domain/trial";
import { computeDistribution } from "@/lib/stats";

import { countValues, type FacetValue, paginate, sortByKey, type TablePage } from "./job-page-table";
import { type Reviews, readReviews } from "./job-page-reviews";
import { getTrialRows, readReward, type TrialRow } from "./job-page-rows";

/** The attempts of one group at one task, in attempt order. */
export interface TaskCell {
  readonly attempts: readonly TrialRecord[];
  readonly nPassed: number;
  /** Attempts with a result: running, missing and unreadable ones are neither passed nor failed. */
  readonly nEnded: number;
}

/** One task of a job over all its groups. */
export interface TaskRow {
  readonly taskName: string;
  /** One per group of the job, in the job's group order; null where a group has no attempt at the task. */
  readonly cells: readonly (TaskCell | null)[];
  readonly nPassed: number;
  readonly nEnded: number;
  readonly pattern: TaskPattern | null;
  /** Groups that passed some attempts but not all, of the groups that tried. */
  readonly nFlaky: number;
  readonly nGroups: number;
  /** Mean headline reward of the finished attempts that have one; null when none has. */
  readonly meanReward: number | null;
  readonly meanCostUsd: number | null;
  readonly medianDurationMs: number | null;
}

/** What reviewers did on the attempts at a task. */
export interface TaskReviews {
  readonly nReviewed: number;
  readonly nDisagree: number;
}

/** The tasks tab. */
export interface TasksPanel extends TablePage<TaskRow & { readonly reviews: TaskReviews | null }> {
  readonly nTasks: number;
  /** Whether any attempt has a reward between 0 and 1, which passes do not tell. */
  readonly isPartial: boolean;
  readonly patterns: readonly FacetValue<TaskPattern>[];
  readonly outcomes: readonly FacetValue<Outcome>[];
  readonly exceptions: readonly FacetValue<string>[];
}

const known = new WeakMap<JobEntry, readonly TaskRow[]>();

/** The tasks of a job that fit the filter, sorted, one page of them. Facet counts are of tasks over the whole job. */
export async function getTasksPanel(entry: JobEntry, filter: JobFilter): Promise<TasksPanel> {
  const tasks = getTaskRows(entry);
  const isReviewNeeded = filter.judgments.length > 0 || filter.taskSort === "reviewed";
  const reviews = isReviewNeeded ? await readReviews(entry, entry.trials) : null;
  const matching = tasks.filter((task) => matchesTask(task, filter, reviews));
  const sorted = sortTasks(matching, filter, reviews);
  const page = paginate(sorted, filter.page, JOB_PAGE_ROWS);
  const pageReviews = reviews ?? (await readReviews(entry, page.rows.flatMap(listAttempts)));
  return {
    ...page,
    rows: page.rows.map((task) => ({ ...task, reviews: countReviews(task, pageReviews) })),
    nTasks: tasks.length,
    isPartial: entry.trials.some((trial) => trial.outcome === "partial"),
    patterns: countValues(tasks, (task) => (task.pattern === null ? [] : [task.pattern])).toSorted(
      (a, b) => TASK_PATTERNS.indexOf(a.value) - TASK_PATTERNS.indexOf(b.value),
    ),
    outcomes: countValues(tasks, (task) => listAttempts(task).map((trial) => trial.outcome)),
    exceptions: countValues(tasks, (task) =>
      listAttempts(task).flatMap((trial) => trial.exception?.type ?? []),
    ),
  };
}

function getTaskRows(entry: JobEntry): readonly TaskRow[] {
  const cached = known.get(entry);
  if (cached !== undefined) return cached;
  const groupKeys = entry.report.groups.map((group) => group.key);
  const tasks = [...Map.groupBy(getTrialRows(entry).all, ({ trial }) => trial.taskName)].map(
    ([taskName, rows]) => toTask(taskName, rows, groupKeys),
  );
  known.set(entry, tasks);
  return tasks;
}

function toTask(taskName: string, rows: readonly TrialRow[], groupKeys: readonly string[]): TaskRow {
  const byGroup = Map.groupBy(rows, (row) => row.groupKey);
  const cells = groupKeys.map((key) => {
    const attempts = byGroup.get(key)?.map((row) => row.trial);
    return attempts === undefined ? null : toCell(attempts);
  });
  const tried = cells.filter((cell) => cell !== null && cell.nEnded > 0).filter((cell) => cell !== null);
  const nFlaky = tried.filter((cell) => cell.nPassed > 0 && cell.nPassed < cell.nEnded).length;
  const rewards = computeDistribution(rows.map(({ trial }) => Number(readReward(trial, null) ?? NaN)));
  const costs = computeDistribution(rows.map(({ trial }) => trial.tokens.costUsd));
  const durations = computeDistribution(rows.map((row) => row.durationMs));
  return {
    taskName,
    cells,
    nPassed: tried.reduce((sum, cell) => sum + cell.nPassed, 0),
    nEnded: tried.reduce((sum, cell) => sum + cell.nEnded, 0),
    pattern: classifyPattern(tried),
    nFlaky,
    nGroups: tried.length,
    meanReward: rewards.kind === "computed" ? rewards.mean : null,
    meanCostUsd: costs.kind === "computed" ? costs.mean : null,
    medianDurationMs: durations.kind === "computed" ? durations.median : null,
  };
}

function toCell(attempts: readonly TrialRecord[]): TaskCell {
  return {
    attempts: attempts.toSorted((a, b) => a.attempt - b.attempt),
    nPassed: attempts.filter((trial) => trial.outcome === "passed").length,
    nEnded: attempts.filter((trial) => trial.state === "finished").length,
  };
}

/** See {@link TASK_PATTERNS}; null when nobody has an ended attempt. */
export function classifyPattern(
  cells: readonly { readonly nPassed: number; readonly nEnded: number }[],
): TaskPattern | null {
  if (cells.length === 0) return null;
  if (cells.every((cell) => cell.nPassed === cell.nEnded)) return "always";
  if (cells.every((cell) => cell.nPassed === 0)) return "never";
  return cells.some((cell) => cell.nPassed > 0 && cell.nPassed < cell.nEnded) ? "flaky" : "split";
}

function listAttempts(task: TaskRow): readonly TrialRecord[] {
  return task.cells.flatMap((cell) => cell?.attempts ?? []);
}

function countReviews(task: TaskRow, reviews: Reviews): TaskReviews | null {
  if (reviews === null) return null;
  const found = listAttempts(task).flatMap((trial) => reviews.get(trial.key) ?? []);
  return { nReviewed: found.length, nDisagree: found.filter((one) => one.disagrees).length };
}

function matchesTask(task: TaskRow, filter: JobFilter, reviews: Reviews): boolean {
  const has = (fits: (trial: TrialRecord) => boolean) => listAttempts(task).some(fits);
  if (!task.taskName.toLowerCase().includes(filter.text.toLowerCase())) return false;
  if (filter.patterns.length > 0 && (task.pattern === null || !filter.patterns.includes(task.pattern)))
    return false;
  if (filter.outcomes.length > 0 && !has((trial) => filter.outcomes.includes(trial.outcome))) return false;
  if (
    filter.exceptions.length > 0 &&
    !has((trial) => filter.exceptions.includes(trial.exception?.type ?? ""))
  ) {
    return false;
  }
  return filter.judgments.length === 0 || matchesReviews(countReviews(task, reviews), filter.judgments);
}

/** For a task `none` means that no attempt was reviewed, anything else that some attempt was. */
function matchesReviews(reviews: TaskReviews | null, wanted: JobFilter["judgments"]): boolean {
  if (reviews === null) return false;
  return wanted.some((filter) => {
    if (filter === "none") return reviews.nReviewed === 0;
    return filter === "disagrees" ? reviews.nDisagree > 0 : reviews.nReviewed > 0;
  });
}

/** What each sorting of the tasks reads; null is unknown. */
const SORT_KEYS: Readonly<
  Record<JobFilter["taskSort"], (task: TaskRow, reviews: Reviews) => number | string | null>
> = {
  task: (task) => task.taskName,
  passed: (task) => (task.nEnded === 0 ? null : task.nPassed / task.nEnded),
  reviewed: (task, reviews) => countReviews(task, reviews)?.nReviewed ?? null,
  reward: (task) => task.meanReward,
  cost: (task) => task.meanCostUsd,
  duration: (task) => task.medianDurationMs,
};

function sortTasks(tasks: readonly TaskRow[], filter: JobFilter, reviews: Reviews): readonly TaskRow[] {
  const byName = tasks.toSorted((a, b) => (a.taskName < b.taskName ? -1 : 1));
  return sortByKey(byName, (task) => SORT_KEYS[filter.taskSort](task, reviews), filter.descending);
}
