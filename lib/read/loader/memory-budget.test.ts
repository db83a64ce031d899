import { linkSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";

import { discoverJobs } from "./discover/discover";
import type { LoadRoot } from "./discover/load-root";
import { type JobReading, readJob } from "./harbor/read-job";
import { MemoryBudget } from "./memory-budget";

const NAMES = ["a__aaaaaaa", "b__bbbbbbb", "c__ccccccc", "d__ddddddd"];
/** Takes several megabytes as a value, and is written once for all trials. */
const LARGE = JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`key${at}`, at])));

/** A job of one file of many rewards that all its trials but the last have. */
function makeLargeJob(): string {
  const folder = makeFolder({
    ...jobFiles("run", Object.fromEntries(NAMES.map((name) => [name, 1]))),
    "large.json": LARGE,
  });
  for (const name of NAMES.slice(0, 3))
    linkSync(join(folder, "large.json"), join(folder, "run", name, "verifier/reward.json"));
  return folder;
}

function readWithin(folder: string, mostMib: number): JobReading {
  const root: LoadRoot = { path: folder, label: "jobs", index: 0 };
  const [job] = discoverJobs(root).jobs;
  if (job === undefined) throw new Error("The job was just written.");
  const budget = new MemoryBudget(mostMib << 20);
  return readJob({ root, budget, nowMs: 0 }, job);
}

function listTrials({ drafts }: JobReading) {
  return (drafts[0]?.trials ?? []).map(({ trialName, outcome }) => `${trialName} ${outcome}`);
}

const HELD = ["a__aaaaaaa passed", "b__bbbbbbb passed", "c__ccccccc passed", "d__ddddddd passed"];

describe("what the trials of a job hold together", () => {
  it("is bounded: trials beyond it are listed as unreadable with an issue each, small ones are always read", () => {
    const folder = makeLargeJob();
    const reading = readWithin(folder, 8);
    expect(listTrials(reading)).toEqual([HELD[0], HELD[1], "c__ccccccc unreadable", HELD[3]]);
    const issues = (reading.drafts[0]?.issues ?? []).map(({ code, path }) => `${code} ${path}`);
    expect(issues).toEqual(["job_too_large jobs/run/c__ccccccc"]);
    // Far from what a process has.
    expect(listTrials(readWithin(folder, 16))).toEqual(HELD);
  });

  it("counts the texts of many trials that are small one by one", () => {
    const names = Array.from({ length: 80 }, (_, at) => `t${at}__aaaaaaa`);
    const exception_info = { exception_type: "E", exception_traceback: "line\n".repeat(4_000) };
    const folder = makeFolder({
      ...jobFiles("run", Object.fromEntries(names.map((name) => [name, 0]))),
      ...Object.fromEntries(
        names.map((name) => [`run/${name}/result.json`, trialResult(name, 0, { exception_info })] as const),
      ),
    });
    const [draft] = readWithin(folder, 1).drafts;
    const kept = draft?.trials.filter(({ state }) => state === "finished") ?? [];
    // A MiB of texts, and the free 4 KiB of each trial.
    expect(kept.length).toBeGreaterThan(50);
    expect(kept.length).toBeLessThan(70);
    expect(draft?.issues.filter(({ code }) => code === "job_too_large")).toHaveLength(80 - kept.length);
  });

  it("is never counted of trials with forty rewards in both of their files, however many there are", () => {
    const rewards = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`the_dimension_number_${at}`, 0.5]),
    );
    const folder = makeFolder({
      ...jobFiles("run", Object.fromEntries(NAMES.map((name) => [name, 1]))),
      [`run/${NAMES[0]}/result.json`]: trialResult(NAMES[0] ?? "", 1, { verifier_result: { rewards } }),
      [`run/${NAMES[0]}/verifier/reward.json`]: rewards,
    });
    const [draft] = readWithin(folder, 0).drafts;
    expect(draft?.trials.map(({ rewards: read }) => read?.size)).toEqual([40, 1, 1, 1]);
    expect(draft?.issues).toEqual([]);
  });
});
