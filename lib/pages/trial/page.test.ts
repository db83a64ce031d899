import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { classifyOutcome, type Trial } from "@/lib/core/domain/trial";
import { readTrajectory } from "@/lib/read/loader/detail";
import type { IndexStore, JobHead } from "@/lib/store/tables";
import { makeFolder } from "@/lib/testing/folder.fixture";
import {
  buildBundle,
  buildException,
  buildGroup,
  buildTrial,
  rewards,
} from "@/lib/testing/job-bundle.fixture";

import { openStoredJobs, type StoredJobs } from "../job/stored-job.fixture";
import { locateTrial } from "./locate";
import { findUnreadSteps, readSurroundings } from "./page";

let jobs: StoredJobs;

beforeAll(async () => {
  jobs = await openStoredJobs();
});

afterAll(() => jobs.close());

function buildAttempt(agent: string, taskName: string, attempt: number, over: Partial<Trial> = {}): Trial {
  const trial = buildTrial(`${agent}-${taskName}-${attempt}`, 1, { agent, taskName, attempt, ...over });
  return { ...trial, outcome: classifyOutcome({ ...trial, exceptionType: trial.exception?.type ?? null }) };
}

function storeJob(trials: readonly Trial[]): Promise<JobHead> {
  return jobs.add(buildBundle(trials, [buildGroup({ metrics: [new Map([["mean", 1]])] })]));
}

async function readNeighbours(store: IndexStore, job: JobHead, trialKey: string) {
  const located = await locateTrial(store, job.key, trialKey);
  if (located === null) throw new Error(`${trialKey} was just stored.`);
  return readSurroundings(store, located);
}

test("neighbours follow tasks and attempts of the same agent, model and source", async () => {
  const job = await storeJob([
    buildAttempt("orca", "b", 1),
    buildAttempt("orca", "a", 2, { exception: buildException("AgentTimeoutError"), rewards: null }),
    buildAttempt("lamp", "a", 1),
    buildAttempt("orca", "a", 10),
    buildAttempt("orca", "a", 1),
    buildAttempt("orca", "b", 1, { key: "key-other", trialName: "other", model: "m2" }),
  ]);
  const around = async (key: string) => {
    const { neighbours } = await readNeighbours(jobs.store, job, key);
    return [
      neighbours.previous?.trialName ?? null,
      neighbours.attempts.map((trial) => trial.attempt),
      neighbours.next?.trialName ?? null,
    ];
  };
  expect(await around("key-orca-a-1")).toEqual([null, [1, 2, 10], "orca-a-2"]);
  expect(await around("key-orca-a-2")).toEqual(["orca-a-1", [1, 2, 10], "orca-a-10"]);
  expect(await around("key-orca-b-1")).toEqual(["orca-a-10", [1], null]);
  expect(await around("key-lamp-a-1")).toEqual([null, [1], null]);
  const { neighbours } = await readNeighbours(jobs.store, job, "key-orca-a-1");
  expect(neighbours.attempts[1]).toMatchObject({ outcome: "timeout", exceptionType: "AgentTimeoutError" });
});

test.each([
  ["torn", "{ torn", "json_torn"],
  ["empty", JSON.stringify({ schema_version: "ATIF-v1.4", steps: [] }), null],
  ["absent", null, null],
])(
  "a trajectory that is %s has an unknown number of steps only if it was not read",
  async (_, text, code) => {
    const folder = makeFolder({
      "trial.log": "",
      ...(text === null ? {} : { "agent/trajectory.json": text }),
    });
    const { steps, files, issues } = await readTrajectory(folder);
    const nSteps = files.length === 0 ? null : steps.length;
    expect(findUnreadSteps({ nSteps, issues })?.code ?? null).toBe(code);
  },
);

test("the worst of a trial's reward files, and only its own issues", async () => {
  const differing = { kind: "read", file: "reward.txt", rewards: rewards({ reward: 0 }) } as const;
  const bundle = buildBundle(
    [buildAttempt("orca", "a", 1), buildAttempt("orca", "b", 1, { rewardFile: differing })],
    [],
  );
  const at = (path: string) => ({ code: "json_torn", path, detail: "cut off" }) as const;
  const job = await jobs.add({
    ...bundle,
    issues: [
      at("root/job/orca-a-1"),
      at("root/job/orca-a-1/result.json"),
      at("root/job/orca-a-10/result.json"),
    ],
  });
  const first = await readNeighbours(jobs.store, job, "key-orca-a-1").catch((error: unknown) => error);
  expect(first).toMatchObject({ rewardFigure: { verdict: "exact" } });
  expect((await readNeighbours(jobs.store, job, "key-orca-b-1")).rewardFigure).toMatchObject({
    verdict: "mismatch",
  });
});

test("an unknown key is not found, and a unique name is", async () => {
  const job = await storeJob([buildAttempt("orca", "a", 1)]);
  const find = async (jobKey: string, key: string) =>
    (await locateTrial(jobs.store, jobKey, key))?.trial.key ?? null;
  expect(await find(job.key, "orca-a-1")).toBe("key-orca-a-1");
  expect(await find(job.key, "nobody")).toBeNull();
  expect(await find("no-job", "key-orca-a-1")).toBeNull();
});

/** Counts the rows that queries give. */
function countRows(store: IndexStore): {
  readonly counted: IndexStore;
  readonly read: () => readonly [number, number];
} {
  let nQueries = 0;
  let nRows = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      nQueries++;
      nRows += result.rows.length;
      return Promise.resolve(result);
    },
  };
  return { counted: { ...store, db: store.db.withPlugin(plugin) }, read: () => [nQueries, nRows] };
}

test("the context of a trial takes the same few queries and rows for any job size", async () => {
  const costs = [];
  for (const nTasks of [10, 3_000]) {
    const trials = Array.from({ length: nTasks }, (_, task) =>
      [1, 2].map((attempt) => buildAttempt("orca", `t${String(task).padStart(5, "0")}`, attempt)),
    ).flat();
    const job = await storeJob(trials);
    const { counted, read } = countRows(jobs.store);
    await readNeighbours(counted, job, "key-orca-t00005-1");
    costs.push(read());
  }
  expect(costs[1]).toEqual(costs[0]);
  const [nQueries, nRows] = costs[0] ?? [0, 0];
  expect(nQueries).toBeLessThan(14);
  expect(nRows).toBeLessThan(20);
});

test("every one of those queries is a search by more than the job", async () => {
  const nodes: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const job = await storeJob([buildAttempt("orca", "a", 1), buildAttempt("orca", "b", 1)]);
  const { db } = jobs.store;
  await readNeighbours({ ...jobs.store, db: db.withPlugin(plugin) }, job, "key-orca-a-1");
  const plans: string[] = [];
  for (const node of nodes) {
    const { sql, parameters } = db.getExecutor().compileQuery(node, createQueryId());
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explain);
    plans.push(...rows.map(({ detail }) => `${sql.slice(0, 700)} => ${detail}`));
  }
  expect(plans.length).toBeGreaterThan(5);
  const slow = plans.filter((plan) => /(?:trials|figures|trial_records).*\(job_id=\?\)$|^SCAN/.test(plan));
  expect(slow).toEqual([]);
});
