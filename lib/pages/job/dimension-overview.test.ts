import { expect, it } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readHead } from "@/lib/store/tables";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { getDimensionOverview } from "./dimension-overview";

interface Attempt {
  readonly task: string;
  readonly agent: "orca" | "lamp";
  readonly rewards?: Readonly<Record<string, number>>;
  readonly details: unknown;
}

/** Six families of one task each; only two of them have `care`. */
const TASKS = ["alpha", "beta", "gamma", "delta", "eps", "zeta"];
const ORCA = [0.8, 0.9, 0.7, 0.6, 1, 0.8];
const LAMP = [0.4, 0.6, 0.2, 0.4, 0.7, 0.7];
const ATTEMPTS: readonly Attempt[] = TASKS.flatMap((task, at) =>
  (["orca", "lamp"] as const).map((agent) => {
    const correctness = (agent === "orca" ? ORCA : LAMP)[at] ?? 0;
    const care = at < 2 ? { care: { score: 1, max_score: 1 } } : {};
    const own = at === 5 ? { polish: { score: 1, max_score: 1 } } : {};
    return {
      task,
      agent,
      details: { correctness: { score: correctness, max_score: 1 }, ...care, ...own },
    };
  }),
);

function listFiles(attempts: readonly Attempt[]) {
  const files: Record<string, unknown> = { "run/result.json": jobResult({ x__aaaaaaa: 1 }) };
  for (const [index, { task, agent, rewards, details }] of attempts.entries()) {
    const name = `${task}__aaaa${String(index).padStart(3, "0")}`;
    files[`run/${name}/result.json`] = trialResult(name, 0.5, {
      task_name: task,
      agent_info: { name: agent, version: "1.0", model_info: { name: "m1", provider: "lab" } },
      ...(rewards === undefined ? {} : { verifier_result: { rewards } }),
    });
    if (details !== null) files[`run/${name}/verifier/details.json`] = details;
  }
  return files;
}

const ORCA_KEY = "orca__m1__bench";
const LAMP_KEY = "lamp__m1__bench";
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describeQueries("overview of a job's dimensions", (engine) => {
  async function openJob(attempts: readonly Attempt[]) {
    const { store } = await indexFolders(engine, [makeFolder(listFiles(attempts))]);
    const job = await readHead(store, "run");
    if (job === null) throw new Error("no job");
    return (groups: readonly string[] = []) => getDimensionOverview(store, job, { groups });
  }

  it("has one row for a dimension of six families of one task each", async () => {
    const open = await openJob(ATTEMPTS);
    const { rows, single, pair, groups } = await open([ORCA_KEY, LAMP_KEY]);
    expect(rows.map(({ name, nTasks }) => [name, nTasks])).toEqual([
      ["correctness", 6],
      ["care", 2],
    ]);
    expect(single.map(({ name, task }) => [name, task])).toEqual([["polish", "zeta"]]);
    expect(pair).toEqual([ORCA_KEY, LAMP_KEY]);
    const [correctness] = rows;
    const of = (key: string) => correctness?.cells[groups.indexOf(key)]?.mean;
    expect(of(ORCA_KEY)).toBeCloseTo(mean(ORCA), 12);
    expect(of(LAMP_KEY)).toBeCloseTo(mean(LAMP), 12);
    expect(correctness?.difference?.difference).toBeCloseTo(mean(ORCA) - mean(LAMP), 12);
    expect([correctness?.n, correctness?.nBelow, correctness?.nMissing]).toEqual([12, 11, 0]);
  });

  it("has no difference for one agent", async () => {
    const open = await openJob(ATTEMPTS);
    expect((await open()).rows[0]?.difference?.difference).toBeDefined();
    const alone = await open([ORCA_KEY]);
    expect([alone.groups, alone.pair, alone.scale, alone.rows[0]?.difference]).toEqual([
      [ORCA_KEY],
      null,
      null,
      null,
    ]);
  });

  it("has a share of loss only if rewards are the mean of their dimensions", async () => {
    const unknown = await (await openJob(ATTEMPTS))();
    expect(unknown.rows.map(({ lossShare }) => lossShare)).toEqual([null, null]);
    const weighed = ATTEMPTS.map(({ task, agent }, at): Attempt => {
      const [a, b] = [(at % 5) / 10, 1];
      return {
        task,
        agent,
        rewards: { reward: Math.round(((3 * a + b) / 4) * 10_000) / 10_000 },
        details: { a: { score: a, max_score: 1, weight: 3 }, b: { score: b, max_score: 1, weight: 1 } },
      };
    });
    const known = await (await openJob(weighed))();
    expect(known.rows.map(({ name, lossShare }) => [name, lossShare])).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
  });

  it("has one row for a reward key and its dimension, or two if their values differ", async () => {
    const make = (task: string, rewards: Readonly<Record<string, number>>) => ({
      ...{ task, agent: "orca" as const, rewards: { reward: 0.5, ...rewards } },
      details: { care: { score: 0.5, max_score: 1 } },
    });
    const alone = { ...make("gamma", { care: 0.25 }), details: null };
    const read = await openJob([make("alpha", { care: 0.5 }), make("beta", { care: 0.5 }), alone]);
    const { rows } = await read();
    expect(rows.map(({ kind, name, n, mean: all }) => [kind, name, n, all])).toEqual([
      ["dimension", "care", 3, (0.5 + 0.5 + 0.25) / 3],
    ]);
    const apart = await openJob([make("alpha", { care: 0.5 }), make("beta", { care: 1 })]);
    expect((await apart()).rows.map(({ kind }) => kind).toSorted()).toEqual(["dimension", "reward-key"]);
  });

  it("counts all dimensions, those of one task and those left out too", async () => {
    const read = await openJob(ATTEMPTS);
    const { all, rows, single } = await read();
    expect(all).toEqual({ n: rows.length + single.length, nBelow: 1, areChecks: false });
    expect(single.map(({ name }) => name)).toEqual(["polish"]);
  });

  it("counts reward keys among the dimensions, and sets those apart that are no shares", async () => {
    const open = await openJob(
      TASKS.map((task, at): Attempt => ({
        task,
        agent: "orca",
        rewards: { reward: at % 2, passed: 3 + at, partial: at / 10 },
        details: null,
      })),
    );
    const { rows, reward, unscaled } = await open();
    expect(rows.map(({ kind, name }) => [kind, name])).toEqual([["reward-key", "partial"]]);
    expect(rows[0]?.cells[0]?.mean).toBeCloseTo(0.25, 12);
    expect(reward?.cells[0]?.mean).toBe(0.5);
    expect(unscaled).toEqual(["passed"]);
  });
});
