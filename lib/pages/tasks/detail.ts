import "server-only";
import { MAX_FAILED_TESTS } from "@/lib/core/domain/breakdown";
import { sumBy } from "@/lib/core/domain/sum-by";
import { listRuns } from "@/lib/core/domain/tally-tests";
import {
  computeMeanInterval,
  computeWilsonInterval,
  type MeanInterval,
  type Unavailable,
} from "@/lib/core/stats";
import { readApart, unlessReadingFails } from "@/lib/read/trial-reading";
import {
  namePlace,
  type DatasetTrial,
  type IndexStore,
  readScopeDimensions,
  readScopeTests,
} from "@/lib/store/tables";

import { getJudgedOrNull } from "../annotations/judged";
import { getCached } from "../shell/catalog";
import { locateTrial } from "../trial/locate";
import { listCounted, nameAgent } from "./counted";
import type { TaskPage } from "./page";

/** Test reports and dimension scores read for one page. */
const MAX_REPORTS = 20_000;
const MAX_SCORES = 100_000;
const MAX_LISTED = 40;
const MAX_COLUMNS = 8;
const MAX_REVIEWS = 50;

function placeCounted(page: TaskPage) {
  return new Map(listCounted(page).map((trial) => [namePlace(trial), trial]));
}

export type TaskTests = Awaited<ReturnType<typeof readTaskPageTests>>;

export async function readTaskPageTests(store: IndexStore, page: TaskPage) {
  const counted = placeCounted(page);
  const rows = await readScopeTests(store, { ...page, tasks: [page.taskName] }, MAX_REPORTS);
  const reports = rows.flatMap((row) => {
    const trial = counted.get(namePlace(row));
    return trial === undefined ? [] : [{ ...row, agent: nameAgent(trial) }];
  });
  const counts = sumBy(
    reports.flatMap(({ failed }) => failed),
    (name) => name,
  );
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
    (row) => counted.has(namePlace(row)),
  );
  const below = rows.filter(({ share }) => share < 1);
  const alone = sumBy(
    [...Map.groupBy(below, namePlace).values()].flatMap((own) => (own.length === 1 ? own : [])),
    ({ name }) => name,
  );
  const found = [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => ({
    name,
    /** Mean share. Each attempt is its own case, since there is only one task, and the interval is for it alone. */
    mean: computeMeanInterval(
      own.map((row) => ({ task: namePlace(row), values: [row.share] })),
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

/** Attempts whose trajectories are read. Each takes as long as the page of its trial. */
const MAX_READ = 4;

export type TaskInstructions = Awaited<ReturnType<typeof readTaskInstructions>>;

export type TaskInstruction = TaskInstructions["texts"][number];

export async function getTaskInstructions(page: TaskPage) {
  const { dataset, taskName, version } = page;
  const name = JSON.stringify(["task instruction", dataset.ids, taskName, version]);
  return getCached(name, (store) => readTaskInstructions(store, page));
}

/** Prefers attempts of different agents, then of the newest jobs. */
export async function readTaskInstructions(store: IndexStore, page: TaskPage) {
  const chosen = chooseAttempts(listCounted(page));
  const read = await Promise.all(chosen.map(async (trial) => readOne(store, trial)));
  const texts = Map.groupBy(
    read.flatMap((one) => (one === "silent" || one === "unread" ? [] : [one])),
    ({ text }) => text.replaceAll(/\s+/gu, " "),
  );
  return {
    /** Texts that differ beyond white space, most attempts first. */
    texts: [...texts.values()]
      .flatMap((own) => own.slice(0, 1).map((first) => ({ ...first, nAttempts: own.length })))
      .toSorted((a, b) => b.nAttempts - a.nAttempts),
    nRead: read.length,
    nSilent: read.filter((one) => one === "silent").length,
    nUnread: read.filter((one) => one === "unread").length,
  };
}

function chooseAttempts(trials: readonly DatasetTrial[]): readonly DatasetTrial[] {
  const nth = new Map<string, number>();
  const ranked = trials.map((trial) => {
    const own = `${nameAgent(trial)}\n${String(trial.nSteps === null)}`;
    nth.set(own, (nth.get(own) ?? 0) + 1);
    return { trial, before: nth.get(own) ?? 0 };
  });
  return ranked
    .toSorted(
      (a, b) => Number(a.trial.nSteps === null) - Number(b.trial.nSteps === null) || a.before - b.before,
    )
    .slice(0, MAX_READ)
    .map(({ trial }) => trial);
}

/** `silent`: without an instruction. */
async function readOne(store: IndexStore, { jobKey, jobName, key, agent, attempt }: DatasetTrial) {
  const located = await locateTrial(store, jobKey, key);
  if (located === null) return "silent" as const;
  const { place } = located;
  const reading = readApart("instruction", place.path ?? "", place);
  const found = await unlessReadingFails<Awaited<typeof reading> | "unread">(reading, () => "unread");
  if (found === null) return "silent";
  if (found === "unread") return found;
  const { key: stepKey, text, isCut } = found;
  return { text, isCut, stepKey, trial: { jobKey, jobName, key, agent, attempt } };
}
