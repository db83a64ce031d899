import { expect, test } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { attemptFiles, raised } from "@/lib/testing/attempts.fixture";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { listDatasets } from "../datasets/list";
import { readDatasetHealth, selectHealthPage } from "./health";
import { readTaskPage } from "./page";

const OLD = "0".repeat(64);
const late = raised("AgentTimeoutError", "m");
const FILES = {
  ...attemptFiles("run", [
    { task: "broken", reward: 0 },
    { task: "empty", reward: 1 },
    { task: "slow", reward: null, over: late },
    { task: "slow", reward: null, over: late },
    { task: "coin", reward: 1 },
    { task: "coin", reward: 0 },
    { task: "coin", reward: 1 },
    { task: "coin", reward: 0 },
    { task: "coin", reward: 1 },
    { task: "easy", reward: 1 },
  ]),
  ...attemptFiles("old", [
    { task: "easy", reward: 0, over: { task_checksum: OLD, started_at: "2025-01-01T00:00:00Z" } },
  ]),
  ...attemptFiles("ref", [
    { task: "broken", reward: 0, agent: "oracle" },
    { task: "easy", reward: 1, agent: "oracle" },
    { task: "empty", reward: 1, agent: "nop" },
  ]),
  ...attemptFiles("far", [{ task: "easy", reward: 0, over: { source: "other" } }]),
};

describeQueries("task health", (engine) => {
  test("lists each task once, under its worst problem, and names the limits of the data", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const datasets = await listDatasets(store);
    const bench = datasets.find(({ id }) => id === "bench");
    const health = await readDatasetHealth(store, bench?.groups ?? []);
    expect(
      health.tasks.map(({ taskName, evidence: [worst], rate }) => [
        taskName,
        worst?.problem,
        worst === undefined ? null : `${String(worst.n)} of ${String(worst.of)}`,
        rate.kind === "computed" ? `${String(rate.count)} of ${String(rate.n)}` : rate.reason,
      ]),
    ).toEqual([
      ["broken", "failed-by-oracle", "1 of 1", "0 of 1"],
      ["empty", "solved-by-nop", "1 of 1", "1 of 1"],
      ["slow", "timeouts-only", "2 of 2", "0 of 2"],
      ["coin", "flaky", "1 of 1", "3 of 5"],
      ["easy", "always-solved", "1 of 1", "1 of 1"],
    ]);
    expect(health.tasks[0]?.evidence[0]?.trials).toMatchObject([{ jobKey: "ref", agent: "oracle" }]);
    // Two attempts of five that passed thrice end alike in (3 + 1) of 10 pairs.
    expect(health.tasks[3]?.evidence[0]?.value).toBeCloseTo(0.4, 12);
    expect(health.tasks[4]).toMatchObject({ nOtherVersion: 1, hasOracle: true, hasNop: false });
    expect(health).toMatchObject({ nOracle: 2, nNop: 1, nRuns: 1, medianCostUsd: null, isCut: false });

    const page = selectHealthPage(health, { problems: [], page: 1 });
    expect(page.list.rows.map(({ taskName }) => taskName)).toEqual(["broken", "empty", "slow", "coin"]);
    expect(page.folded.map(({ problem, n }) => [problem, n])).toEqual([["always-solved", 1]]);
    expect(page).toMatchObject({ nWrong: 2, wrong: ["broken", "empty"], nNothing: 1, nTasks: 5 });
    const flaky = selectHealthPage(health, { problems: ["flaky"], page: 1 });
    expect(flaky.list.rows.map(({ taskName }) => taskName)).toEqual(["coin"]);
    expect(flaky.folded).toEqual([]);
    const order = (descending: boolean) =>
      selectHealthPage(health, { problems: [], page: 1, sort: "passed", descending }).list.rows.map(
        ({ taskName }) => taskName,
      );
    expect(order(false)).toEqual(["slow", "broken", "coin", "easy", "empty"]);
    expect(order(true)).toEqual(["easy", "empty", "coin", "slow", "broken"]);
  });

  test("a task page counts one version of one dataset, and the reference agents apart", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const datasets = await listDatasets(store);
    const read = (params: { dataset: string | null; version: string | null }) =>
      readTaskPage(store, datasets, "easy", params, () => 1);
    const bench = await read({ dataset: "bench", version: null });
    expect(bench?.rate).toMatchObject({ count: 1, n: 1 });
    expect(bench).toMatchObject({ nOtherVersion: 1, nAgents: 1, nJobs: 1 });
    expect(bench?.agents.map(({ agent, runs }) => [agent, runs.map((run) => run.attempts.length)])).toEqual([
      ["orca", [1, 1]],
    ]);
    expect(bench?.references.map(({ agent }) => agent)).toEqual(["oracle"]);
    expect(bench?.otherDatasets.map(({ id }) => id)).toEqual(["other"]);
    expect(bench?.versions.map(({ digest, isCounted }) => [digest === OLD, isCounted])).toEqual([
      [false, true],
      [true, false],
    ]);
    const old = await read({ dataset: "bench", version: OLD });
    expect(old?.rate).toMatchObject({ count: 0, n: 1 });
    expect((await read({ dataset: "other", version: null }))?.rate).toMatchObject({ count: 0, n: 1 });
    expect(await read({ dataset: "nowhere", version: null })).toBeNull();
  });

  test("tells a verifier that failed without a reward from one that left one", async () => {
    const over = raised("VerifierTimeoutError", "m");
    const files = attemptFiles("cut", [
      { task: "cut", reward: null, over },
      { task: "cut", reward: 0, over },
      { task: "cut", reward: 1 },
    ]);
    const { store } = await indexFolders(engine, [makeFolder(files)]);
    const [bench] = await listDatasets(store);
    const { tasks } = await readDatasetHealth(store, bench?.groups ?? []);
    expect(tasks[0]?.evidence[0]).toMatchObject({ problem: "verifier-crashes", n: 2, of: 3, value: 1 });
  });

  test("names no exception of the agent as evidence about a verifier", async () => {
    const over = raised("AgentTimeoutError", "late");
    const files = attemptFiles("cut", [
      { task: "cut", reward: 0, over },
      { task: "cut", reward: null, over: raised("VerifierTimeoutError", "m") },
    ]);
    const traceback = 'Traceback (most recent call last):\n  File "/tests/run.py", line 1\nValueError: x\n';
    const folder = makeFolder({ ...files, "cut/cut__cut0000/verifier/test-stdout.txt": traceback });
    const { store } = await indexFolders(engine, [folder]);
    const [bench] = await listDatasets(store);
    const { tasks } = await readDatasetHealth(store, bench?.groups ?? []);
    expect(tasks[0]?.evidence[0]).toMatchObject({
      problem: "verifier-crashes",
      n: 2,
      exceptions: ["VerifierTimeoutError"],
    });
  });
});
