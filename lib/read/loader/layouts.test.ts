import { rmSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { readCatalog } from "@/lib/read/catalog";
import {
  jobFiles,
  jobResult,
  listIssues,
  makeFolder,
  readOnlyJob,
  trialResult,
} from "@/lib/testing/folder.fixture";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

function listJobs(folder: string) {
  const { jobs } = readCatalog({ roots: [folder] });
  return jobs.map(({ job, trials }) => `${job.kind} ${job.folder} ${job.state} ${trials.length}`).sort();
}

describe("layouts that are read", () => {
  it("reads a plain job with nothing to report", () => {
    const folder = makeFolder(jobFiles("nightly", { [A]: 1, [B]: 0 }));
    const { job, trials, report, issues } = readOnlyJob(folder);
    expect(job).toMatchObject({
      key: "nightly",
      kind: "harbor",
      state: "finished",
      nAttempts: 1,
      metricTypes: [],
    });
    expect(trials.map((trial) => [trial.key, trial.outcome, trial.rewardFile.kind])).toEqual([
      [A, "passed", "read"],
      [B, "failed", "read"],
    ]);
    expect(report.verdict).toBe("exact");
    expect(issues).toEqual([]);
    expect(listIssues(folder)).toEqual([]);
  });

  it("finds jobs three folders deep and with spaces in their names", () => {
    const folder = makeFolder({
      ...jobFiles("a/b/c/deep", { [A]: 1 }),
      ...jobFiles("Hermes 70B run", { [B]: 1 }, { id: "x" }),
    });
    expect(listJobs(folder)).toEqual(["harbor Hermes 70B run finished 1", "harbor a/b/c/deep finished 1"]);
  });

  it("finds a job whose folder is opened itself, and a single trial", () => {
    const folder = makeFolder(jobFiles("nightly", { [A]: 1 }));
    expect(listJobs(`${folder}/nightly`)).toEqual(["harbor  finished 1"]);
    const { job, trials } = readOnlyJob(`${folder}/nightly/${A}`);
    expect(job).toMatchObject({ kind: "loose", name: A });
    expect(trials[0]).toMatchObject({ trialName: A, outcome: "passed", rewardFile: { kind: "read" } });
  });

  it("reads a job without result.json, config.json or job.log", () => {
    const folder = makeFolder(jobFiles("old", { [A]: 1 }));
    rmSync(`${folder}/old/result.json`);
    expect(listJobs(folder)).toEqual(["harbor old unknown 1"]);
    expect(listIssues(folder)).toEqual(["job_without_result jobs/old"]);
    const bare = makeFolder({
      "run/result.json": jobResult({ [A]: 1 }),
      [`run/${A}/result.json`]: trialResult(A, 1),
    });
    expect(readOnlyJob(bare)).toMatchObject({
      job: { nAttempts: null, state: "finished" },
      report: { verdict: "exact" },
    });
    expect(listIssues(bare)).toEqual([]);
  });

  it("counts planned trials without a folder and invents none", () => {
    const folder = makeFolder({
      "monov1/result.json": jobResult({ [A]: 1, [B]: 0 }, { n_total_trials: 89 }),
    });
    const { trials, issues } = readOnlyJob(folder);
    expect(trials).toEqual([]);
    expect(issues.map(({ code }) => code).sort()).toEqual(["job_without_trials", "trial_folder_missing"]);
    expect(issues.find(({ code }) => code === "trial_folder_missing")?.detail).toContain("89 of 89");
  });

  it("names trials that only the recorded lists know", () => {
    const files = jobFiles("merged", { [A]: 1 });
    const stats = {
      evals: {
        g: { metrics: [], exception_stats: { AgentTimeoutError: ["gone__1111111", "gone__2222222", A] } },
      },
    };
    const folder = makeFolder({ ...files, "merged/result.json": jobResult({ [A]: 1 }, { stats }) });
    const [issue] = readOnlyJob(folder).issues;
    expect(issue).toMatchObject({ code: "trial_folder_missing" });
    expect(issue?.detail).toContain('2 trial names in result.json have no folder, such as "gone__1111111"');
  });

  it("takes trials without a job above them for one job where they name the same", () => {
    const job_id = "33333333-3333-4333-8333-333333333333";
    const folder = makeFolder({
      [`etl/example/${A}/result.json`]: trialResult(A, 1),
      [`etl/example/${B}/result.json`]: trialResult(B, 0),
      "cells/one/raw/result.json": trialResult("one-rep1", 1, { config: { task: {}, job_id } }),
      "cells/two/raw/result.json": trialResult("two-rep1", 0, { config: { task: {}, job_id } }),
    });
    expect(listJobs(folder)).toEqual(["loose cells unknown 2", "loose etl/example unknown 2"]);
    expect(listIssues(folder)).toEqual([
      "trials_without_job jobs/cells",
      "trials_without_job jobs/etl/example",
    ]);
    const cells = readCatalog({ roots: [folder] }).jobs.find(({ job }) => job.name === "cells");
    expect(cells?.trials.map((trial) => [trial.folder, trial.trialName])).toEqual([
      ["cells/one/raw", "one-rep1"],
      ["cells/two/raw", "two-rep1"],
    ]);
  });

  it("invents no attempts of trials without a job above them that other jobs or other settings made", () => {
    const id = (digit: number) => `${digit}`.repeat(8) + "-3333-4333-8333-333333333333";
    const of = (name: string, config: object) =>
      trialResult(name, 1, { task_name: "same-task", config: { task: {}, ...config } });
    const effort = (reasoning_effort: string) => ({ agent: { kwargs: { reasoning_effort } } });
    const folder = makeFolder({
      // Two jobs of a trial each, in folders of their own, as exported results have them.
      "cells/low-rep1/raw/result.json": of("a__AAAAAAA", { job_id: id(4), ...effort("low") }),
      "cells/low-rep2/raw/result.json": of("a__BBBBBBB", { job_id: id(5), ...effort("low") }),
      // Two jobs in one folder, one of them of two attempts.
      "flat/a__CCCCCCC/result.json": of("a__CCCCCCC", { job_id: id(6) }),
      "flat/a__DDDDDDD/result.json": of("a__DDDDDDD", { job_id: id(7) }),
      "flat/a__EEEEEEE/result.json": of("a__EEEEEEE", { job_id: id(7) }),
      // No job is named: only the same settings are attempts of one another.
      "old/a__FFFFFFF/result.json": of("a__FFFFFFF", effort("low")),
      "old/a__GGGGGGG/result.json": of("a__GGGGGGG", effort("high")),
      "old/a__HHHHHHH/result.json": of("a__HHHHHHH", effort("high")),
    });
    const { jobs } = readCatalog({ roots: [folder] });
    const listed = jobs.map(({ job, trials }) => [
      job.folder,
      job.uuid?.slice(0, 1) ?? null,
      trials.map(({ trialName, attempt }) => `${trialName.slice(-1)}${attempt}`).join(" "),
    ]);
    expect(listed.toSorted()).toEqual([
      ["cells/low-rep1", "4", "A1"],
      ["cells/low-rep2", "5", "B1"],
      ["flat", "7", "D1 E2"],
      ["flat/a__CCCCCCC", "6", "C1"],
      ["old", null, "G1 H2"],
      ["old/a__FFFFFFF", null, "F1"],
    ]);
    expect(new Set(jobs.map(({ job }) => job.key)).size).toBe(jobs.length);
  });

  it("parts two jobs that share a folder by the job id of their trials", () => {
    const other = "22222222-2222-4222-8222-222222222222";
    const foreign = trialResult(B, 0, { config: { task: {}, job_id: other }, source: "other-bench" });
    const folder = makeFolder({
      ...jobFiles("2026-02-09__12-10-48", { [A]: 1 }),
      [`2026-02-09__12-10-48/${B}/result.json`]: foreign,
    });
    const { jobs, issues } = readCatalog({ roots: [folder] });
    expect(
      jobs.map(({ job, trials, report }) => [
        job.uuid,
        trials.map((trial) => trial.trialName),
        report.verdict,
      ]),
    ).toEqual([
      ["11111111-1111-4111-8111-111111111111", [A], "exact"],
      [other, [B], "not-recorded"],
    ]);
    expect(new Set(jobs.map(({ job }) => job.key)).size).toBe(2);
    expect(issues.map(({ code }) => code)).toEqual(["folder_shared"]);
  });

  it("keeps a resumed job's earlier trials, which have another job id but are in its lists", () => {
    const files = jobFiles("resumed", { [A]: 1, [B]: 1 });
    const folder = makeFolder({
      ...files,
      [`resumed/${B}/result.json`]: trialResult(B, 1, { config: { job_id: "before" } }),
    });
    expect(readOnlyJob(folder)).toMatchObject({
      trials: { length: 2 },
      report: { verdict: "exact" },
      issues: [],
    });
  });

  it("lists one job under two names once, and the other one as its copy", () => {
    const folder = makeFolder({
      ...jobFiles("2026-02-13__13-50-39", { [A]: 1 }),
      ...jobFiles("Hermes 70B ext", { [A]: 1 }),
    });
    const { jobs, copies } = readCatalog({ roots: [folder] });
    expect([jobs, copies].map((some) => some.map(({ job }) => job.name))).toEqual([
      ["2026-02-13__13-50-39"],
      ["Hermes 70B ext"],
    ]);
    expect(listIssues(folder)).toEqual([]);
  });

  it("reads trials below a foreign result.json", () => {
    const foreign = { job_name: "x", base_repository: "y", summary: {}, tasks: [] };
    const folder = makeFolder({ ...jobFiles("pinkpig", { [A]: 1 }), "pinkpig/result.json": foreign });
    expect(readOnlyJob(folder)).toMatchObject({
      job: { state: "unknown", recorded: null },
      trials: [{ outcome: "passed" }],
    });
    expect(listIssues(folder)).toEqual(["result_foreign jobs/pinkpig/result.json"]);
    const alone = makeFolder({
      "pinkpig/result.json": foreign,
      [`pinkpig/${A}/result.json`]: trialResult(A, 1),
    });
    expect(listJobs(alone)).toEqual(["harbor pinkpig unknown 1"]);
  });

  it("takes names from result.json where the folder is called otherwise, and tells equal names apart", () => {
    const folder = makeFolder({
      "run/result.json": jobResult({ [A]: 1 }),
      "run/trial-1/result.json": trialResult(A, 1),
      "run/trial-2/result.json": trialResult(A, 0, { id: "other" }),
      "run/trial-3/result.json": trialResult("org/slashed", 1),
    });
    const { trials } = readOnlyJob(folder);
    expect(trials.map((trial) => trial.trialName)).toEqual([A, A, "org/slashed"]);
    expect(trials[0]?.key).toMatch(new RegExp(`^${A}~[0-9a-f]{6}$`));
    expect(new Set(trials.map((trial) => trial.key)).size).toBe(3);
    expect(trials[2]?.key).toBe("org_slashed");
    expect(trials.map((trial) => trial.attempt)).toEqual([1, 2, 1]);
  });

  it("reads trials that result.json carries inside itself when they have no folder", () => {
    const result = jobResult(
      { [A]: 1, [B]: 1 },
      { trial_results: [trialResult(A, 0), trialResult(B, 1), 7] },
    );
    const folder = makeFolder({ ...jobFiles("inline", { [A]: 1 }), "inline/result.json": result });
    const { trials } = readOnlyJob(folder);
    expect(trials.map((trial) => [trial.trialName, trial.folder, trial.outcome])).toEqual([
      [A, `inline/${A}`, "passed"],
      [B, "", "passed"],
    ]);
  });
});

describe("layouts that are reported and not read", () => {
  it("recognises Terminal-Bench 1", () => {
    const results = { id: "x", trial_name: "t.1-of-1", task_id: "t", is_resolved: true, parser_results: {} };
    const folder = makeFolder({
      "run/t/t.1-of-1/results.json": results,
      "run/u/u.1-of-1/results.json": results,
    });
    expect(listJobs(folder)).toEqual([]);
    expect(listIssues(folder)).toEqual(["no_jobs_found jobs", "layout_foreign jobs/run"]);
  });

  it("reports results under another name instead of guessing", () => {
    const folder = makeFolder({
      "t/validation/harbor-nop-job-result.json": jobResult({ [A]: 0 }),
      "t/trajectories/trial-1-abc/trial-result.json": trialResult(A, 1),
      "t/trajectories/trial-1-abc/config.json": { trial_name: A, task: {}, trials_dir: "x" },
      "t/trajectories/trial-1-abc/reward.txt": "1",
    });
    expect(listJobs(folder)).toEqual([]);
    const [, issue] = readCatalog({ roots: [folder] }).issues;
    expect(issue).toMatchObject({ code: "layout_foreign", path: "jobs/t" });
    expect(issue?.detail).toContain("2 files");
  });

  it("reports summaries and lone trajectories", () => {
    const folder = makeFolder({
      "s/oracle-x3.json": {
        command: "bench run",
        status: "3/3 PASS",
        task: "t",
        trials: [{ overall_reward: 1 }],
      },
      "g/hello.trajectory.json": { schema_version: "ATIF-v1.7", agent: {}, steps: [{}] },
      "src/package.json": { name: "x" },
    });
    expect(listIssues(folder)).toEqual([
      "no_jobs_found jobs",
      "layout_foreign jobs/g",
      "layout_foreign jobs/s",
    ]);
  });

  it("says when there is nothing, or no folder at all", () => {
    const folder = makeFolder({ "README.md": "hello" });
    expect(listIssues(folder)).toEqual(["no_jobs_found jobs"]);
    expect(listIssues(`${folder}/nowhere`)).toEqual(["folder_unreadable nowhere", "no_jobs_found nowhere"]);
  });

  it("stops at folders that are nested beyond reason", () => {
    const folder = makeFolder({ [`${"d/".repeat(20)}x/result.json`]: jobResult({ [A]: 1 }) });
    expect(listIssues(folder).map((text) => text.split(" ")[0])).toEqual(["no_jobs_found", "too_deep"]);
  });
});
