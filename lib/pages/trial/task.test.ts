import { expect, it } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import type { IndexStore } from "@/lib/store/tables";
import { makeFolder, jobFiles, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders, openCounted } from "@/lib/testing/index.fixture";
import { regradeFiles } from "@/lib/testing/lineage.fixture";

import { locateTrial } from "./locate";
import { readTaskAround } from "./task";

/** A job of attempts at the task alpha: the tests that fail in each, and its score in one dimension. */
function makeJob(name: string, trials: Readonly<Record<string, readonly [number, ...string[]]>>) {
  const rewards = Object.fromEntries(Object.keys(trials).map((trial) => [trial, 0]));
  const files = { ...jobFiles(name, rewards) };
  for (const [trial, [speed, ...failed]] of Object.entries(trials)) {
    const tests = ["a", "b", "c"].map((test) => ({
      name: test,
      status: failed.includes(test) ? "failed" : "passed",
      duration: 1,
    }));
    const summary = { tests: 3, passed: 3 - failed.length, failed: failed.length };
    files[`${name}/${trial}/verifier/ctrf.json`] = { results: { tool: { name: "t" }, summary, tests } };
    files[`${name}/${trial}/verifier/details.json`] = { speed };
  }
  return files;
}

async function readAround(store: IndexStore, job: string, trial: string, counted = store) {
  const located = await locateTrial(store, job, trial);
  if (located === null) throw new Error(`${trial} was just indexed.`);
  return readTaskAround(counted, located, { tests: ["a", "b"], dimensions: ["speed", "none"] }, () => 1);
}

describeQueries("the task of a trial", (engine) => {
  it("counts trials that fail a test, and shows how the others score, over all jobs", async () => {
    const folder = makeFolder({
      ...makeJob("one", { alpha__aaaaaaa: [0.25, "a", "b"], alpha__aaaaaab: [0.5, "a"] }),
      ...makeJob("two", { alpha__aaaaaac: [1] }),
      // Says nothing of tests, and another task of the same name.
      ...jobFiles("three", { alpha__aaaaaad: 1, alpha__aaaaaae: 0 }),
      "three/alpha__aaaaaae/result.json": trialResult("alpha__aaaaaae", 0, {
        task_checksum: "cd".repeat(32),
      }),
    });
    const { store } = await indexFolders(engine, [folder]);
    const around = await readAround(store, "one", "alpha__aaaaaaa");
    expect(around).toMatchObject({ nTrials: 4, isAtLeast: false });
    expect([...around.failures].toSorted()).toEqual([
      ["a", { nFailed: 2, nAgents: 1, nTested: 3, nTestedAgents: 1, nAssumed: 0 }],
      ["b", { nFailed: 1, nAgents: 1, nTested: 3, nTestedAgents: 1, nAssumed: 0 }],
    ]);
    const speed = around.others.get("speed");
    expect(speed?.shares.toSorted()).toEqual([0.5, 1]);
    expect(speed?.mean).toBe(0.75);
    expect(around.others.has("none")).toBe(false);
    // The only one that passed, before the attempt of its own job.
    expect(around.counterpart).toEqual({ jobKey: "three", trialKey: "alpha__aaaaaad" });
    // Its own job's attempts are elsewhere on the page.
    const places = around.groups.map(({ jobName, attempts }) => [jobName, attempts.length]);
    expect(places.toSorted()).toEqual([
      ["three", 1],
      ["two", 1],
    ]);
  });

  it("does not count trials whose report lacks a test, unless the report lists only failed tests", async () => {
    const files: Record<string, unknown> = {
      ...makeJob("own", { alpha__aaaaaaa: [0, "a"] }),
      ...makeJob("same", { alpha__aaaaaab: [0] }),
      ...makeJob("other", { alpha__aaaaaac: [0], alpha__aaaaaad: [0] }),
    };
    files["other/alpha__aaaaaac/verifier/ctrf.json"] = {
      results: {
        tool: { name: "t" },
        summary: { tests: 2, passed: 2, failed: 0 },
        tests: ["d", "ab"].map((name) => ({ name, status: "passed", duration: 1 })),
      },
    };
    delete files["other/alpha__aaaaaad/verifier/ctrf.json"];
    files["other/alpha__aaaaaad/verifier/test-stdout.txt"] =
      "=== short test summary info ===\nFAILED tests/test_it.py::d - assert 1 == 2\n=== 1 failed, 2 passed in 0.10s ===\n";
    const { store } = await indexFolders(engine, [makeFolder(files)]);
    const { failures } = await readAround(store, "own", "alpha__aaaaaaa");
    expect([...failures]).toEqual([
      ["a", { nFailed: 1, nAgents: 1, nTested: 3, nTestedAgents: 1, nAssumed: 1 }],
    ]);
  });

  it("counts a rollout once: neither its regrades nor its copies under another name", async () => {
    const copy = makeJob("one", { alpha__aaaaaaa: [0, "a"] });
    const copied = Object.fromEntries(
      Object.entries(copy).map(([path, content]) => [path.replace("one/", "copy/"), content]),
    );
    const index = await indexFolders(engine, [makeFolder({ ...copy, ...copied })]);
    expect(await readAround(index.store, "one", "alpha__aaaaaaa", await openCounted(index))).toMatchObject({
      nTrials: 1,
      groups: [],
    });

    const regraded = await indexFolders(engine, [makeFolder(regradeFiles())]);
    const around = await readAround(regraded.store, "source", "alpha__aaaaaab");
    expect(around.groups).toEqual([]);
  });
});
