import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { prepareRoots } from "@/lib/read/catalog";
import { readCatalog } from "@/lib/read/catalog/read-catalog";
import { makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import { diffFiles, LINEAGE_IDS, regradeFiles, trialId } from "@/lib/testing/lineage.fixture";

import { discoverJobs } from "../discover/discover";
import { MemoryBudget } from "../memory-budget";
import { type JobReading, readJob } from "./read-job";
import { describeSource, isSourceUnchanged } from "./source-fingerprint";

function findJob(folder: string, name: string): JobEntry {
  const found = readCatalog({ roots: [folder] }).jobs.find(({ job }) => job.name === name);
  if (found === undefined) throw new Error(`no job ${name}`);
  return found;
}

it("reads the source of a regraded trial with both task versions, and none for an ordinary trial", () => {
  const folder = makeFolder(regradeFiles());
  const [first] = findJob(folder, "regrade").trials;
  expect(first?.sourceTrial).toEqual({
    id: trialId("alpha__aaaaaaa"),
    jobName: "source",
    trialName: "alpha__aaaaaaa",
    isFromHub: false,
    sourceTask: { version: "1.0.0", digest: "a".repeat(64) },
    ownTask: { version: "1.1.0", digest: "b".repeat(64) },
  });
  expect(findJob(folder, "source").trials.map(({ sourceTrial }) => sourceTrial)).toEqual(Array(8).fill(null));
});

it("knows the source without its versions when the trial's lock is gone, torn or of another shape", () => {
  const folder = makeFolder(regradeFiles());
  const lock = "regrade/alpha__aaaaaaar/lock.json";
  for (const content of ["{", '{"task": 3, "source_trial": {"task": []}}', "[]"]) {
    writeFileSync(join(folder, lock), content);
    const { trials, issues } = findJob(folder, "regrade");
    expect(trials[0]?.sourceTrial).toMatchObject({
      trialName: "alpha__aaaaaaa",
      sourceTask: null,
      ownTask: null,
    });
    expect(issues.map(({ path }) => path)).toContain(`jobs/${lock}`);
  }
});

it("reads the source again when only the trial's lock changed", () => {
  const folder = makeFolder(regradeFiles());
  const lock = "regrade/alpha__aaaaaaar/lock.json";
  const root = prepareRoots([folder])[0];
  if (root === undefined) throw new Error("no root");
  const read = () => {
    const discovered = discoverJobs(root).jobs.find((job) => job.folder === "regrade");
    if (discovered === undefined) throw new Error("no job");
    return readJob({ root, budget: new MemoryBudget(), nowMs: Date.now() }, discovered);
  };
  const version = ({ drafts }: JobReading) => drafts[0]?.trials[0]?.sourceTrial?.ownTask?.version;
  const first = read();
  expect(version(first)).toBe("1.1.0");
  writeFileSync(join(folder, lock), readFileSync(join(folder, lock), "utf8").replace("1.1.0", "1.12.0"));
  expect(isSourceUnchanged(root, describeSource(first), Date.now())).toBe(false);
  expect(version(read())).toBe("1.12.0");
});

it("splits a path of Windows, and takes a source from the Hub that has none", () => {
  const folder = makeFolder(regradeFiles());
  const write = (source: unknown) => {
    const path = "regrade/alpha__aaaaaaar/result.json";
    const result = JSON.parse(readFileSync(join(folder, path), "utf8")) as { config: object };
    writeFiles(folder, { [path]: { ...result, config: { ...result.config, source_trial: source } } });
    return findJob(folder, "regrade").trials[0]?.sourceTrial;
  };
  expect(write({ action: "regrade", type: "local", path: "C:\\jobs\\run\\t__1\\" })).toMatchObject({
    id: null,
    jobName: "run",
    trialName: "t__1",
  });
  expect(write({ action: "regrade", type: "hub", trial_id: "u-1" })).toMatchObject({
    id: "u-1",
    jobName: null,
    trialName: null,
    isFromHub: true,
  });
});

it("reads what a diff job was made from and asks for, and the plan with its regrades by task", () => {
  const { job } = findJob(
    makeFolder(diffFiles({ tasks: [{ path: "/data/tasks/alpha" }, { name: "org/x" }] })),
    "diff",
  );
  expect(job.sourceJobs).toEqual([{ action: "diff", id: LINEAGE_IDS.source, name: "source" }]);
  expect(job.wanted).toEqual({ nPerTask: 2, names: ["alpha", "org/x"], hasDataset: false });
  expect(
    job.plannedTasks.map(({ taskName, version, nTrials, nRegrades }) => [
      taskName,
      version,
      nTrials,
      nRegrades,
    ]),
  ).toEqual([
    ["beta", "1.1.0", 2, 1],
    ["gamma", "2.0.0", 2, 0],
    ["delta", null, 2, 0],
    ["omega", "1.0.0", 2, 0],
  ]);
});

it("says which field is wrong when a source names an action that is none, and shows the job without it", () => {
  const files = {
    ...regradeFiles(),
    "regrade/config.json": { job_name: "regrade", jobs_dir: "d", source_jobs: [{ action: "x" }] },
  };
  const { job, issues } = findJob(makeFolder(files), "regrade");
  expect(job.sourceJobs).toEqual([]);
  expect(issues.map(({ code, detail }) => `${code} ${detail}`).join()).toContain(
    "field_invalid source_jobs.0.action",
  );
});
