import { spawn } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { expect, it, onTestFinished } from "vitest";

import {
  type IndexStore,
  openIndexStore,
  readAllTrials,
  readHead,
  readIssues,
  readTrialFailure,
  resolveIndexTarget,
} from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { buildPrograms, startChild } from "./processes.fixture";

const A = "alpha__aaaaaaa";

async function readOutcome(store: IndexStore): Promise<string | undefined> {
  const job = await readHead(store, "run");
  return job === null ? undefined : (await readAllTrials(store, job.rowId))[0]?.outcome;
}

// That another program writes and ends is in `faults.test.ts` too, and an end at any moment in `kill.test.ts`.
itLong()(
  "two processes on one data folder: one writes, the other follows, and takes over when that one is killed",
  async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const environment = { ASSAY_DATA: makeDataFolder() };
    const writer = await startChild([folder], environment, true);
    await writer.waitFor(({ phase }) => phase === "current");
    const follower = await startChild([folder], environment, true);
    const { generation } = await follower.waitFor(({ phase }) => phase === "following");
    const store = await openIndexStore(
      resolveIndexTarget({ roots: [folder], summation: "cpython-3.12" }, environment),
    );
    try {
      expect(await readOutcome(store)).toBe("passed");
      writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 0) });
      await follower.waitFor((status) => status.phase === "following" && status.generation > generation);
      expect(await readOutcome(store)).toBe("failed");

      writer.process.kill("SIGKILL");
      await writer.exit;
      writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 1) });
      const before = follower.status()?.generation ?? 0;
      await follower.waitFor((status) => status.phase === "current" && status.generation > before);
      expect(await readOutcome(store)).toBe("passed");
      expect(await dumpIndex(store)).toEqual(await dumpFresh([folder]));
    } finally {
      await store.close();
    }
  },
);

it("files that are rewritten without end while they are read come out as their last write", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `task${index}__aaaaaaa`);
  const folder = makeFolder(jobFiles("run", Object.fromEntries(names.map((name) => [name, 1]))));
  const results = names.map((name) => [
    `${folder}/run/${name}/result.json`,
    // All of one size, so that only the modification time distinguishes them.
    JSON.stringify(trialResult(name, 0)),
    JSON.stringify(trialResult(name, 1)),
  ]);
  const writer = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     const { writeFileSync } = require("node:fs");
     let round = 0, isLast = false;
     parentPort.on("message", () => (isLast = true));
     function write() {
       const last = isLast;
       for (const [file, zero, one] of workerData) writeFileSync(file, last || round % 2 === 0 ? zero : one);
       round++;
       if (last) { parentPort.postMessage(round); parentPort.close(); } else setImmediate(write);
     }
     write();`,
    { eval: true, workerData: results },
  );
  const done = new Promise<number>((settle) => writer.once("message", settle));
  const index = await openHere([folder], makeDataFolder());
  const { numRuns: nScans } = planRuns({ short: 5, long: 50 });
  for (let scan = 0; scan < nScans; scan++) {
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
  }
  writer.postMessage("end");
  // The last write may fall into any moment of this one.
  await index.refresh();
  expect(await done).toBeGreaterThan(1);
  await index.refresh();
  const job = await readHead(index.store, "run");
  const outcomes = (await readAllTrials(index.store, job?.rowId ?? 0)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(names.map(() => "failed"));
  expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
});

it("a rule that would never end is stopped, and its trials are unexplained and say so", async () => {
  const folder = makeFolder(jobFiles("run", { [A]: 0, beta__bbbbbbb: 0, gamma__ccccccc: 0 }));
  for (const trial of [A, "beta__bbbbbbb"])
    writeFiles(folder, { [`run/${trial}/verifier/test-stdout.txt`]: `${"a".repeat(200)}\n` });
  const data = makeDataFolder();
  const own = (id: string, rest: string) =>
    `[[rule]]\nid = "${id}"\nclass = "task_broken"\nwhy = "Ours."\n${rest}\n`;
  writeFiles(data, {
    "rules.toml": `${own("endless", "match = [{ verifier-output = '(.*)*(.*)*(.*)*x!' }]")}${own("later", 'facts = ["reward-zero"]')}`,
  });
  const child = await startChild([folder], { ASSAY_DATA: data }, false);
  expect(await child.exit).toBe(0);
  const store = await openIndexStore(
    resolveIndexTarget({ roots: [folder], summation: "cpython-3.12" }, { ASSAY_DATA: data }),
  );
  try {
    const { rowId = 0 } = (await readHead(store, "run")) ?? {};
    const trials = await readAllTrials(store, rowId);
    const failures = await Promise.all(trials.map((_, position) => readTrialFailure(store, rowId, position)));
    const stopped = {
      failureClass: "unexplained",
      rule: null,
      why: expect.stringContaining('"endless"') as string,
    };
    expect(failures).toMatchObject([stopped, stopped, { failureClass: "task_broken", rule: "later" }]);
    const { issues } = await readIssues(store, { limit: 10 });
    expect(issues).toMatchObject([
      {
        code: "rule_stopped",
        detail: expect.stringContaining('"endless" took too long, which leaves 2') as string,
      },
    ]);
  } finally {
    await store.close();
  }
});

it.each(["a search of folders", "a regular expression", "a long JSON text", "a loop"])(
  "%s without end ends when the program that it is for was killed",
  async (work) => {
    const { endless } = await buildPrograms();
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const parent = spawn(process.execPath, [endless, folder, work], { stdio: ["ignore", "pipe", "ignore"] });
    // Their common output closes with the last of them.
    const closed = once(parent.stdout, "close");
    const [pid] = (await once(parent.stdout, "data")) as [Buffer];
    let isWorking = true;
    onTestFinished(() => void (isWorking && process.kill(Number(pid), "SIGKILL")));
    parent.kill("SIGKILL");
    await closed;
    isWorking = false;
  },
);
