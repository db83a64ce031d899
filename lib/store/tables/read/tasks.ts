import { type SqlBool, sql } from "kysely";

import { type ListPage, type ListRange, takePage } from "@/lib/core/domain/list-page";
import type { Figure } from "@/lib/core/domain/verification";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { type SortKey, contains, isAmong, readListPage, writeOrder } from "./query";

/** Empty lists and an empty text mean no filter. */
export interface TaskSelection {
  readonly text: string;
  readonly patterns: readonly string[];
  readonly isDivided: boolean;
  readonly outcomes: readonly string[];
  readonly exceptions: readonly string[];
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
}

export type TaskSort = "position" | "passedShare" | "meanReward" | "meanCostUsd" | "medianDurationMs";

/**
 * `nFlaky` counts groups that passed some but not all attempts. `meanReward` is over the finished attempts with a headline reward;
 * null when none has one.
 */
export type TaskRow = ReturnType<typeof toTask>;

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
  const rows = await store.db
    .selectFrom("tasks")
    .selectAll()
    .where("jobRowId", "=", jobRowId)
    .where(isAmong(store, "position", positions))
    .execute();
  const byPosition = new Map(rows.map((row) => [row.position, toTask(row, selection)]));
  return { ...page, rows: positions.flatMap((position) => byPosition.get(position) ?? []) };
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

function patternOf({ isDivided }: TaskSelection): "tasks.setupPattern" | "tasks.pattern" {
  return isDivided ? "tasks.setupPattern" : "tasks.pattern";
}

function toTask(row: Stored<"tasks">, { isDivided }: Pick<TaskSelection, "isDivided">) {
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

/** Empty lists and an empty text mean no filter. */
interface FigureSelection {
  readonly text: string;
  readonly verdicts: readonly string[];
  readonly kinds: readonly string[];
  readonly groups: readonly string[];
  readonly path: string | null;
}

export type FigureRow = Awaited<ReturnType<typeof readFiguresOfKind>>[number];

export async function readFigures(
  store: IndexStore,
  jobRowId: number,
  selection: FigureSelection,
  range: ListRange,
): Promise<ListPage<FigureRow>> {
  let list = store.db.selectFrom("figures").where("jobRowId", "=", jobRowId);
  if (selection.text !== "") list = list.where(contains("figures.search", selection.text.toLowerCase()));
  const { verdicts: verdict, kinds: kind, groups: groupKey } = selection;
  for (const [column, values] of Object.entries({ verdict, kind, groupKey }))
    if (values.length > 0) list = list.where(isAmong(store, column, values));
  if (selection.path !== null) list = list.where("path", "=", toColumnText(selection.path));
  const worstFirst: readonly SortKey[] = [{ column: "severity" }, { column: "position" }];
  const page = await readListPage(list.select("position"), worstFirst, range);
  const positions = page.rows.map(({ position }) => position);
  const rows = await selectFigures(store, jobRowId)
    .where(isAmong(store, "position", positions))
    .orderBy(writeOrder(worstFirst))
    .execute();
  return { ...page, rows };
}

export async function readFiguresOfKind(
  store: IndexStore,
  jobRowId: number,
  kinds: readonly Figure["kind"][],
  trial: number | null = null,
) {
  let list = selectFigures(store, jobRowId).where("kind", "in", kinds);
  // Reward files are figures of single trials, so the list has one.
  if (trial !== null) list = list.where("trials", "=", `[${trial}]`);
  return list.orderBy("position").execute();
}

/** Leaves out the positions of trials, which may take 700 kB for one figure. */
function selectFigures({ db }: IndexStore, jobRowId: number) {
  return db
    .selectFrom("figures")
    .select(["kind", "path", "groupKey as group", "recorded", "recomputed", "verdict", "ulps", "reason"])
    .select(["rule", "nTrials"])
    .where("jobRowId", "=", jobRowId);
}
