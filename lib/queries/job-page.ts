import "server-only";

import { cache } from "react";

import { findJob } from "@/lib/catalog";
import type { JobEntry } from "@/lib/domain/catalog";
import { computeDurationMs } from "@/lib/domain/clock-time";
import type { Figure, Seal } from "@/lib/domain/verification";
import { computeCostPerPass, computeDistribution } from "@/lib/stats";
import { summariseSeal } from "@/lib/verification";

import { getIdentityOf, getSnapshot } from "./catalog";
import { type GroupSummary, summariseGroups } from "./group-summary";
import { getTrialRows, type TrialRow } from "./job-page-rows";

/** One metric entry of a group: a metric of the only reward key, or one reward key of several. */
export interface MetricLine {
  /** Metric type, such as `mean`. */
  readonly metric: string;
  /** Reward key; null when the group has one key, so that Harbor names the entry after the metric. */
  readonly rewardKey: string | null;
  readonly figure: Figure;
}

/** One evals group of the job page. */
export interface JobGroup extends GroupSummary {
  readonly identity: number;
  readonly metricLines: readonly MetricLine[];
  /** Harbor's pass@k by k as text. */
  readonly passAtK: ReadonlyMap<string, Figure>;
  readonly passSeal: Seal;
  readonly nAll: number;
  /** Known cost over passed trials; null when nothing passed or no cost is known. */
  readonly costPerPass: number | null;
}

/** The head of a job page: title, stamp, groups, tab counts. */
export interface JobPage {
  readonly entry: JobEntry;
  readonly rootLabel: string;
  readonly groups: readonly JobGroup[];
  /** k for which any group has a recorded or recomputed pass@k, ascending. */
  readonly ks: readonly string[];
  readonly nTasks: number;
  /** Fewest and most attempts at a task by one group; null without trials. */
  readonly attempts: { readonly min: number; readonly max: number } | null;
  readonly nPlanned: number | null;
  readonly durationMs: number | null;
  readonly costUsd: number | null;
  readonly nWithCost: number;
  readonly nExceptions: number;
  /** Figures that could be compared, which leaves out those that are not recorded. */
  readonly nCompared: number;
}

/** The head of a job's page; null when no such job is open. */
export const getJobPage = cache(async (jobKey: string): Promise<JobPage | null> => {
  const [snapshot, identityOf] = await Promise.all([getSnapshot(), getIdentityOf()]);
  const entry = findJob(snapshot, jobKey);
  if (entry === null) return null;
  const rows = getTrialRows(entry);
  const figures = Map.groupBy(entry.report.figures, (figure) => figure.group);
  const groups = summariseGroups(entry).map((summary) => {
    const { group } = summary;
    const identity = identityOf(group.agent, group.model);
    return toGroup(entry, summary, rows.byGroup.get(group.key) ?? [], figures.get(group.key) ?? [], identity);
  });
  const costs = computeDistribution(rows.all.map(({ trial }) => trial.tokens.costUsd));
  const { counts } = entry.report;
  const nTotal = entry.job.recorded?.nTotalTrials ?? null;
  return {
    entry,
    rootLabel: snapshot.roots[entry.job.root]?.label ?? "",
    groups,
    ks: [...new Set(groups.flatMap((group) => [...group.passAtK.keys()]))].sort(
      (a, b) => Number(a) - Number(b),
    ),
    nTasks: new Set(rows.all.map(({ trial }) => trial.taskName)).size,
    attempts: countAttempts(rows.all),
    nPlanned: entry.job.plan?.length ?? (nTotal === null ? null : Number(nTotal)),
    durationMs: computeDurationMs(entry.job.time),
    costUsd: costs.kind === "computed" ? costs.sum : null,
    nWithCost: costs.kind === "computed" ? costs.n : 0,
    nExceptions: rows.all.filter(({ trial }) => trial.exception !== null).length,
    nCompared: entry.report.figures.length - counts["not-recorded"],
  };
});

function toGroup(
  entry: JobEntry,
  summary: GroupSummary,
  rows: readonly TrialRow[],
  figures: readonly Figure[],
  identity: number,
): JobGroup {
  const { counts, costUsd } = summary;
  const passFigures = figures.filter((figure) => figure.kind === "pass-at-k");
  return {
    ...summary,
    identity,
    metricLines: listMetricLines(summary, figures),
    passAtK: new Map(
      passFigures.map((figure) => [figure.path.slice(figure.path.lastIndexOf(".") + 1), figure]),
    ),
    passSeal: summariseSeal(passFigures, entry.job.state === "running"),
    nAll: rows.length,
    costPerPass: computeCostPerPass(costUsd, counts.passed),
  };
}

/** The headline first, the others as recorded. */
function listMetricLines({ group, headline }: GroupSummary, figures: readonly Figure[]): MetricLine[] {
  const prefix = `stats.evals.${group.key}.metrics[`;
  const lines = figures.flatMap((figure) => {
    if (figure.kind !== "metric" || !figure.path.startsWith(prefix)) return [];
    const rest = figure.path.slice(prefix.length);
    const metric = group.metrics[Number(rest.slice(0, rest.indexOf("]")))]?.type ?? "mean";
    const name = rest.slice(rest.indexOf("].") + 2);
    return { metric, rewardKey: name === metric ? null : name, figure };
  });
  const isHeadline = ({ rewardKey }: MetricLine) => rewardKey !== null && rewardKey === headline?.key;
  return lines.toSorted((a, b) => Number(isHeadline(b)) - Number(isHeadline(a)));
}

function countAttempts(rows: readonly TrialRow[]): JobPage["attempts"] {
  const counts = new Map<string, number>();
  for (const { trial, groupKey } of rows) {
    const key = `${groupKey}\n${trial.taskName}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let min = Infinity;
  let max = 0;
  for (const count of counts.values()) {
    min = Math.min(min, count);
    max = Math.max(max, count);
  }
  return max === 0 ? null : { min, max };
}

/** Names and keys of all open jobs, at most 2,000, for suggestions. */
export async function listJobNames(): Promise<readonly { readonly key: string; readonly name: string }[]> {
  const { jobs } = await getSnapshot();
  return jobs.slice(0, 2000).map(({ job }) => ({ key: job.key, name: job.name }));
}
