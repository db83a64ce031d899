import "server-only";
import { MAX_FAILED_TESTS } from "@/lib/core/domain/breakdown";
import { listRuns } from "@/lib/core/domain/tally-tests";
import {
  computeMeanInterval,
  computeWilsonInterval,
  type MeanInterval,
  type Unavailable,
} from "@/lib/core/stats";
import { type DatasetTrial, type IndexStore, readScopeDimensions, readScopeTests } from "@/lib/store/tables";

import { getJudgedOrNull } from "../annotations/judged";
import { listCounted, nameAgent, nameTrialPlace } from "./counted";
import type { TaskPage } from "./page";

/** Test reports and dimension scores read for one page. */
const MAX_REPORTS = 20_000;
const MAX_SCORES = 100_000;
const MAX_LISTED = 40;
const MAX_COLUMNS = 8;
const MAX_REVIEWS = 50;

function placeCounted(page: TaskPage) {
  return new Map(listCounted(page).map((trial) => [nameTrialPlace(trial), trial]));
}

export type TaskTests = Awaited<ReturnType<typeof readTaskPageTests>>;

export async function readTaskPageTests(store: IndexStore, page: TaskPage) {
  const counted = placeCounted(page);
  const rows = await readScopeTests(store, { ...page, tasks: [page.taskName] }, MAX_REPORTS);
  const reports = rows.flatMap((row) => {
    const trial = counted.get(nameTrialPlace(row));
    return trial === undefined ? [] : [{ ...row, agent: nameAgent(trial) }];
  });
  const counts = new Map<string, number>();
  for (const { failed } of reports) for (const name of failed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const columns = page.agents.slice(0, MAX_COLUMNS);
  const names = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const listed = names.slice(0, MAX_LISTED);
  return {
    tests: listed.map(([name, nFailed]) => {
      // Reports of some attempts may cover other tests.
      const ran = listRuns(reports, name);
      return {
        name,
        rate: computeWilsonInterval(nFailed, ran.length),
        byAgent: columns.map((agent) => {
          const own = ran.filter((report) => report.agent === nameAgent(agent));
          return { nFailed: own.filter(({ failed }) => failed.includes(name)).length, nTested: own.length };
        }),
      };
    }),
    nMore: names.length - listed.length,
    /** Attempts with a test report, and ended attempts without one. */
    nTested: reports.length,
    nUntested: counted.size - reports.length,
    /** Attempts with incomplete reports. A test counts as run there although it may not have. */
    nAssumed: reports.filter(({ passed }) => passed === null).length,
    columns,
    /** True if some attempt had more failed tests than are kept, so that counts are lower bounds. */
    isAtLeast: reports.some(({ failed }) => failed.length >= MAX_FAILED_TESTS),
  };
}

export type TaskDimension = Awaited<ReturnType<typeof readTaskPageDimensions>>[number];

export async function readTaskPageDimensions(store: IndexStore, page: TaskPage) {
  const counted = placeCounted(page);
  const rows = (await readScopeDimensions(store, { ...page, tasks: [page.taskName] }, MAX_SCORES)).filter(
    (row) => counted.has(nameTrialPlace(row)),
  );
  const alone = new Map<string, number>();
  for (const own of Map.groupBy(rows, nameTrialPlace).values()) {
    const below = own.filter(({ share }) => share < 1);
    const [only] = below;
    if (below.length === 1 && only !== undefined) alone.set(only.name, (alone.get(only.name) ?? 0) + 1);
  }
  const found = [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => ({
    name,
    /** Mean share. Each attempt is its own case, since there is only one task, and the interval is for it alone. */
    mean: computeMeanInterval(
      own.map((row) => ({ task: nameTrialPlace(row), values: [row.share] })),
      { missing: "exclude" },
    ),
    n: own.length,
    /** Attempts in which only this dimension was below 1. */
    nAlone: alone.get(name) ?? 0,
  }));
  return found.toSorted((a, b) => meanOf(a) - meanOf(b)).slice(0, MAX_LISTED);
}

function meanOf({ mean }: { readonly mean: MeanInterval | Unavailable }): number {
  return mean.kind === "computed" ? mean.mean : 2;
}

export async function getTaskReviews(store: IndexStore, { trials }: TaskPage) {
  const judged = await getJudgedOrNull(store);
  if (judged === null) return null;
  const all = trials.flatMap((trial) => {
    const found = judged.byJob.get(trial.jobRowId)?.get(trial.key);
    if (found === undefined) return [];
    const { jobKey, jobName, key, agent, attempt, outcome } = trial;
    return [{ jobKey, jobName, key, agent, attempt, outcome, judgments: found.judgments }];
  });
  const ordered = all.toSorted((a, b) => Number(b.judgments.disagrees) - Number(a.judgments.disagrees));
  return {
    reviews: ordered.slice(0, MAX_REVIEWS),
    nMore: Math.max(0, ordered.length - MAX_REVIEWS),
    nDisagreeing: all.filter(({ judgments }) => judgments.disagrees).length,
  };
}

export type PassedAndFailed = NonNullable<ReturnType<typeof findPassedAndFailed>>;

/** Prefers attempts of one run, then the newest, and a failing verdict over an error. */
export function findPassedAndFailed(page: Pick<TaskPage, "trials" | "version">) {
  const counted = listCounted(page);
  for (const isFailed of [hasFailingVerdict, isNotPassed])
    for (const nameOwn of [nameRun, nameAgent])
      for (const own of Map.groupBy(counted, nameOwn).values()) {
        const passed = own.find((trial) => !isNotPassed(trial));
        const failed = own.find((trial) => isFailed(trial));
        if (passed !== undefined && failed !== undefined) return { passed, failed };
      }
  return null;
}

function isNotPassed({ outcome }: DatasetTrial): boolean {
  return outcome !== "passed";
}

function hasFailingVerdict({ outcome }: DatasetTrial): boolean {
  return outcome === "failed" || outcome === "partial";
}

function nameRun(trial: DatasetTrial): string {
  return `${trial.jobRowId} ${trial.groupKey} ${nameAgent(trial)}`;
}
