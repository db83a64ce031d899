import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

import { describe, expect, it } from "vitest";

import { freshPostgres, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { jobFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { dumpIndex, indexFolders } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import {
  type IndexStore,
  readCatalogFacets,
  readAgentModels,
  readHeads,
  readIssues,
  readJobFacets,
  readJobs,
  readRoots,
  readTasks,
  readTotals,
  readTrialFacets,
  readTrials,
} from "./index";
import { EVERY_TASK, EVERY_TRIAL } from "./read/selection.fixture";

/** Trials compared per sample job. */
const { numRuns: N_TRIALS, seed } = planRuns({ short: 12, long: Infinity });

const ENGINES = [
  { name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) },
  { name: "postgres", freshTarget: freshPostgres },
] as const;

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Queries of pages for every job, without row numbers. */
async function readEverything(store: IndexStore): Promise<unknown> {
  const sort = { by: "finished", descending: true } as const;
  const page = await readJobs(store, { text: "", isReports: false, facets: {} }, sort, {
    from: 0,
    limit: 25,
  });
  const mismatches = await store.db
    .selectFrom("figures")
    .select("path")
    .where("verdict", "=", "mismatch")
    .execute();
  expect(page.nMismatched).toBe(mismatches.length);
  expect(mismatches.length).toBeGreaterThan(0);
  const ids = page.rows.map(({ rowId: id }) => id);
  const jobs = await readHeads(store, ids);
  const perJob: unknown[] = [];
  for (const { rowId: id, version: _, ...head } of jobs) {
    perJob.push([
      { ...head, id: 0 },
      await readJobFacets(store, id),
      await readTasks(
        store,
        id,
        EVERY_TASK,
        { by: "passedShare", descending: true },
        { from: 30, limit: 30 },
      ),
      await readSomeTrials(store, id),
    ]);
  }
  const grouped = [];
  for (const grouping of ["benchmark", "week", "folder"] as const) {
    const { rows, sections } = await readJobs(
      store,
      { text: "", isReports: false, facets: {} },
      { ...sort, grouping },
      { from: 5, limit: 10 },
    );
    expect(sections.length).toBeGreaterThan(0);
    // Engines add costs in different orders.
    grouped.push({
      keys: rows.map(({ key }) => key),
      sections: sections.map((own) => ({ ...own, costUsd: own.costUsd?.toPrecision(12) })).toSorted(byName),
    });
  }
  return {
    grouped,
    jobs: { n: page.nMatching, nTrials: page.nTrials, nMismatched: page.nMismatched },
    perJob,
    facets: await readCatalogFacets(store),
    trials: await readSomeTrials(store, null),
    trialFacets: await readTrialFacets(store),
    roots: await readRoots(store),
    totals: await readTotals(store),
    agentModels: await readAgentModels(store),
    issues: await readIssues(store, { limit: 1000 }),
    searched: await readIssues(store, { text: "RESULT", limit: 1000 }),
  };
}

async function readSomeTrials(store: IndexStore, jobs: number | null): Promise<unknown> {
  const order = { by: "cost", descending: false } as const;
  const page = await readTrials(store, jobs, EVERY_TRIAL, order, { from: 30, limit: 30 });
  return { ...page, rows: page.rows.map((row) => ({ ...row, jobRowId: 0 })) };
}

/** Folders of all but a few trials of each sample job, which are like the others of their job. */
function listMoreTrials(): readonly string[] {
  return readdirSync(getSampleFolder()).flatMap((job) => {
    const path = join(getSampleFolder(), job);
    if (!statSync(path).isDirectory()) return [];
    const trials = readdirSync(path).filter((name) => existsSync(join(path, name, "result.json")));
    const nMore = Math.max(0, trials.length - N_TRIALS);
    return new Random(`${String(seed)} ${job}`)
      .sample(trials.toSorted(), nMore)
      .map((name) => join(job, name));
  });
}

describe("the two engines", () => {
  it("hold the same of the same folders, row for row, and answer the same", async () => {
    const folder = makeFolder({
      ...jobFiles("plain", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 }),
      ...jobFiles("Run-10", { alpha__ccccccc: 1 }, { id: "ten" }),
      ...jobFiles("run-2", { alpha__ddddddd: 1 }, { id: "ten" }),
      "odd/result.json": jobResult({ x__aaaaaaa: 1 }, { id: "nul\0 \ud800" }),
      "odd/n__aaaaaaa/result.json": JSON.stringify(
        trialResult("n__aaaaaaa", 4242.5, {
          task_name: "\0\ud800\u{FFFD}",
          agent_result: { cost_usd: 1e308 },
        }),
      ).replace("4242.5", "NaN"),
      "odd/m__aaaaaaa/result.json": JSON.stringify(
        trialResult("m__aaaaaaa", 4242.5, { agent_result: { cost_usd: 1e308, n_input_tokens: 1e300 } }),
      ).replace("4242.5", "-Infinity"),
      "odd/o__aaaaaaa/result.json": JSON.stringify(trialResult("o__aaaaaaa", 4242.5)).replace(
        "4242.5",
        "Infinity",
      ),
      "odd/p__aaaaaaa/result.json": "{",
    });
    // The same kinds as others, with most of all trials.
    const similar = ["tb2-orca-next", "tb2-canary-running", "swe-mini-31", "terminal-mix-oracle"];
    const skipped = new Set(["tb2-baseline", ...(IS_LONG_RUN ? [] : similar), ...listMoreTrials()]);
    cpSync(getSampleFolder(), `${folder}/samples`, {
      recursive: true,
      filter: (from) => !skipped.has(relative(getSampleFolder(), from)),
    });
    mkdirSync(`${folder}/nothing`);
    const other = makeFolder(jobFiles("plain", { alpha__aaaaaaa: 1 }), "other");
    const answers: unknown[] = [];
    const dumps: Awaited<ReturnType<typeof dumpIndex>>[] = [];
    for (const engine of ENGINES) {
      const { store } = await indexFolders(engine, [folder, other]);
      answers.push(await readEverything(store));
      dumps.push(await dumpIndex(store));
    }
    expect(dumps[0]?.["trials"]?.length).toBeGreaterThan(100);
    expect(dumps[1]).toEqual(dumps[0]);
    expect(answers[1]).toEqual(answers[0]);
  });
});
