import "server-only";
import type { TaskPattern } from "@/lib/core/domain/job-filter";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { WORST_FIRST } from "@/lib/core/domain/trial";
import {
  type IndexStore,
  type JobHead,
  readFamilies,
  readJobFacets,
  readTasks,
  type TaskRow,
} from "@/lib/store/tables";

import type { DerivedDetailsState } from "../shell/derived-details-state";
import { parseJobParams, type TasksParams } from "./address";
import { getJobLineage } from "./lineage";
import { selectTasks } from "./tasks";

const MOST_TASKS = 600;
const MOST_TRIALS = 3_000;
/** Bytes of all names, which React's data has once. */
const MAX_BYTES = 300_000;

export type JobOverview = Awaited<ReturnType<typeof getJobOverview>>;

export type WaffleTask = JobOverview["tasks"][number];

/** Returns attempts at each task, tasks that never pass first, and which tabs have something to show. */
export async function getJobOverview(store: IndexStore, job: JobHead, state: DerivedDetailsState) {
  const select = (tab: TasksParams["tab"]) => selectTasks(job, { ...parseJobParams({}, "tasks"), tab }, null);
  const order = { by: "passedShare", descending: false } as const;
  const [all, failed, facets, families, lineage] = await Promise.all([
    readTasks(store, job.rowId, select("tasks"), order, { from: 0, limit: MOST_TASKS }),
    readTasks(store, job.rowId, select("errors"), order, { from: 0, limit: 1 }),
    readJobFacets(store, job.rowId),
    readFamilies(store, job.rowId),
    getJobLineage(store, job),
  ]);
  const patterns = new Map(facets.get("task-pattern")?.map(({ value, count }) => [value, count]));
  const countOf = (...names: readonly string[]) =>
    names.reduce((sum, name) => sum + (patterns.get(name) ?? 0), 0);
  let nTrials = 0;
  const byPart = all.rows.map(toTask).toSorted((a, b) => placeOf(a) - placeOf(b));
  const tasks = takeFitting(byPart, MAX_BYTES, ({ taskName, marks }) => {
    nTrials += marks.length;
    const bytes = marks.reduce(
      (sum, { key }) => sum + countPageBytes(key ?? ""),
      countAddressBytes(taskName),
    );
    return nTrials > MOST_TRIALS ? Infinity : bytes;
  });
  return {
    tasks,
    nFailedTasks: failed.nMatching,
    never: countOf("never"),
    sometimes: countOf("flaky", "split"),
    always: countOf("always"),
    hasDimensions:
      state === "reading" || families.length > 0 || job.groups.some(({ nRewardKeys }) => nRewardKeys > 1),
    lineage,
    hasRubric: state === "reading" || families.length > 0,
  };
}

const PARTS: readonly (TaskPattern | null)[] = ["never", "flaky", "split", "always", null];

/** Flaky and split tasks are in the same part. */
function placeOf({ pattern }: Pick<TaskRow, "pattern">): number {
  return PARTS.indexOf(pattern === "split" ? "flaky" : pattern);
}

function toTask({ taskName, pattern, cells }: TaskRow) {
  const marks = cells.flatMap((cell, group) =>
    (cell?.attempts ?? []).map(({ key, hasFolder, attempt, outcome }) => ({
      key: hasFolder ? key : null,
      ...{ attempt, outcome, group },
    })),
  );
  return {
    taskName,
    pattern,
    marks: marks.toSorted((a, b) => WORST_FIRST.indexOf(a.outcome) - WORST_FIRST.indexOf(b.outcome)),
  };
}
