import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { dumpPythonJson } from "@/lib/core/scoring";

import { writeSyntheticJobs } from "./generate";
import { member, readJson, readTrials, recomputeEvals } from "./read-job-back";

const made: string[] = [];

function writeTo(trials: number, seed: number, jobs: number): string {
  const dir = mkdtempSync(join(tmpdir(), "assay-bench-"));
  made.push(dir);
  writeSyntheticJobs(dir, { trials, seed, jobs });
  return dir;
}

function hashTree(dir: string): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.slice(dir.length)).update(readFileSync(file));
  return hash.digest("hex");
}

afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

describe("benchmark folders", () => {
  it("have exactly the trials asked for, with figures that follow from them", () => {
    const dir = writeTo(205, 7, 3);
    const jobs = readdirSync(dir).sort();
    expect(jobs).toHaveLength(3);
    const counts = jobs.map((job) => {
      const trials = readTrials(join(dir, job));
      const recorded = member(readJson(dir, job, "result.json"), "stats", "evals");
      expect(dumpPythonJson(recorded)).toBe(dumpPythonJson(recomputeEvals(trials, true)));
      return trials.length;
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(205);
  });

  it("have results of 5 to 7 KB and reward files that agree", () => {
    const dir = writeTo(20, 3, 1);
    const [job = ""] = readdirSync(dir);
    for (const trial of readTrials(join(dir, job))) {
      const size = statSync(join(dir, job, trial.trialName, "result.json")).size;
      expect(size).toBeGreaterThan(5000);
      expect(size).toBeLessThan(7000);
      expect(Number(readFileSync(join(dir, job, trial.trialName, "verifier", "reward.txt"), "utf8"))).toBe(
        trial.rewards?.get("reward"),
      );
    }
  });

  it("are the same for the same seed and differ for another", () => {
    const first = hashTree(writeTo(60, 11, 2));
    expect(hashTree(writeTo(60, 11, 2))).toBe(first);
    expect(hashTree(writeTo(60, 12, 2))).not.toBe(first);
  });

  it("refuse to be empty", () => {
    expect(() => writeSyntheticJobs("unused", { trials: 0, seed: 1 })).toThrow(RangeError);
  });
});
