import { expect, it } from "vitest";

import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { readScannersPage } from "./scanners";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const C = "gamma__ccccccc";

const trace = (command: string) => ({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1" },
  steps: [
    {
      step_id: 1,
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command } }],
    },
    { step_id: 2, source: "agent", message: "Done." },
  ],
});

it("counts hits out of the trials that a scanner could look through, and none while a new one has not run", async () => {
  const folder = makeFolder({
    ...jobFiles("run", { [A]: 1, [B]: 0 }),
    [`run/${A}/agent/trajectory.json`]: trace("ls"),
    [`run/${B}/agent/trajectory.json`]: trace("echo 1 > /logs/verifier/reward.txt"),
    [`run/${C}/result.json`]: trialResult(C, 0),
    [`run/${C}/verifier/test-stdout.txt`]: "test.sh: line 3: uvx: command not found",
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  await index.settle();
  const { store } = index;
  const page = await readScannersPage(store);
  expect(page).toMatchObject({ nTrials: 3, nWithSteps: 2, nFilesOnly: 1, nUnopened: 0, nToScan: 0 });
  const find = (id: string) => page.rows.find(({ scanner }) => scanner.id === id);
  expect(find("reward-written")).toMatchObject({
    nFound: 1,
    rate: { count: 1, n: 2 },
    nPassed: 0,
    nFailed: 1,
    nOther: 0,
    jobs: [{ jobKey: "run", nFound: 1, rate: { n: 2 } }],
  });
  expect(find("verifier-setup-failed")).toMatchObject({ nFound: 1, rate: { count: 1, n: 3 } });

  await store.db.updateTable("jobs").set({ hasScans: 0 }).execute();
  const pending = await readScannersPage(store);
  expect(pending).toMatchObject({ nTrials: 3, nWithSteps: 0, nToScan: 3 });
  expect(pending.rows.map(({ nFound, rate }) => [nFound, rate.kind])).toEqual(
    pending.rows.map(() => [0, "unavailable"]),
  );
});
