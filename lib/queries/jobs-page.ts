import "server-only";

import type { ClockTime } from "@/lib/domain/clock-time";
import type { JobEntry } from "@/lib/domain/catalog";
import type { JobState } from "@/lib/domain/job";
import { JOBS_FACETS, type JobsFacet, type JobsFilter } from "@/lib/domain/jobs-filter";
import type { Seal } from "@/lib/domain/verification";
import { computeDistribution } from "@/lib/stats";

import { getIdentityOf, getSnapshot } from "./catalog";
import { type GroupSummary, summariseGroups } from "./group-summary";
import { countReviews, listJudgedNames, readJobReviews, type ReviewCounts } from "./jobs-page-reviews";

/** One evals group of the list. */
export interface JobsRow extends GroupSummary {
  readonly identity: number;
  /** What reviewers said about its trials; null when the store cannot be read. */
  readonly reviews: ReviewCounts | null;
}

/** One job of the list with its groups; a job without groups has none and still shows. */
export interface JobsItem {
  readonly entry: JobEntry;
  readonly groups: readonly JobsRow[];
  /** When it ended, or the best known time. */
  readonly when: ClockTime | null;
  /** Figures of the whole job, outside its groups, that do not follow from the trials. */
  readonly nJobMismatches: number;
  /** Trials planned but not here; null when no plan is known. */
  readonly nPlanned: number | null;
}

/** A value of a facet and how many jobs carry it. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/** The jobs page: what the filter leaves, and what there is to filter by. */
export interface JobsPage {
  readonly items: readonly JobsItem[];
  readonly nJobs: number;
  readonly nTrialsShown: number;
  readonly nGroupsRecomputed: number;
  /** Groups with a mismatch, and jobs with one outside their groups. */
  readonly nMismatched: number;
  readonly facets: Readonly<Record<JobsFacet, readonly FacetCount[]>>;
}

/** Everything the jobs page shows for a filter. */
export async function getJobsPage(filter: JobsFilter): Promise<JobsPage> {
  const [{ jobs }, identityOf] = await Promise.all([getSnapshot(), getIdentityOf()]);
  const judgedNames = await listJudgedNames();
  const matching = jobs.filter((entry) => matchesFilter(entry, filter));
  const unsorted = await Promise.all(matching.map((entry) => toItem(entry, filter, identityOf, judgedNames)));
  const items = unsorted.toSorted(compareItems(filter));
  const groups = items.flatMap((item) => item.groups);
  return {
    items,
    nJobs: jobs.length,
    nTrialsShown: items.reduce((sum, item) => sum + item.entry.trials.length, 0),
    nGroupsRecomputed: groups.length,
    nMismatched:
      groups.filter(({ group }) => group.seal === "mismatch").length +
      items.filter((item) => item.nJobMismatches > 0).length,
    facets: {
      agents: countFacet(jobs, "agents"),
      models: countFacet(jobs, "models"),
      datasets: countFacet(jobs, "datasets"),
      states: countFacet(jobs, "states"),
      seals: countFacet(jobs, "seals"),
    },
  };
}

function readFacet(entry: JobEntry, facet: JobsFacet): readonly string[] {
  const { groups } = entry.report;
  switch (facet) {
    case "agents":
      return groups.map((group) => group.agent);
    case "models":
      return groups.flatMap((group) => group.model ?? []);
    case "datasets":
      return groups.map((group) => group.source ?? "adhoc");
    case "states":
      return [entry.job.state satisfies JobState];
    case "seals":
      return [entry.report.seal satisfies Seal];
  }
}

function countFacet(jobs: readonly JobEntry[], facet: JobsFacet): readonly FacetCount[] {
  const counts = new Map<string, number>();
  for (const entry of jobs) {
    for (const value of new Set(readFacet(entry, facet))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}

function matchesFilter(entry: JobEntry, filter: JobsFilter): boolean {
  const passes = JOBS_FACETS.every((facet) => {
    const wanted = filter[facet];
    return wanted.length === 0 || readFacet(entry, facet).some((value) => wanted.includes(value));
  });
  return passes && matchesText(entry, filter.text.toLowerCase());
}

function matchesText(entry: JobEntry, text: string): boolean {
  if (text === "") return true;
  const names = [entry.job.name, entry.job.key, entry.job.folder, entry.job.id ?? ""];
  if (names.some((name) => name.toLowerCase().includes(text))) return true;
  const groups = entry.report.groups.flatMap(({ agent, model, source }) => [
    agent,
    model ?? "",
    source ?? "",
  ]);
  if (groups.some((name) => name.toLowerCase().includes(text))) return true;
  return entry.trials.some(
    (trial) => trial.taskName.toLowerCase().includes(text) || trial.trialName.toLowerCase().includes(text),
  );
}

async function toItem(
  entry: JobEntry,
  filter: JobsFilter,
  identityOf: (agent: string, model: string | null) => number,
  judgedNames: ReadonlySet<string> | null,
): Promise<JobsItem> {
  const reviews = await readJobReviews(entry, judgedNames);
  const groups = summariseGroups(entry)
    .filter(({ group }) => filter.agents.length === 0 || filter.agents.includes(group.agent))
    .filter(({ group }) => filter.models.length === 0 || filter.models.includes(group.model ?? ""))
    .map((summary) => ({
      ...summary,
      identity: identityOf(summary.group.agent, summary.group.model),
      reviews: countReviews(reviews, summary.trials),
    }));
  const { job } = entry;
  const nTotal = job.recorded?.nTotalTrials ?? null;
  return {
    entry,
    groups,
    when: job.time.finishedAt ?? job.updatedAt ?? job.time.startedAt ?? latestTrialEnd(entry),
    nJobMismatches: entry.report.figures.filter(
      (figure) => figure.group === null && figure.kind !== "outcome" && figure.verdict === "mismatch",
    ).length,
    nPlanned: nTotal === null ? (job.plan?.length ?? null) : Number(nTotal),
  };
}

function latestTrialEnd(entry: JobEntry): ClockTime | null {
  return entry.trials.reduce<ClockTime | null>((latest, { time }) => {
    const end = time.finishedAt ?? time.startedAt;
    return end !== null && (latest === null || end.epochMs > latest.epochMs) ? end : latest;
  }, null);
}

function readSortValue(item: JobsItem, sort: JobsFilter["sort"]): number | string | null {
  switch (sort) {
    case "finished":
      return item.when?.epochMs ?? null;
    case "job":
      return item.entry.job.name.toLowerCase();
    case "trials":
      return item.entry.trials.length;
    case "mean":
      return item.groups.reduce<number | null>((best, { headline }) => {
        return headline === null || Number.isNaN(headline.value)
          ? best
          : Math.max(best ?? -Infinity, headline.value);
      }, null);
    case "cost": {
      const costs = computeDistribution(item.groups.map(({ costUsd }) => costUsd));
      return costs.kind === "computed" ? costs.sum : null;
    }
  }
}

/** Unknown values stay last in either direction; ties keep the catalog's order, newest first. */
function compareItems(filter: JobsFilter): (a: JobsItem, b: JobsItem) => number {
  const sign = filter.descending ? -1 : 1;
  return (a, b) => {
    const left = readSortValue(a, filter.sort);
    const right = readSortValue(b, filter.sort);
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "string" || typeof right === "string") {
      return sign * String(left).localeCompare(String(right), "en", { numeric: true });
    }
    return sign * (left - right);
  };
}
