import { toColumnText } from "@/lib/database";
import type { JobEntry } from "@/lib/domain/catalog";
import { selectFailure } from "@/lib/domain/trial-failure";
import type { FacetName, JobRow } from "@/lib/store";

import type { DividedGroups } from "./divide-groups";

/** How many rows of the job carry each value that lists can be filtered by. */
export function prepareFacetRows(
  { job, trials, report }: JobEntry,
  tasks: readonly JobRow<"tasks">[],
  { places }: DividedGroups,
): readonly JobRow<"facets">[] {
  const counts = new FacetCounts();
  markJob(counts, job, report);
  countTrials(counts, trials);
  countTasks(counts, trials, tasks);
  for (const { key } of places.values()) counts.add("trial-setup", key);
  for (const { setupPattern: pattern } of tasks)
    if (typeof pattern === "string") counts.add("task-setup-pattern", pattern);
  for (const { verdict, kind, group } of report.figures) {
    counts.add("figure-verdict", verdict);
    counts.add("figure-kind", kind);
    if (group !== null) counts.add("figure-group", group);
  }
  return counts.list();
}

function markJob(counts: FacetCounts, job: JobEntry["job"], report: JobEntry["report"]): void {
  for (const { agent, model, source } of report.groups) {
    counts.mark("job-agent", agent);
    if (model !== null) counts.mark("job-model", model);
    counts.mark("job-dataset", source ?? "adhoc");
  }
  counts.mark("job-state", job.state);
  counts.mark("job-check", report.verdict);
}

function countTrials(counts: FacetCounts, trials: JobEntry["trials"]): void {
  for (const trial of trials) {
    counts.add("trial-outcome", trial.outcome);
    counts.add("trial-group", trial.groupKey);
    const failure = selectFailure(trial);
    if (failure !== null) counts.add("trial-exception", failure.exception.type);
    for (const key of trial.rewards?.keys() ?? []) counts.add("trial-reward-key", key);
  }
}

function countTasks(
  counts: FacetCounts,
  trials: JobEntry["trials"],
  tasks: readonly JobRow<"tasks">[],
): void {
  for (const { pattern } of tasks) if (typeof pattern === "string") counts.add("task-pattern", pattern);
  for (const attempts of Map.groupBy(trials, (trial) => trial.taskName).values()) {
    for (const outcome of new Set(attempts.map((trial) => trial.outcome)))
      counts.add("task-outcome", outcome);
    const types = attempts.flatMap((trial) => selectFailure(trial)?.exception.type ?? []);
    for (const type of new Set(types)) counts.add("task-exception", type);
  }
}

class FacetCounts {
  private readonly counts = new Map<FacetName, Map<string, number>>();

  add(facet: FacetName, value: string): void {
    const values = this.valuesOf(facet);
    const text = toColumnText(value);
    values.set(text, (values.get(text) ?? 0) + 1);
  }

  /** For facets of the job itself, which carries a value once. */
  mark(facet: FacetName, value: string): void {
    this.valuesOf(facet).set(toColumnText(value), 1);
  }

  list(): JobRow<"facets">[] {
    return [...this.counts].flatMap(([facet, values]) =>
      [...values].map(([value, count]) => ({ facet, value, count })),
    );
  }

  private valuesOf(facet: FacetName): Map<string, number> {
    const values = this.counts.get(facet) ?? new Map<string, number>();
    this.counts.set(facet, values);
    return values;
  }
}
