import type { DifferenceBounds } from "./difference-bounds";
import { computeFTail, computeTQuantile } from "./distributions";
import {
  type MissingRule,
  ROUNDING,
  type TaskValues,
  applyMissingRule,
  computeMean,
  computeSize,
  computeSquaredDeviations,
} from "./task-values";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

export type RunToRun = Computed<typeof computeRunToRun>;

/**
 * Estimates how far runs differ for unrecorded reasons, such as the day, the server or a version. Runs are crossed with tasks; a
 * value is the mean of a run's attempts at a task, and the residual without both is chance.
 * @param runs - values of each run by task; tasks that a run lacks are ignored
 * @returns `one-run` with fewer than two; `no-common-tasks`; `one-task`; `not-finite`
 * @see Searle, Casella, McCulloch, "Variance Components" (1992), section 4.5: two-way crossed classification, one value a cell
 */
export function computeRunToRun(
  runs: readonly (readonly TaskValues[])[],
  { missing }: { readonly missing: MissingRule },
) {
  const means = runs.map(
    (tasks) =>
      new Map(applyMissingRule(tasks, missing).tasks.map(({ task, values }) => [task, computeMean(values)])),
  );
  const [first, ...others] = means;
  if (first === undefined || others.length === 0) return declareUnavailable("one-run");
  const tasks = [...first.keys()].filter((task) => others.every((other) => other.has(task)));
  if (tasks.length === 0) return declareUnavailable("no-common-tasks");
  const rows = tasks.map((task) => means.map((run) => run.get(task) ?? 0));
  if (!rows.every((row) => row.every(Number.isFinite))) return declareUnavailable("not-finite");
  if (tasks.length === 1) return declareUnavailable("one-task");
  const runMeans = means.map((_, at) => computeMean(rows.map((row) => row[at] ?? 0)));
  const grand = computeMean(runMeans);
  const [nRuns, nTasks] = [means.length, tasks.length];
  const ofRuns = computeSquaredDeviations(runMeans) / (nRuns - 1);
  const left = rows.reduce((sum, row) => {
    const own = computeMean(row);
    return sum + row.reduce((all, value, at) => all + (value - own - (runMeans[at] ?? 0) + grand) ** 2, 0);
  }, 0);
  const ofChance = left / ((nRuns - 1) * (nTasks - 1)) / nTasks;
  const least = (ROUNDING * computeSize(rows.flat())) ** 2;
  return {
    kind: "computed",
    means: runMeans,
    spread: Math.sqrt(ofRuns),
    /** Standard deviation of the means from chance within tasks alone. */
    expected: Math.sqrt(ofChance),
    /** Standard deviation between runs beyond chance within tasks; 0 where they differ no more than that. */
    component: ofRuns - ofChance <= least ? 0 : Math.sqrt(ofRuns - ofChance),
    /**
     * P value of the hypothesis that runs do not differ, by the F test of two-way analysis of variance; null where nothing varies.
     */
    p:
      ofRuns <= least && ofChance <= least
        ? null
        : computeFTail(ofRuns / ofChance, nRuns - 1, (nRuns - 1) * (nTasks - 1)),
    nRuns,
    nTasks,
    isRate: rows.flat().every((value) => value >= 0 && value <= 1),
  } as const;
}

export type RunBounds = Computed<typeof computeRunBounds>;

/**
 * Widens the paired t interval of a difference by the variance between runs on each side: the variances of both mean runs are
 * added to that of the tasks.
 * @param difference - first minus second
 * @returns the reason of a side without a component, such as `one-run`; `no-variation` where the interval has no standard error
 */
export function computeRunBounds(
  difference: number,
  { standardError, df, level }: Pick<DifferenceBounds, "standardError" | "df" | "level">,
  sides: readonly (RunToRun | Unavailable)[],
) {
  const without = sides.find((side) => side.kind === "unavailable");
  if (without !== undefined) return without;
  if (standardError === null || df === null) return declareUnavailable("no-variation");
  const parts = [
    { variance: standardError ** 2, df },
    ...sides.flatMap((side) =>
      side.kind === "unavailable" ? [] : { variance: side.component ** 2 / side.nRuns, df: side.nRuns - 1 },
    ),
  ];
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  if (variance === 0) return declareUnavailable("no-variation");
  const freedom = variance ** 2 / parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0);
  const half = computeTQuantile(0.5 + level / 2, freedom) * Math.sqrt(variance);
  return {
    kind: "computed",
    low: difference - half,
    high: difference + half,
    standardError: Math.sqrt(variance),
    df: freedom,
  } as const;
}
