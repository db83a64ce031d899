import "server-only";
import { TASK_PATTERNS } from "@/lib/core/domain/job-filter";
import { type ListPage, rangeOfPage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { NOT_PASSED, OUTCOMES } from "@/lib/core/domain/trial";
import type { TasksParams } from "@/lib/pages/job/address";
import {
  type IndexStore,
  type JobHead,
  readJobFacets,
  readSuspicions,
  readTasks,
  readTasksByCount,
  type TaskRow,
  type TaskSelection,
  type TaskSort,
} from "@/lib/store/tables";

import { countReviews, getJudgedOfJob, type JudgedOfJob } from "../annotations/judged";
import { pickKnown } from "./facets";
import { countByTask, selectJudgedTasks } from "./reviews";
import { isAnyDivided } from "./settings";

/** Facets count tasks of the whole job. */
export type TasksPanel = Awaited<ReturnType<typeof getTasksPanel>>;

export async function getTasksPanel(store: IndexStore, job: JobHead, filter: TasksParams) {
  const judged = await getJudgedOfJob(store, job.rowId);
  const [page, facets] = await Promise.all([
    readPage(store, job, filter, judged),
    readJobFacets(store, job.rowId),
  ]);
  const keys = page.rows.flatMap(listAttempts).map(({ key }) => key);
  const suspicions = await readSuspicions(store, job.rowId, keys);
  return {
    ...page,
    rows: page.rows.map((task) => ({
      ...task,
      reviews: judged && countReviews(listAttempts(task).flatMap(({ key }) => judged.get(key) ?? [])),
    })),
    suspects: new Set(suspicions.keys()),
    nTasks: job.nTasks,
    /** True if any attempt has a reward between 0 and 1, which pass counts do not show. */
    isPartial: job.isAnyPartial,
    patterns: pickKnown(
      facets,
      filter.isDivided && isAnyDivided(job) ? "task-setup-pattern" : "task-pattern",
      TASK_PATTERNS,
    ).toSorted((a, b) => TASK_PATTERNS.indexOf(a.value) - TASK_PATTERNS.indexOf(b.value)),
    outcomes: pickKnown(facets, "task-outcome", filter.tab === "errors" ? NOT_PASSED : OUTCOMES),
    exceptions: facets.get("task-exception") ?? [],
  };
}

const COLUMNS: Readonly<Record<Exclude<TasksParams["sort"], "reviewed">, TaskSort>> = {
  task: "position",
  passed: "passedShare",
  reward: "meanReward",
  cost: "meanCostUsd",
  duration: "medianDurationMs",
};

async function readPage(
  store: IndexStore,
  job: JobHead,
  filter: TasksParams,
  judged: JudgedOfJob | null,
): Promise<ListPage<TaskRow>> {
  const { sort, descending } = filter;
  const range = rangeOfPage(filter.page, PAGE_ROWS);
  const selection = selectTasks(job, filter, judged);
  if (sort === "reviewed") {
    const byTask = judged === null ? [] : countByTask(judged);
    const counts = new Map([...byTask].map(([task, { nJudged }]) => [task, nJudged] as const));
    return readTasksByCount(store, job.rowId, selection, { by: counts, descending }, range);
  }
  return readTasks(store, job.rowId, selection, { by: COLUMNS[sort], descending }, range);
}

export function selectTasks(job: JobHead, filter: TasksParams, judged: JudgedOfJob | null): TaskSelection {
  const { only, except } = selectJudgedTasks(judged, filter.judgments);
  const failed = NOT_PASSED.filter((outcome) => filter.outcomes.includes(outcome));
  const isAny = filter.tab === "errors" && failed.length === 0;
  return {
    text: filter.text,
    patterns: filter.patterns,
    isDivided: filter.isDivided && isAnyDivided(job),
    outcomes: filter.tab === "tasks" ? filter.outcomes : isAny ? NOT_PASSED : failed,
    exceptions: filter.exceptions,
    only: narrow(only, filter.tasks),
    except: [...except],
  };
}

function narrow(only: ReadonlySet<string> | null, tasks: readonly string[]): readonly string[] | null {
  if (tasks.length === 0) return only === null ? null : [...only];
  return only === null ? tasks : tasks.filter((task) => only.has(task));
}

function listAttempts(task: TaskRow) {
  return task.cells.flatMap((cell) => cell?.attempts ?? []);
}
