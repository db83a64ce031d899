import { sql, type SqlBool } from "kysely";

import type { TaskPattern } from "@/lib/domain/job-filter";
import { type ListPage, type ListRange, takePage } from "@/lib/domain/list-page";

import { contains, isAmong, readListPage, readRowsAt } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { TaskCell } from "../schema/stored-values";
import type { Stored } from "../schema/tables";

/** Which tasks of a job. Empty lists and an empty text mean no filter. */
export interface TaskSelection {
  readonly text: string;
  readonly patterns: readonly string[];
  /** Whether groups are divided by agent settings; patterns are then those of the parts. */
  readonly isDivided: boolean;
  /** Some attempt at the task had one of these. */
  readonly outcomes: readonly string[];
  readonly exceptions: readonly string[];
  /** Names that the task's must be among; null for any. */
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
}

export type TaskSort = "position" | "passedShare" | "meanReward" | "meanCostUsd" | "medianDurationMs";

/** One task of a job over all its groups. */
export interface TaskRow {
  /** In the natural order of the job's task names, from 0. */
  readonly position: number;
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

/** One page of a job's tasks that fit, sorted; equals by name. */
export async function readTasks(
  store: IndexStore,
  jobRowId: number,
  selection: TaskSelection,
  sort: { readonly by: TaskSort; readonly descending: boolean },
  range: ListRange,
): Promise<ListPage<TaskRow>> {
  const list = selectTasks(store, jobRowId, selection).select("position");
  const order = [{ column: sort.by, descending: sort.descending }, { column: "position" }];
  return completeTasks(store, jobRowId, selection, await readListPage(list, order, range));
}

/** The same by a count of each task, such as of its judged attempts; 0 for a name that has none. */
export async function readTasksByCount(
  store: IndexStore,
  jobRowId: number,
  selection: TaskSelection,
  sort: { readonly by: ReadonlyMap<string, number>; readonly descending: boolean },
  range: ListRange,
): Promise<ListPage<TaskRow>> {
  const list = selectTasks(store, jobRowId, selection).select(["position", "taskName"]);
  const countOf = ({ taskName }: { readonly taskName: string }) => sort.by.get(taskName) ?? 0;
  const sign = sort.descending ? -1 : 1;
  const byName = await list.orderBy("position").execute();
  const sorted = byName.toSorted((a, b) => sign * (countOf(a) - countOf(b)));
  return completeTasks(store, jobRowId, selection, takePage(sorted, range));
}

async function completeTasks(
  store: IndexStore,
  jobRowId: number,
  selection: TaskSelection,
  page: ListPage<{ readonly position: number }>,
): Promise<ListPage<TaskRow>> {
  const positions = page.rows.map(({ position }) => position);
  const rows = await readRowsAt(store, "tasks", jobRowId, positions);
  return { ...page, rows: rows.map((row) => toTask(row, selection)) };
}

function selectTasks(store: IndexStore, jobRowId: number, selection: TaskSelection) {
  let list = store.db.selectFrom("tasks").where("tasks.jobRowId", "=", jobRowId);
  if (selection.text !== "") list = list.where(contains("tasks.search", selection.text.toLowerCase()));
  if (selection.patterns.length > 0)
    list = list.where(isAmong(store, patternOf(selection), selection.patterns));
  if (selection.only !== null) list = list.where(isAmong(store, "tasks.taskName", selection.only));
  if (selection.except.length > 0) {
    list = list.where(sql<SqlBool>`not ${isAmong(store, "tasks.taskName", selection.except)}`);
  }
  for (const [column, values] of [
    ["trials.outcome", selection.outcomes],
    ["trials.exceptionType", selection.exceptions],
  ] as const) {
    if (values.length === 0) continue;
    list = list.where("tasks.taskName", "in", (inner) =>
      inner
        .selectFrom("trials")
        .select("trials.taskName")
        .where("trials.jobRowId", "=", jobRowId)
        .where(isAmong(store, column, values)),
    );
  }
  return list;
}

/** A job without a divided group has no patterns of parts. */
function patternOf({ isDivided }: TaskSelection): "tasks.setupPattern" | "tasks.pattern" {
  return isDivided ? "tasks.setupPattern" : "tasks.pattern";
}

function toTask(row: Stored<"tasks">, { isDivided }: Pick<TaskSelection, "isDivided">): TaskRow {
  const { position, taskName, nPassed, nEnded, meanReward, meanCostUsd, medianDurationMs } = row;
  const cells = decodeValue(isDivided ? (row.setupCells ?? row.cells) : row.cells);
  const tried = cells.filter((cell) => cell !== null).filter((cell) => cell.nEnded > 0);
  return {
    ...{ position, taskName, nPassed, nEnded, meanReward, meanCostUsd, medianDurationMs, cells },
    pattern: isDivided ? row.setupPattern : row.pattern,
    nFlaky: tried.filter((cell) => cell.nPassed > 0 && cell.nPassed < cell.nEnded).length,
    nGroups: tried.length,
  };
}
