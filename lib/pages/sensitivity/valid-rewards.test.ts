import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { openIndex } from "@/lib/store/indexer";
import { readDatasetTrials, readHead } from "@/lib/store/tables";

import { listDatasets } from "../datasets/list";
import { readRuleScores } from "../job/figures";
import { computeRate } from "../tasks/counted";
import { readScoredTallies } from "./job";

const CORPUS = join(import.meta.dirname, "../../core/verification/corpus/jobs/0.26.0");

const resultSchema = z.object({
  stats: z.object({
    evals: z.record(
      z.string(),
      z.object({ n_trials: z.number(), metrics: z.array(z.record(z.string(), z.number())) }),
    ),
  }),
});

const trialSchema = z.object({
  task_name: z.string(),
  reward_valid: z.boolean(),
  verifier_result: z.object({ rewards: z.record(z.string(), z.number()).nullable() }).nullable(),
});

/** Mean of the rewards of a job that result.json calls valid, by task; of trials with a single reward. */
function readTaskMeans(folder: string): ReadonlyMap<string, number> {
  const trials = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && readdirSync(join(folder, entry.name)).includes("result.json")
      ? [
          trialSchema.parse(
            JSON.parse(readFileSync(join(folder, entry.name, "result.json"), "utf8")) as unknown,
          ),
        ]
      : [],
  );
  const valid = trials.filter(({ reward_valid: isValid }) => isValid);
  return new Map(
    [...Map.groupBy(valid, (trial) => trial.task_name)].map(([task, own]) => {
      const values = own.flatMap((trial) => Object.values(trial.verifier_result?.rewards ?? {}));
      return [task, values.reduce((sum, value) => sum + value, 0) / values.length];
    }),
  );
}

async function openCorpus() {
  const data = mkdtempSync(join(tmpdir(), "valid-"));
  const scenarios = readdirSync(CORPUS).filter((name) => name.startsWith("policy-"));
  const roots = scenarios.map((name) => join(CORPUS, name));
  const index = await openIndex({ roots, environment: { ASSAY_DATA: data } });
  onTestFinished(async () => {
    await index.close();
    rmSync(data, { recursive: true, force: true });
  });
  await index.refresh();
  await index.settle();
  return index;
}

it("counts and averages the trials that Harbor 0.26 counts", async () => {
  const index = await openCorpus();
  const jobs = await index.store.db.selectFrom("jobs").select("key").execute();
  let nCompared = 0;
  let nLeftOut = 0;
  for (const { key } of jobs) {
    const head = await readHead(index.store, key);
    if (head === null || !head.hasRecordedStats) continue;
    const text = readFileSync(join(head.path, "result.json"), "utf8");
    const { evals } = resultSchema.parse(JSON.parse(text)).stats;
    const tallies = await readScoredTallies(index.store, { first: head.rowId, last: head.rowId });
    for (const { group, interval, nFinished } of head.groups) {
      const recorded = evals[group.key];
      if (recorded === undefined) continue;
      const own = tallies.filter(({ groupKey }) => groupKey === group.key);
      expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(recorded.n_trials);
      const mean = recorded.metrics[0]?.["mean"];
      if (mean === undefined) expect(interval.kind === "computed" && recorded.n_trials === 0).toBe(false);
      else expect(interval.kind === "computed" ? interval.mean : null).toBeCloseTo(mean, 12);
      nCompared += 1;
      nLeftOut += nFinished - recorded.n_trials;
    }
  }
  expect(nCompared).toBeGreaterThan(5);
  expect(nLeftOut).toBeGreaterThan(5);
});

it("uses the same trials for the shares of passed tasks", async () => {
  const { store } = await openCorpus();
  const [dataset] = await listDatasets(store);
  const { trials } = await readDatasetTrials(store, { groups: dataset?.groups ?? [], tasks: null }, 1_000);
  const rates = { job: 0, page: 0, recorded: 0 };
  for (const [key, own] of Map.groupBy(trials, ({ jobKey }) => jobKey)) {
    const head = await readHead(store, key);
    const tasks = await store.db
      .selectFrom("tasks")
      .select(["nEnded"])
      .where("jobRowId", "=", head?.rowId ?? -1)
      .execute();
    const text = readFileSync(join(head?.path ?? "", "result.json"), "utf8");
    const { evals } = resultSchema.parse(JSON.parse(text)).stats;
    rates.job += tasks.reduce((sum, { nEnded }) => sum + nEnded, 0);
    const rate = computeRate(own);
    rates.page += rate.kind === "computed" ? rate.n : 0;
    rates.recorded += Object.values(evals).reduce((sum, { n_trials: n }) => sum + n, 0);
  }
  expect(trials.length).toBeGreaterThan(rates.recorded);
  expect([rates.job, rates.page]).toEqual([rates.recorded, rates.recorded]);
});

it("averages the valid rewards of a task", async () => {
  const index = await openCorpus();
  const job = await readHead(index.store, "policy-none-valid");
  const tasks = await index.store.db
    .selectFrom("tasks")
    .select(["taskName", "meanReward"])
    .where("jobRowId", "=", job?.rowId ?? -1)
    .execute();
  const means = readTaskMeans(job?.path ?? "");
  expect(tasks.length).toBeGreaterThan(1);
  for (const { taskName, meanReward } of tasks)
    expect(meanReward).toBeCloseTo(means.get(taskName) ?? NaN, 12);
});

it("scores each group by the rule of its job as the job's page does", async () => {
  const index = await openCorpus();
  const jobs = await index.store.db.selectFrom("jobs").select("key").execute();
  const heads = await Promise.all(jobs.map(({ key }) => readHead(index.store, key)));
  const found = heads.filter((head) => head !== null);
  expect(found.length).toBeGreaterThan(5);
  for (const head of found) {
    const own = (await readRuleScores(index.store, head)).map(({ scores }) =>
      scores.filter(({ isRecorded }) => isRecorded).map(({ rule, result }) => ({ rule, result })),
    );
    expect(own).toEqual(head.groups.map(({ interval }) => [{ rule: head.scoringRule, result: interval }]));
  }
});
