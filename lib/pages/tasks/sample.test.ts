import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { z } from "zod";

import { freshSqlite } from "@/lib/store/database/postgres.fixture";
import type { IndexStore } from "@/lib/store/tables";
import { indexFolders } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import { type Dataset, listDatasets } from "../datasets/list";
import { readTaskPageTests } from "./detail";
import { readDatasetHealth } from "./health";
import { readTaskPage } from "./page";

/** The parts of a result.json that are counted here, read without any of the code under test. */
const resultSchema = z.object({
  id: z.string(),
  task_name: z.string(),
  source: z.string().nullish(),
  task_checksum: z.string().nullish(),
  agent_info: z.object({ name: z.string() }),
  verifier_result: z.object({ rewards: z.record(z.string(), z.number()).nullish() }).nullish(),
});

/** The largest job of the samples has three times the trials, of the same kinds. */
const JOB = IS_LONG_RUN ? "tb2-baseline" : "tb2-orca-next";

type Result = z.output<typeof resultSchema>;

function readResults(folder: string): readonly Result[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name, "result.json"))
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const parsed = resultSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
      return parsed.success ? [parsed.data] : [];
    });
}

/** Compares each task's page with the files; how many attempts the pages have marks of. */
async function compareTasks(
  store: IndexStore,
  datasets: readonly Dataset[],
  source: string,
  results: readonly Result[],
): Promise<number> {
  let nShown = 0;
  for (const [task, own] of Map.groupBy(results, ({ task_name }) => task_name)) {
    const page = await readTaskPage(store, datasets, task, { dataset: source, version: null }, () => 1);
    for (const agent of new Set(own.map(({ agent_info }) => agent_info.name))) {
      const attempts = own.filter(({ agent_info }) => agent_info.name === agent);
      const passed = attempts.filter(
        ({ verifier_result }) => (verifier_result?.rewards?.["reward"] ?? 0) >= 1,
      );
      const run = page?.agents
        .filter((one) => one.agent === agent)
        .flatMap(({ runs }) => runs)
        .find(({ jobKey }) => jobKey === JOB);
      expect([task, agent, run?.nCounted, run?.nPassed]).toEqual([
        task,
        agent,
        attempts.length,
        passed.length,
      ]);
      nShown += run?.attempts.length ?? 0;
    }
  }
  return nShown;
}

test("attempts and passes of every task of a job are those of its result files", async () => {
  const job = join(getSampleFolder(), JOB);
  const engine = { name: "sqlite" as const, freshTarget: () => Promise.resolve(freshSqlite()) };
  const { store } = await indexFolders(engine, [job]);
  const datasets = await listDatasets(store);
  const results = readResults(job);
  const source = results[0]?.source ?? "";
  const dataset = datasets.find(({ id }) => id === source);
  const groups = (dataset?.groups ?? []).filter(({ key }) => key.endsWith(source));
  expect(groups.length).toBeGreaterThan(0);
  const nShown = await compareTasks(store, datasets, source, results);
  expect(nShown).toBe(results.length);
  const byTask = Map.groupBy(results, ({ task_name }) => task_name);
  const health = await readDatasetHealth(store, groups);
  const never = health.tasks.filter(({ evidence }) =>
    evidence.some(({ problem }) => problem === "never-solved"),
  );
  expect(health.tasks).toHaveLength(byTask.size);
  for (const { taskName, rate } of never) expect([taskName, rate]).toMatchObject([taskName, { count: 0 }]);
  const [first] = byTask.keys();
  const page = await readTaskPage(store, datasets, first ?? "", { dataset: source, version: null }, () => 1);
  if (page === null) throw new Error("no page");
  const tests = await readTaskPageTests(store, page);
  expect(tests.nTested + tests.nUntested).toBe(page.rate.kind === "computed" ? page.rate.n : 0);
});
