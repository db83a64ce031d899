import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  type IndexStore,
  readDeterminism,
  readDisagreements,
  readHead,
  readSiblingDetails,
  readSuspectTallies,
  readSuspicions,
} from "@/lib/store/tables";
import {
  type FolderFiles,
  jobFiles,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";

const NAMES = Array.from({ length: 8 }, (_, at) => `task__trial0${at}`);

/** Trials of one task in one job, each with its reward. */
function makeJob(name: string, rewards: readonly number[], over: FolderFiles = {}): FolderFiles {
  const trials = Object.fromEntries(rewards.map((reward, at) => [NAMES[at] ?? "", reward]));
  return { ...jobFiles(name, trials, { id: `id-of-${name}` }), ...over };
}

const fileOf = (job: string, at: number, file: string) => `${job}/${NAMES[at]}/${file}`;

async function idOf(store: IndexStore, name: string): Promise<number> {
  const job = await readHead(store, name);
  if (job === null) throw new Error(`there is no job ${name}`);
  return job.rowId;
}

describeEngines("determinism", (engine) => {
  it("is checked for trials of the same task and output, over all jobs", async () => {
    const folder = makeFolder({
      ...makeJob("first", [1, 0.5, 0, 1], {
        [fileOf("first", 0, "agent/output.md")]: "same",
        [fileOf("first", 1, "agent/output.md")]: "same",
        [fileOf("first", 2, "agent/output.md")]: "another",
        [fileOf("first", 3, "agent/output.md")]: "",
      }),
      ...makeJob("second", [0.5, 0, 1, 1, 0], {
        [fileOf("second", 0, "agent/output.md")]: "same",
        [fileOf("second", 1, "agent/output.md")]: "another",
        [fileOf("second", 2, "agent/output.md")]: "",
        // Another task with the same output is another matter.
        [fileOf("second", 3, "agent/output.md")]: "same",
        [fileOf("second", 3, "result.json")]: trialResult(NAMES[3] ?? "", 1, {
          task_checksum: "cd".repeat(32),
        }),
      }),
    });
    const { store } = await indexFolders(engine, [folder]);
    const first = await idOf(store, "first");
    expect(await readDeterminism(store, first)).toEqual({
      nChecked: 4,
      nShared: 4,
      nDisagreeing: 2,
      nGroups: 1,
      uncompared: new Map(),
      nKnown: 4,
    });
    const second = await idOf(store, "second");
    expect(await readDeterminism(store, second)).toMatchObject({ nChecked: 4, nShared: 3, nDisagreeing: 1 });
    const [group, ...others] = await readDisagreements(store, first, 10);
    expect(others).toEqual([]);
    expect(group?.nTrials).toBe(3);
    expect(group?.trials.map(({ jobKey, key, rewards }) => [jobKey, key, ...rewards.flat()])).toEqual([
      ["first", NAMES[0], "reward", "1"],
      ["first", NAMES[1], "reward", "0.5"],
      ["second", NAMES[0], "reward", "0.5"],
    ]);
    expect(await readDisagreements(store, first, 10, 2)).toEqual([]);
    expect(await readDisagreements(store, second, 10, 0)).toHaveLength(1);
  });

  it("counts every reward key, takes 1 and 1.0 as equal, and says who is not compared", async () => {
    const rewards = (at: number, all: Readonly<Record<string, number>> | null, over: FolderFiles = {}) => ({
      [fileOf("run", at, "agent/output.md")]: "same",
      [fileOf("run", at, "result.json")]: trialResult(NAMES[at] ?? "", null, {
        verifier_result: all === null ? null : { rewards: all },
        ...over,
      }),
    });
    const raised = { exception_type: "VerifierTimeoutError", exception_message: "", exception_traceback: "" };
    const { store } = await indexFolders(engine, [
      makeFolder(
        makeJob("run", [1, 1, 1, 1, 1, 1, 1], {
          ...rewards(0, { reward: 1, speed: 1 }),
          ...rewards(1, { speed: 1, reward: 1 }),
          ...rewards(2, { reward: 1, speed: 0.5 }),
          ...rewards(3, null),
          ...rewards(4, { reward: 1, speed: 1 }, { task_checksum: null }),
          ...rewards(5, { reward: 0, speed: 1 }, { exception_info: raised }),
        }),
      ),
    ]);
    const job = await idOf(store, "run");
    expect(await readDeterminism(store, job)).toEqual({
      nChecked: 3,
      nShared: 3,
      nDisagreeing: 3,
      nGroups: 1,
      uncompared: new Map([
        ["no_reward", 1],
        ["task_unknown", 1],
        ["verifier_failed", 1],
      ]),
      nKnown: 6,
    });
    const [group] = await readDisagreements(store, job, 1);
    expect(group?.trials.map(({ rewards: all }) => all.map(([, text]) => text).join())).toEqual([
      "1,1",
      "1,1",
      "1,0.5",
    ]);
  });
});

const CRASH = `Traceback (most recent call last):\n  File "/tests/verify.py", line 4, in <module>\nKeyError: 'x'\n`;

describeEngines("suspicion", (engine) => {
  it("falls on a 0 without details next to trials with some, and on a 0 with a traceback", async () => {
    const details = { speed: 0 };
    const { store } = await indexFolders(engine, [
      makeFolder({
        ...makeJob("run", [0, 0, 0, 1, 0.5], {
          [fileOf("run", 0, "verifier/details.json")]: details,
          [fileOf("run", 2, "verifier/details.json")]: details,
          [fileOf("run", 2, "verifier/test-stdout.txt")]: `go\n${CRASH}`,
          // Not a 0, so it is not checked.
          [fileOf("run", 4, "verifier/test-stdout.txt")]: CRASH,
        }),
        // No trial here has details, so a 0 without them is a plain 0.
        ...makeJob("bare", [0, 0, 1]),
      }),
    ]);
    const run = await idOf(store, "run");
    expect([...(await readSuspicions(store, run))]).toEqual([
      [NAMES[1], { traceback: null, lacksDetails: true }],
      [NAMES[2], { traceback: { file: "verifier/test-stdout.txt", line: 2 }, lacksDetails: false }],
    ]);
    expect([...(await readSuspicions(store, run, [NAMES[2] ?? ""])).keys()]).toEqual([NAMES[2]]);
    expect(await readSuspectTallies(store)).toMatchObject([
      { jobRowId: run, nTrials: 2, nTraceback: 1, nLackDetails: 1 },
    ]);
    expect(await readSuspectTallies(store, await idOf(store, "bare"))).toEqual([]);
    const trial = { position: 1, taskName: "task", taskDigest: "ab".repeat(32) };
    expect(await readSiblingDetails(store, run, trial)).toEqual({
      nOthers: 4,
      nWithDetails: 2,
      nZero: 2,
      nZeroWithDetails: 2,
      nElsewhere: 0,
    });
    const bare = await readSiblingDetails(store, await idOf(store, "bare"), { ...trial, position: 0 });
    expect(bare).toMatchObject({ nWithDetails: 0, nElsewhere: 2 });
  });
});

it("is as the files say after they changed", async () => {
  const folder = makeFolder(
    makeJob("run", [0, 1], {
      [fileOf("run", 1, "verifier/details.json")]: { speed: 1 },
      [fileOf("run", 0, "agent/output.md")]: "same",
      [fileOf("run", 1, "agent/output.md")]: "same",
    }),
  );
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  const job = await idOf(index.store, "run");
  expect((await readSuspicions(index.store, job)).size).toBe(1);
  expect((await readDeterminism(index.store, job)).nDisagreeing).toBe(2);
  writeFiles(folder, {
    [fileOf("run", 0, "verifier/details.json")]: { speed: 0 },
    [fileOf("run", 0, "agent/output.md")]: "other",
  });
  await index.rescan();
  expect((await readSuspicions(index.store, job)).size).toBe(0);
  expect(await readDeterminism(index.store, job)).toMatchObject({ nChecked: 2, nShared: 0, nDisagreeing: 0 });
  expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
});
