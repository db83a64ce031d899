import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { jobFiles, jobResult, makeFolder, trialResult, writeFiles } from "./folder.fixture";

import { findJob, findTrial, openCatalog } from ".";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

describe("refresh", () => {
  it("keeps the very same snapshot parts while nothing changes", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const catalog = openCatalog({ roots: [folder] });
    const before = catalog.snapshot();
    expect(before.generation).toBe(1);
    expect(catalog.refresh()).toBe(false);
    expect(catalog.snapshot().generation).toBe(1);
    expect(catalog.snapshot().jobs).toBe(before.jobs);
  });

  it.each<[string, (folder: string) => void, (trials: readonly string[]) => void]>([
    [
      "a reward file that is edited",
      (folder) => writeFiles(folder, { [`run/${A}/verifier/reward.txt`]: "0.25\n" }),
      (trials) => expect(trials).toEqual([`${A} passed 0.25`, `${B} failed 0`]),
    ],
    [
      "a result that is rewritten",
      (folder) => writeFiles(folder, { [`run/${B}/result.json`]: trialResult(B, 1) }),
      (trials) => expect(trials).toEqual([`${A} passed 1`, `${B} passed 0`]),
    ],
    [
      "a trial that is deleted",
      (folder) => rmSync(`${folder}/run/${B}`, { recursive: true }),
      (trials) => expect(trials).toEqual([`${A} passed 1`]),
    ],
    [
      "a trial that appears",
      (folder) => writeFiles(folder, { "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", 1) }),
      (trials) => expect(trials).toContain("gamma__ccccccc passed -"),
    ],
    [
      "a folder that is renamed",
      (folder) => renameSync(`${folder}/run/${B}`, `${folder}/run/zeta__zzzzzzz`),
      (trials) => expect(trials).toEqual([`${A} passed 1`, `${B} failed 0`]),
    ],
    [
      "a result that is being written",
      (folder) => appendFileSync(`${folder}/run/${B}/result.json`, "{"),
      (trials) => expect(trials).toEqual([`${A} passed 1`, `${B} unreadable 0`]),
    ],
  ])("sees %s", (_, change, check) => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const catalog = openCatalog({ roots: [folder] });
    const [before] = catalog.snapshot().jobs;
    change(folder);
    expect(catalog.refresh()).toBe(true);
    expect(catalog.snapshot().generation).toBe(2);
    const [after] = catalog.snapshot().jobs;
    expect(after).not.toBe(before);
    check(
      (after?.trials ?? []).map(({ trialName, outcome, rewardFile }) => {
        const reward = rewardFile.kind === "read" ? Number(rewardFile.rewards?.get("reward")) : "-";
        return `${trialName} ${outcome} ${reward}`;
      }),
    );
    expect(catalog.refresh()).toBe(false);
  });

  it("sees changes in a folder that has been quiet for long", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const longAgo = new Date("2026-01-01T00:00:00Z");
    utimesSync(`${folder}/run`, longAgo, longAgo);
    const catalog = openCatalog({ roots: [folder] });
    expect(catalog.refresh()).toBe(false);
    const count = () =>
      catalog.snapshot().jobs.map(({ trials }) => trials.map((trial) => trial.outcome).join(" "));
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 0) });
    expect([catalog.refresh(), count()]).toEqual([true, ["failed failed"]]);
    writeFiles(folder, { "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", 1) });
    expect([catalog.refresh(), count()]).toEqual([true, ["failed failed passed"]]);
    rmSync(`${folder}/run/${B}`, { recursive: true });
    expect([catalog.refresh(), count()]).toEqual([true, ["failed passed"]]);
    rmSync(`${folder}/run`, { recursive: true });
    expect([catalog.refresh(), count()]).toEqual([true, []]);
  });

  it("keeps the other jobs' objects when one job changes", () => {
    const folder = makeFolder({
      ...jobFiles("one", { [A]: 1 }),
      ...jobFiles("two", { [B]: 1 }, { id: "other" }),
    });
    const catalog = openCatalog({ roots: [folder] });
    const untouched = findJob(catalog.snapshot(), "one");
    writeFiles(folder, { [`two/${B}/verifier/reward.txt`]: "0" });
    catalog.refresh();
    expect(findJob(catalog.snapshot(), "one")).toBe(untouched);
  });

  it("sees new and vanished jobs and a root that comes to be", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const catalog = openCatalog({ roots: [folder, `${folder}/../later`] });
    expect(catalog.snapshot().issues.map(({ code }) => code)).toEqual(["folder_unreadable", "no_jobs_found"]);
    mkdirSync(`${folder}/../later`);
    cpSync(`${folder}/run`, `${folder}/../later/run`, { recursive: true });
    expect(catalog.refresh()).toBe(true);
    expect(catalog.snapshot().roots.map(({ label, nJobs, nTrials }) => [label, nJobs, nTrials])).toEqual([
      ["jobs", 1, 1],
      ["later", 1, 1],
    ]);
    rmSync(`${folder}/run`, { recursive: true });
    expect(catalog.refresh()).toBe(true);
    expect(catalog.snapshot().jobs).toHaveLength(1);
  });

  it("turns a quiet job from running to interrupted without a write", () => {
    const stats = { n_running_trials: 1, evals: {} };
    const folder = makeFolder({
      "run/result.json": jobResult(
        { [A]: 1 },
        { finished_at: null, updated_at: "2026-05-01T11:59:00Z", n_total_trials: 2, stats },
      ),
      [`run/${A}/config.json`]: { trial_name: A, trials_dir: "run", task: {} },
    });
    const written = new Date("2026-05-01T11:59:00Z");
    utimesSync(`${folder}/run/result.json`, written, written);
    let now = Date.parse("2026-05-01T12:00:00Z");
    const catalog = openCatalog({ roots: [folder], now: () => now });
    const read = () => catalog.snapshot().jobs.map(({ job, trials }) => [job.state, trials[0]?.outcome]);
    expect(read()).toEqual([["running", "running"]]);
    expect(catalog.snapshot().issues).toEqual([]);
    expect(catalog.refresh()).toBe(false);
    now += 48 * 3600 * 1000;
    expect(catalog.refresh()).toBe(true);
    expect(read()).toEqual([["interrupted", "missing"]]);
  });
});

describe("names and order", () => {
  it("tells roots of one name apart", () => {
    const one = makeFolder(jobFiles("run", { [A]: 1 }));
    const two = makeFolder(jobFiles("run", { [A]: 1 }, { id: "b" }));
    const { roots, jobs, issues } = openCatalog({ roots: [one, two, one] }).snapshot();
    expect(roots).toHaveLength(2);
    expect(new Set(roots.map(({ label }) => label)).size).toBe(2);
    expect(roots.every(({ label }) => label.endsWith("/jobs"))).toBe(true);
    expect(new Set(jobs.map(({ job }) => job.key)).size).toBe(2);
    expect(issues.map(({ code }) => code)).toEqual(["trial_id_repeated"]);
  });

  it("finds jobs by either form of their key and never guesses", () => {
    const folder = makeFolder(jobFiles("x/run", { [A]: 1 }));
    const catalog = openCatalog({ roots: [folder] });
    const alone = findJob(catalog.snapshot(), "run");
    expect(alone?.job.key).toBe("run");
    writeFiles(folder, jobFiles("y/run", { [B]: 1 }, { id: "second" }));
    catalog.refresh();
    const { jobs } = catalog.snapshot();
    expect(jobs.map(({ job }) => job.key).every((key) => /^run~[0-9a-f]{6}$/.test(key))).toBe(true);
    expect(findJob(catalog.snapshot(), "run")).toBeNull();
    const hashed = jobs.find(({ job }) => job.folder === "x/run")?.job.key ?? "";
    rmSync(`${folder}/y`, { recursive: true });
    catalog.refresh();
    expect(findJob(catalog.snapshot(), hashed)?.job).toMatchObject({ key: "run", folder: "x/run" });
    expect(findJob(catalog.snapshot(), "run~000000")).toBeNull();
    const [job] = catalog.snapshot().jobs;
    expect(job && findTrial(job, A)?.trialName).toBe(A);
    expect(job && findTrial(job, "nobody")).toBeNull();
  });

  it("lists newest jobs first and those without a time last by name", () => {
    const at = (finished_at: string | null) => ({
      id: String(finished_at),
      finished_at,
      updated_at: null,
      started_at: null,
    });
    const folder = makeFolder({
      "b/result.json": jobResult({ [A]: 1 }, at(null)),
      "a/result.json": jobResult({ [A]: 1 }, { ...at(null), id: "a" }),
      "old/result.json": jobResult({ [A]: 1 }, at("2026-01-01T00:00:00")),
      "new/result.json": jobResult({ [A]: 1 }, at("2026-02-01T00:00:00Z")),
    });
    expect(
      openCatalog({ roots: [folder] })
        .snapshot()
        .jobs.map(({ job }) => job.name),
    ).toEqual(["new", "old", "a", "b"]);
  });

  it("says how far it has come", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const seen: string[] = [];
    openCatalog({
      roots: [folder],
      onProgress: ({ nTrialsRead, nTrials }) => seen.push(`${nTrialsRead}/${nTrials}`),
    });
    expect(seen).toEqual(["1/2", "2/2"]);
  });
});
