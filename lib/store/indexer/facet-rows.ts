import type { JobEntry } from "@/lib/core/domain/catalog";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { JobTask } from "@/lib/core/domain/task-labels";
import type { ScoredTrial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { toColumnText } from "@/lib/store/database";
import type { FacetName, JobRow } from "@/lib/store/tables";

import type { DividedGroups } from "./divide-groups";

/** Counts the rows of a job by filter value. */
export function prepareFacetRows(
  { job, trials, report }: JobEntry<ScoredTrial>,
  tasks: readonly JobTask<ScoredTrial>[],
  rows: Iterable<Pick<JobRow<"tasks">, "pattern" | "setupPattern">>,
  { places }: DividedGroups,
): readonly JobRow<"facets">[] {
  const { groups, figures, verdict } = report;
  const patterns = Array.from(rows, ({ pattern, setupPattern }) => ({ pattern, setupPattern }));
  // A job counts once per value, and so does a task, however many groups or attempts have it.
  const carried: Readonly<Record<FacetName, readonly string[]>> = {
    "job-agent": listDistinct(groups.map(({ agent }) => agent)),
    "job-model": listDistinct(groups.flatMap(({ model }) => model ?? [])),
    "job-dataset": listDistinct(groups.map(({ source }) => source ?? "adhoc")),
    "job-state": [job.state],
    "job-check": [verdict],
    "trial-outcome": trials.map(({ outcome }) => outcome),
    "trial-group": trials.map(({ groupKey }) => groupKey),
    "trial-setup": Array.from(places.values(), ({ key }) => key),
    "trial-exception": listExceptions(trials),
    "trial-reward-key": trials.flatMap(({ rewards }) => [...(rewards?.keys() ?? [])]),
    "task-pattern": patterns.flatMap(({ pattern }) => pattern ?? []),
    "task-setup-pattern": patterns.flatMap(({ setupPattern }) => setupPattern ?? []),
    "task-outcome": tasks.flatMap((task) => listDistinct(task.trials.map(({ outcome }) => outcome))),
    "task-exception": tasks.flatMap((task) => listDistinct(listExceptions(task.trials))),
    "figure-verdict": figures.map((figure) => figure.verdict),
    "figure-kind": figures.map(({ kind }) => kind),
    "figure-group": figures.flatMap(({ group }) => group ?? []),
  };
  return Object.entries(carried).flatMap(([facet, values]) =>
    Array.from(sumBy(values, toColumnText), ([value, count]) => ({
      facet: facet as FacetName, // A key of the record.
      value,
      count,
    })),
  );
}

function listDistinct(values: readonly string[]): readonly string[] {
  return [...new Set(values.map(toColumnText))];
}

function listExceptions(trials: readonly ScoredTrial[]): readonly string[] {
  return trials.flatMap((trial) => selectFailure(trial)?.exception.type ?? []);
}
