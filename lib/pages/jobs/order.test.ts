import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { JOB_SORTS } from "@/lib/core/fields/jobs.fields";
import { JOB_GROUPINGS, type JobsParams, parseJobsParams } from "@/lib/pages/jobs/address";
import { type JobHead, listJobIds, readHeads } from "@/lib/store/tables";
import { type FolderFiles, jobFiles, trialResult, writeFiles } from "@/lib/testing/folder.fixture";

import { listNames, openForAll, readAllHeads } from "./open-jobs.fixture";
import { JOBS_PAGE_SIZE, type JobsPage, prepareJobsQuery, readGrouping } from "./page";

/** More jobs than fit on a page, with few distinct times, means and costs, some unknown. */
function prepareManyJobs(): FolderFiles {
  const files: Record<string, unknown> = {};
  for (let job = 0; job < 60; job++) {
    const name = `${job % 4 === 1 ? "more/" : ""}run-${job}`;
    const trials = Object.fromEntries(
      Array.from({ length: (job % 3) + 1 }, (_, trial) => [
        `task-${trial}__job${String(job).padStart(4, "0")}`,
        job % 2,
      ]),
    );
    const time = `2026-05-0${(job % 4) + 1}T11:00:00.000000`;
    Object.assign(
      files,
      jobFiles(name, trials, {
        id: `job-id-${job}`,
        finished_at: job % 5 === 0 ? null : time,
        stats: { evals: {} },
      }),
    );
    for (const [trial, reward] of Object.entries(trials)) {
      const isWithout = job % 7 === 0;
      files[`${name}/${trial}/result.json`] = trialResult(trial, isWithout ? null : reward, {
        agent_result: job % 3 === 0 ? null : { cost_usd: job % 4 },
        source: job % 2 === 0 ? "even" : "odd",
        agent_info: {
          name: `agent-${job % 4}`,
          version: "1",
          model_info: { name: `m${job % 5}`, provider: "lab" },
        },
      });
    }
  }
  return files;
}

function readSortValue(job: JobHead, sort: JobsParams["sort"]): number | string | null {
  switch (sort) {
    case "finished":
      return job.when?.epochMs ?? null;
    case "job":
      return job.name.replaceAll(/\d+/g, (digits) => digits.padStart(6, "0"));
    case "trials":
      return job.nTrials;
    case "cost":
      return job.costUsd;
    case "mean": {
      const means = job.groups.flatMap(({ headline }) => headline?.value ?? []);
      return means.length === 0 ? null : Math.max(...means);
    }
  }
}

/** Negative when `a` comes first; unknown values last whichever way the list runs. */
function compare(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1);
}

function sortHeads(jobs: readonly JobHead[], sort: JobsParams["sort"], descending: boolean): string[] {
  return jobs
    .toSorted(
      (a, b) =>
        compare(readSortValue(a, sort), readSortValue(b, sort), descending) ||
        compare(readSortValue(a, "finished"), readSortValue(b, "finished"), true) ||
        compare(readSortValue(a, "job"), readSortValue(b, "job"), false),
    )
    .map((job) => job.name);
}

/** Names on every page. */
async function walk(
  read: (change: Partial<JobsParams>) => Promise<JobsPage>,
  filter: Partial<JobsParams>,
): Promise<string[][]> {
  const pages: string[][] = [];
  for (let page = 1; ; page += 1) {
    const found = await read({ ...filter, page });
    pages.push(listNames(found));
    if (page * found.size >= found.nMatching) return pages;
  }
}

/** {@link prepareManyJobs} with their index, for tests that only read it. */
let manyFolder = "";
let many: Awaited<ReturnType<typeof openForAll>>;
beforeAll(async () => {
  manyFolder = mkdtempSync(join(tmpdir(), "assay-many-"));
  writeFiles(manyFolder, prepareManyJobs());
  many = await openForAll(manyFolder);
  await many.index.refresh();
});
afterAll(async () => {
  await many.close();
  rmSync(manyFolder, { recursive: true, force: true });
});

test("a period lists the jobs that finished in it, with the sum of their costs", async () => {
  const jobs = await readAllHeads(many);
  const fitting = jobs.filter(({ when }) => (when?.epochMs ?? 0) >= Date.parse("2026-05-03T00:00:00Z"));
  const page = await many.read({ since: "2026-05-03" });
  expect([0, jobs.length]).not.toContain(fitting.length);
  expect(page.nMatching).toBe(fitting.length);
  const cost = fitting.reduce((sum, job) => sum + (job.costUsd ?? 0), 0);
  expect(page.costUsd).toBeCloseTo(cost, 9);
  expect(await many.read({ since: "9999-01-01" })).toMatchObject({ nMatching: 0, costUsd: null });
});

test("every job is on one page, in any sort order", async () => {
  const folder = many;
  const jobs = await readAllHeads(folder);
  expect(jobs).toHaveLength(60);
  const cases = fc.record({
    sort: fc.constantFrom(...JOB_SORTS),
    descending: fc.boolean(),
    agents: fc.subarray(["agent-0", "agent-1", "agent-2", "agent-3"], { maxLength: 2 }),
    datasets: fc.subarray(["even", "odd"], { maxLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ sort, descending, agents, datasets }) => {
      const fitting = jobs.filter(({ groups }) =>
        groups.some(
          ({ group }) =>
            (agents.length === 0 || agents.includes(group.agent)) &&
            (datasets.length === 0 || datasets.includes(group.source ?? "")),
        ),
      );
      const sorted = sortHeads(fitting, sort, descending);
      const filter = { sort, descending, agents, datasets };
      expect((await walk(folder.read, filter)).flat()).toEqual(sorted);
      const first = await folder.read(filter);
      expect(first).toMatchObject({ nMatching: sorted.length, nBefore: 0, nJobs: 60 });
      expect(first.nTrials).toBe(fitting.reduce((sum, { nTrials }) => sum + nTrials, 0));
    }),
    { numRuns: 40 },
  );
});

function readSection({ groups, when, folder }: JobHead, grouping: JobsParams["grouping"]): string {
  if (grouping === "folder") return dirname(`/${folder}`);
  if (grouping === "benchmark") {
    return groups.map(({ group }) => group.source ?? "~").toSorted()[0] ?? "~";
  }
  if (grouping === "none" || when === null) return "~";
  const monday = new Date(when.epochMs);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
}

test("sections hold every job once, the newest first, in the order of the list", async () => {
  const jobs = await readAllHeads(many);
  const cases = fc.record({
    grouping: fc.constantFrom(...JOB_GROUPINGS),
    sort: fc.constantFrom(...JOB_SORTS),
    descending: fc.boolean(),
    agents: fc.subarray(["agent-0", "agent-1", "agent-2", "nobody"], { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ grouping, sort, descending, agents }) => {
      const fitting = jobs.filter(({ groups }) =>
        groups.some(({ group }) => agents.length === 0 || agents.includes(group.agent)),
      );
      const byName = new Map(fitting.map((job) => [job.name, job]));
      const sorted = sortHeads(fitting, sort, descending).flatMap((name) => byName.get(name) ?? []);
      const sections = [...Map.groupBy(sorted, (job) => readSection(job, grouping))].toSorted(
        ([one, a], [other, b]) => {
          const newest = (own: readonly JobHead[]) =>
            Math.max(...own.map(({ when }) => when?.epochMs ?? Number.NEGATIVE_INFINITY));
          return (
            Number(one === "~") - Number(other === "~") || newest(b) - newest(a) || (one < other ? -1 : 1)
          );
        },
      );
      const filter = { grouping, sort, descending, agents };
      const names = sections.flatMap(([, own]) => own.map(({ name }) => name));
      expect((await walk(many.read, filter)).flat()).toEqual(names);
      const all = parseJobsParams({});
      const query = prepareJobsQuery({ ...all, ...filter });
      const order = { ...query.sort, grouping: readGrouping({ ...all, ...filter }) };
      const ids = await listJobIds(many.store, query.selection, order);
      // A file has the order of the pages.
      expect((await readHeads(many.store, ids)).map(({ name }) => name)).toEqual(names);
      const page = await many.read(filter);
      const shown = new Set(page.items.map(({ section }) => section));
      expect(page.sections.map(({ name }) => name).toSorted()).toEqual(
        [...shown].flatMap((name) => name ?? []).toSorted(),
      );
      for (const { name, nJobs, nTrials, costUsd } of page.sections) {
        const at = page.items.findIndex(({ section }) => section === name);
        const own = sections.find(([, members]) => members[0]?.name === page.items[at]?.job.name)?.[1] ?? [];
        expect(nJobs).toBe(own.length);
        expect(nTrials).toBe(own.reduce((sum, job) => sum + job.nTrials, 0));
        const costs = own.flatMap((job) => job.costUsd ?? []);
        expect(costUsd).toBe(costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0));
      }
    }),
    { numRuns: 60 },
  );
});

test("a page shows its position", async () => {
  const { read } = many;
  const first = await read();
  expect(first.items).toHaveLength(JOBS_PAGE_SIZE);
  expect(await read({ page: 2 })).toMatchObject({ nBefore: JOBS_PAGE_SIZE, nMatching: 60 });
  const last = await read({ page: 99 });
  expect(last.nBefore).toBe(50);
  expect(last.items).toHaveLength(10);
});

test("filters combine, and facets count all jobs under any filter", async () => {
  const { read } = many;
  const page = await read({
    agents: ["agent-1"],
    models: ["m1"],
    datasets: ["odd"],
    sort: "job",
    descending: false,
  });
  expect(listNames(page)).toEqual(["run-1", "run-21", "run-41"]);
  expect((await read({ agents: ["agent-0"], datasets: ["odd"] })).items).toEqual([]);
  expect(page.facets.datasets).toEqual([
    { value: "even", count: 30 },
    { value: "odd", count: 30 },
  ]);
  expect(page.facets.agents.map(({ count }) => count)).toEqual([15, 15, 15, 15]);
  const either = await read({ agents: ["agent-0", "agent-1"] });
  expect(either.nMatching).toBe(30);
});

test("the text is looked for in jobs, groups, tasks and trials, and means itself", async () => {
  const { read } = many;
  const find = async (text: string) => listNames(await read({ text, sort: "job", descending: false }));
  expect(await find("RUN-59")).toEqual(["run-59"]);
  expect(await find("task-2__job0005")).toEqual(["run-5"]);
  expect((await read({ text: "agent-3" })).nMatching).toBe(15);
  expect(await find("run_5")).toEqual([]);
  expect(await find("%")).toEqual([]);
});
