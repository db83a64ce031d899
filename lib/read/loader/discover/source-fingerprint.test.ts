import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import {
  dropRights,
  jobFiles,
  jobResult,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";

import {
  describeSource,
  discoverJobs,
  DiscoveryMemo,
  isSameSource,
  isSourceUnchanged,
  readJob,
  stampTrial,
  MemoryBudget,
} from "..";
import type { JobReading } from "../harbor/read-job";
import { readTrial } from "../harbor/read-trial";
import { watchLargeFiles } from "../large-files";
import type { LoadRoot } from "./load-root";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const USUAL = ["result.json", "verifier/reward.json", "verifier/reward.txt"];
const NOW_MS = Date.parse("2026-06-01T00:00:00Z");

function openRoot(path: string): LoadRoot {
  return { index: 0, label: basename(path), path };
}

function readJobs(folder: string, nowMs = NOW_MS): JobReading[] {
  const root = openRoot(folder);
  return discoverJobs(root).jobs.map((job) => readJob({ root, budget: new MemoryBudget(), nowMs }, job));
}

function readOnly(folder: string): JobReading {
  const [reading, ...others] = readJobs(folder);
  if (reading === undefined || others.length > 0) throw new Error("expected one job");
  return reading;
}

function readOne(folder: string, trial = `run/${A}`) {
  return readTrial(openRoot(folder), trial);
}

const STEPS = {
  step_results: [
    { step_name: "one", verifier_result: { rewards: { reward: 1 } } },
    { step_name: "two", verifier_result: null },
    { step_name: "../up", verifier_result: null },
  ],
};

describe("the probes of a trial", () => {
  it("are three for a usual one, stored once for all that are alike", () => {
    const trials = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`t${at}__${1e6 + at}`, 1]));
    const reading = readOnly(makeFolder(jobFiles("run", trials)));
    expect(reading.readings.map(({ probes }) => probes)).toEqual(Array.from({ length: 50 }, () => USUAL));
    expect(JSON.parse(describeSource(reading).probes)).toMatchObject({ sets: [USUAL] });
  });

  it.each<[string, (folder: string) => void, string[]]>([
    [
      "with a reward.json",
      (folder) => writeFiles(folder, { [`run/${A}/verifier/reward.json`]: { reward: 1 } }),
      ["result.json", "verifier/reward.json", "verifier/reward.txt"],
    ],
    [
      "without a verifier",
      (folder) => rmSync(`${folder}/run/${A}/verifier`, { recursive: true }),
      ["result.json", "verifier"],
    ],
    ["without a result", (folder) => rmSync(`${folder}/run/${A}/result.json`), [...USUAL, "config.json"]],
    [
      "with steps",
      (folder) => {
        writeFiles(folder, {
          [`run/${A}/result.json`]: trialResult(A, 1, STEPS),
          [`run/${A}/steps/one/verifier/reward.txt`]: "1",
        });
      },
      [...USUAL, "steps/one/verifier/reward.json", "steps/one/verifier/reward.txt", "steps/two"],
    ],
    [
      "whose verifier is a link below the root",
      (folder) => {
        renameSync(`${folder}/run/${A}/verifier`, `${folder}/elsewhere`);
        symlinkSync("../../elsewhere", `${folder}/run/${A}/verifier`);
      },
      ["result.json", "verifier", "verifier/reward.json", "verifier/reward.txt"],
    ],
  ])("of a trial %s", (_, change, expected) => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    change(folder);
    const reading = readOne(folder);
    expect(reading.probes).toEqual(expected);
    expect(stampTrial(openRoot(folder), `run/${A}`, reading.probes)).toBe(reading.stamp);
  });
});

/** Everything that may happen to a trial's files, from a usual trial on. */
const CHANGES: readonly [string, (trial: string, folder: string) => void][] = [
  ["a result that grows", (trial) => appendFileSync(`${trial}/result.json`, " ")],
  ["a result that vanishes", (trial) => rmSync(`${trial}/result.json`)],
  ["a reward.json that appears", (trial) => writeFileSync(`${trial}/verifier/reward.json`, "{}")],
  ["a reward that is rewritten in place", (trial) => writeFileSync(`${trial}/verifier/reward.txt`, "0\n")],
  ["a verifier folder that vanishes", (trial) => rmSync(`${trial}/verifier`, { recursive: true })],
  [
    "a result that is replaced by one of the same size and time",
    (trial) => {
      const time = new Date("2026-05-01T10:00:00Z");
      const content = readFileSync(`${trial}/result.json`);
      writeFileSync(`${trial}/new.json`, content);
      utimesSync(`${trial}/new.json`, time, time);
      renameSync(`${trial}/new.json`, `${trial}/result.json`);
    },
  ],
  [
    "a clock that went back",
    (trial) => {
      writeFileSync(`${trial}/verifier/reward.txt`, "0\n");
      utimesSync(`${trial}/verifier/reward.txt`, 1e9, 1e9);
    },
  ],
  [
    "a rewriting of the same size within the same millisecond",
    (trial) => {
      writeFileSync(`${trial}/verifier/reward.txt`, "0\n");
      utimesSync(`${trial}/verifier/reward.txt`, 1_777_629_600.0002, 1_777_629_600.0002);
    },
  ],
  [
    "a verifier folder that becomes a link out of the root",
    (trial, folder) => {
      mkdirSync(`${folder}/../outside`);
      writeFileSync(`${folder}/../outside/reward.txt`, "1\n");
      rmSync(`${trial}/verifier`, { recursive: true });
      symlinkSync(`${folder}/../outside`, `${trial}/verifier`);
    },
  ],
  ["a trial folder that is renamed", (trial) => renameSync(trial, `${trial}x`)],
];

describe("the fingerprint of a source", () => {
  it.each(CHANGES)("tells of %s", (_, change) => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const root = openRoot(folder);
    utimesSync(`${folder}/run/${A}/verifier/reward.txt`, 1_777_629_600.0001, 1_777_629_600.0001);
    const stored = describeSource(readOnly(folder));
    expect(isSourceUnchanged(root, stored, NOW_MS)).toBe(true);
    change(`${folder}/run/${A}`, folder);
    expect(isSourceUnchanged(root, stored, NOW_MS)).toBe(false);
    const again = describeSource(readOnly(folder));
    expect(again.hash).not.toBe(stored.hash);
    expect(isSourceUnchanged(root, again, NOW_MS)).toBe(true);
  });

  it("tells of a result, a verifier and a step's reward that come later, one after the other", () => {
    const folder = makeFolder({
      "run/result.json": jobResult({ [A]: 1 }),
      [`run/${A}/config.json`]: { trial_name: A, task: {}, trials_dir: "run" },
    });
    const root = openRoot(folder);
    let stored = describeSource(readOnly(folder));
    const steps: Record<string, unknown>[] = [
      { [`run/${A}/result.json`]: trialResult(A, 1, STEPS) },
      { [`run/${A}/verifier/`]: null },
      { [`run/${A}/verifier/reward.txt`]: "1" },
      { [`run/${A}/steps/two/verifier/`]: null },
      { [`run/${A}/steps/two/verifier/reward.txt`]: "0.5" },
      { "run/config.json": { job_name: "run" } },
    ];
    for (const files of steps) {
      expect(isSourceUnchanged(root, stored, NOW_MS)).toBe(true);
      writeFiles(folder, files);
      expect(isSourceUnchanged(root, stored, NOW_MS), JSON.stringify(files)).toBe(false);
      stored = describeSource(readOnly(folder));
    }
    expect(stored.hash).toBe(describeSource(readOnly(folder)).hash);
    const [trial] = readOnly(folder).drafts[0]?.trials ?? [];
    expect(trial?.steps?.map((step) => step.rewardFile.kind)).toEqual(["absent", "read", "absent"]);
  });

  it("keeps while files that decide nothing come and go", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const stored = describeSource(readOnly(folder));
    writeFiles(folder, {
      [`run/${A}/verifier/test-stdout.txt`]: "ok",
      [`run/${A}/agent/trajectory.json`]: "{}",
      "run/job.log": "more",
    });
    expect(isSourceUnchanged(openRoot(folder), stored, NOW_MS)).toBe(true);
  });

  it("tells of a file that was changed while it was read", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const root = openRoot(folder);
    const [job] = discoverJobs(root).jobs;
    if (job === undefined) throw new Error("expected a job");
    const trial = `${folder}/run/${A}`;
    // Large enough to be announced between the stamp and the first byte.
    const padded = (reward: number) => JSON.stringify(trialResult(A, reward)).padEnd(1 << 20);
    writeFileSync(`${trial}/result.json`, padded(1));
    writeFileSync(`${folder}/later.json`, padded(0));
    let isWritten = false;
    watchLargeFiles((file) => {
      if (isWritten || !file?.path.endsWith(`${A}/result.json`)) return;
      isWritten = true;
      renameSync(`${folder}/later.json`, `${trial}/result.json`);
      writeFileSync(`${trial}/verifier/reward.txt`, "0\n");
    });
    onTestFinished(() => watchLargeFiles(() => undefined));
    const read = () => readJob({ root, budget: new MemoryBudget(), nowMs: NOW_MS }, job);
    const reading = read();
    expect(isWritten).toBe(true);
    expect(reading.drafts[0]?.trials[0]?.outcome).toBe("passed");
    expect(isSourceUnchanged(root, describeSource(reading), NOW_MS)).toBe(false);
    expect(read().drafts[0]?.trials[0]?.outcome).toBe("failed");
  });

  it("ends when a running job must be judged again", () => {
    const over = { finished_at: null, updated_at: "2026-05-31T23:59:00Z" };
    const folder = makeFolder(jobFiles("run", { [A]: 1 }, over));
    const writtenAt = new Date(NOW_MS - 60_000);
    utimesSync(`${folder}/run/result.json`, writtenAt, writtenAt);
    const stored = describeSource(readOnly(folder));
    const { holdsUntilMs } = stored;
    if (holdsUntilMs === null) throw new Error("expected a time limit");
    expect(isSourceUnchanged(openRoot(folder), stored, holdsUntilMs)).toBe(true);
    expect(isSourceUnchanged(openRoot(folder), stored, holdsUntilMs + 1)).toBe(false);
  });

  it("is of loose trials and of a root that is a job or a trial, too", () => {
    const folder = makeFolder({
      [`etl/${A}/result.json`]: trialResult(A, 1),
      ...jobFiles("run", { [B]: 1 }),
    });
    for (const [path, file] of [
      [folder, `etl/${A}/result.json`],
      [`${folder}/run`, `${B}/result.json`],
      [`${folder}/run/${B}`, "result.json"],
    ] as const) {
      const root = openRoot(path);
      const stored = readJobs(path).map(describeSource);
      expect(stored.map((one) => isSourceUnchanged(root, one, NOW_MS)).every(Boolean)).toBe(true);
      expect(discoverJobs(root).jobs.every((job, at) => isSameSource(job, stored[at]?.probes ?? ""))).toBe(
        true,
      );
      appendFileSync(`${path}/${file}`, " ");
      expect(stored.filter((one) => !isSourceUnchanged(root, one, NOW_MS))).toHaveLength(1);
    }
  });

  it("is no match when the stored text is damaged", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const stored = describeSource(readOnly(folder));
    for (const probes of [
      "",
      "{",
      "[]",
      '{"folder":"run"}',
      stored.probes.replace('"uses":[0]', '"uses":[7]'),
    ])
      expect(isSourceUnchanged(openRoot(folder), { ...stored, probes }, NOW_MS)).toBe(false);
  });

  it.each([`${A}/result.json`, A])("tells of %s that may be read at last", (path) => {
    dropRights();
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const locked = `${folder}/run/${path}`;
    chmodSync(locked, 0);
    const stored = describeSource(readOnly(folder));
    expect(isSourceUnchanged(openRoot(folder), stored, NOW_MS)).toBe(true);
    chmodSync(locked, 0o700);
    expect(isSourceUnchanged(openRoot(folder), stored, NOW_MS)).toBe(false);
  });
});

describe("a second search of folders", () => {
  function makeQuietJob() {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const longAgo = new Date("2026-01-01T00:00:00Z");
    utimesSync(`${folder}/run`, longAgo, longAgo);
    const { probes } = describeSource(readOnly(folder));
    const memo = new DiscoveryMemo();
    discoverJobs(openRoot(folder), memo);
    return { folder, root: openRoot(folder), probes, memo };
  }

  it("finds the same, and does not look into a folder that is unchanged", () => {
    const { folder, root, probes, memo } = makeQuietJob();
    // A change that a search would notice but the stamp of the folder does not show.
    writeFileSync(`${folder}/run/${A}/job.log`, "");
    const { jobs } = discoverJobs(root, memo);
    expect(jobs).toEqual([{ folder: "run", kind: "harbor", trialFolders: [`run/${A}`, `run/${B}`] }]);
    expect(jobs[0] && isSameSource(jobs[0], probes)).toBe(true);
  });

  it.each<[string, (folder: string) => void, string[]]>([
    ["came", (folder) => writeFiles(folder, { "run/new__nnnnnnn/agent/": null }), [A, B, "new__nnnnnnn"]],
    ["went", (folder) => rmSync(`${folder}/run/${A}`, { recursive: true }), [B]],
    [
      "came without a trace in the folder's time",
      (folder) => {
        const longAgo = new Date("2026-01-01T00:00:00Z");
        writeFiles(folder, { "run/new__nnnnnnn/agent/": null });
        utimesSync(`${folder}/run`, longAgo, longAgo);
      },
      [A, B, "new__nnnnnnn"],
    ],
  ])("sees a trial that %s", (_, change, expected) => {
    const { folder, root, probes, memo } = makeQuietJob();
    change(folder);
    const [job] = discoverJobs(root, memo).jobs;
    expect(job?.trialFolders).toEqual(expected.map((name) => `run/${name}`));
    expect(job && isSameSource(job, probes)).toBe(false);
  });

  it.each([
    ["has just changed", "run/job.log", new Date()],
    ["holds more than trials", "run/notes/a.txt", new Date(1e12)],
  ])("looks into a folder that %s", (_, path, time) => {
    const folder = makeFolder({ ...jobFiles("run", { [A]: 1 }), "run/plain/agent/": null, [path]: "" });
    utimesSync(`${folder}/run`, time, time);
    const memo = new DiscoveryMemo();
    const search = () => discoverJobs(openRoot(folder), memo).jobs[0]?.trialFolders;
    expect(search()).toContain("run/plain");
    rmSync(`${folder}/run/plain/agent`, { recursive: true });
    expect(search()).not.toContain("run/plain");
  });
});
