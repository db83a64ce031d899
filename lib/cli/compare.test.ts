import { expect, it } from "vitest";
import { z } from "zod";

import { computePairedComparison } from "@/lib/core/stats";
import { deleteRunSet, openViewStoreOf, saveRunSet } from "@/lib/people/views";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

async function run(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => ((written[name] += text), true),
    once: () => undefined,
  });
  const code = await runCli(args, { stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  return { code, ...written };
}

const N_TASKS = 20;
const TASKS = Array.from({ length: N_TASKS }, (_, at) => `task-${String(at)}`);

/** Whether a run passes a task: every run of `fix` passes all but every seventh, one of `base` fails half of them by turns. */
function isPassed(job: string, nth: number, at: number): boolean {
  return job === "fix" ? at % 7 !== 0 : (at + nth) % 2 === 0;
}

/** Three runs of each, as jobs of one attempt. */
function writeJobs(): string {
  const jobs = ["base", "fix"].flatMap((job) =>
    [1, 2, 3].map((nth) => {
      const trials = TASKS.map((task, at): [string, number] => [
        `${task}__${job.padEnd(6, "x")}${String(nth)}`,
        isPassed(job, nth, at) ? 1 : 0,
      ]);
      const folder = `${job}-${String(nth)}`;
      // Independent runs take their own time.
      const finished_at = `2026-05-01T17:10:0${String(nth)}Z`;
      const results = trials.map(([name, reward]): [string, unknown] => [
        `${folder}/${name}/result.json`,
        trialResult(name, reward, { finished_at }),
      ]);
      return { ...jobFiles(folder, Object.fromEntries(trials)), ...Object.fromEntries(results) };
    }),
  );
  return makeFolder(Object.fromEntries(jobs.flatMap((files) => Object.entries(files))));
}

const comparisonSchema = z.object({
  schema: z.literal("assay.compare/2"),
  groups: z.array(z.object({ name: z.string(), runs: z.array(z.unknown()), n_trials: z.int() })),
  pairs: z.array(
    z.object({ first: z.string(), second: z.string(), verdict: z.string(), comparison: z.unknown() }),
  ),
});

it("uses the start of the first trial for a job without a start", async () => {
  const write = (job: string, reward: number, month: string, over: Record<string, unknown>) => {
    const names = TASKS.map((task) => `${task}__${job.padEnd(7, "x")}`);
    const results = names.map((name): [string, unknown] => [
      `${job}/${name}/result.json`,
      trialResult(name, reward, {
        started_at: `2026-${month}-01T10:00:00Z`,
        finished_at: `2026-${month}-01T10:01:00Z`,
      }),
    ]);
    const rewards = Object.fromEntries(names.map((name) => [name, reward]));
    return { ...jobFiles(job, rewards, { id: job, ...over }), ...Object.fromEntries(results) };
  };
  const folder = makeFolder({
    ...write("before", 1, "01", { started_at: null, finished_at: null }),
    ...write("after", 0, "02", { started_at: "2026-02-01T10:00:00", finished_at: "2026-02-01T11:00:00" }),
  });
  expect((await run("compare", folder, "--fail-if", "worse")).code).toBe(1);
});

it("names jobs of one name by the shortest distinct folder, which --baseline accepts", async () => {
  const write = (folder: string, reward: number) => {
    const trials = Object.fromEntries(TASKS.map((task) => [`${task}__${folder.padEnd(7, "x")}`, reward]));
    return jobFiles(`${folder}/deep/run`, trials, { id: folder });
  };
  const folder = makeFolder({ ...write("east", 1), ...write("west", 0) });
  for (const pool of [[], ["--pool", "folder"]]) {
    const baseline = ["--baseline", "run (west)"];
    const { code, stdout } = await run("compare", folder, ...pool, ...baseline, "--json");
    expect(code).toBe(0);
    const { groups } = comparisonSchema.parse(JSON.parse(stdout));
    expect(groups.map(({ name }) => name)).toEqual(["run (west)", "run (east)"]);
  }
});

it("pools runs by the numbers in their names, and agrees with the library on all attempts", async () => {
  const folder = writeJobs();
  const { code, stdout } = await run(
    "compare",
    folder,
    "--pool",
    "numbers",
    "--baseline",
    "base ×3",
    "--json",
  );
  expect(code).toBe(0);
  const { groups, pairs } = comparisonSchema.parse(JSON.parse(stdout));
  expect(groups.map(({ name, runs, n_trials }) => [name, runs.length, n_trials])).toEqual([
    ["base ×3", 3, 3 * N_TASKS],
    ["fix ×3", 3, 3 * N_TASKS],
  ]);
  const values = (job: string) =>
    TASKS.map((task, at) => ({ task, values: [1, 2, 3].map((nth) => Number(isPassed(job, nth, at))) }));
  const expected = computePairedComparison(values("fix"), values("base"), {
    missing: "zero",
    nComparisons: 1,
  });
  expect(pairs).toHaveLength(1);
  expect(pairs[0]).toMatchObject({ first: "fix ×3", second: "base ×3", verdict: "better" });
  expect(pairs[0]?.comparison).toEqual(JSON.parse(JSON.stringify(expected)));
  // Any job of a set names it, and a pattern makes the same sets.
  const again = await run("compare", folder, "--pool", "^(base|fix)", "--baseline", "base-2", "--json");
  expect(again.stdout).toBe(stdout);
});

it("prints the same, and fails if its condition holds", async () => {
  const folder = writeJobs();
  const pooled = ["compare", folder, "--pool", "numbers"];
  const { code, stdout } = await run(...pooled, "--baseline", "fix-1", "--fail-if", "worse");
  expect(code).toBe(1);
  expect(stdout).toMatch(/base ×3 +fix ×3 +worse/u);
  expect(stdout).toContain("fix ×3 is better than");
  expect((await run(...pooled, "--baseline", "base-1", "--fail-if", "not-better")).code).toBe(0);
  const narrow = await run(...pooled, "--baseline", "base-1", "--fail-if", "low<0.9");
  expect(narrow.code).toBe(1);
  expect(narrow.stderr).toMatch(/^FAIL: fix ×3 is \S+ points above base ×3 \(95 % \S+ to \S+\); low is /u);
});

it("reports adjusted p-values of several groups, and intervals that claim more", async () => {
  // Six tasks won and none lost: 2 of 64 patterns of signs for one comparison, five times that for five.
  const write = (job: string, isWon: (at: number) => boolean) =>
    jobFiles(job, Object.fromEntries(TASKS.map((task, at) => [`${task}__${job}xx`, isWon(at) ? 1 : 0])));
  const names = ["base1", "base2", "base3", "base4", "base5"];
  const bases = names.map((job) => write(job, (at) => at < 10));
  const last = write("last6", (at) => at < 16);
  const folder = makeFolder(Object.fromEntries([...bases, last].flatMap((files) => Object.entries(files))));
  const { stdout } = await run("compare", folder, "--baseline", "base1");
  expect(stdout).toContain(
    "Only the interval excludes 0; the p-value, adjusted for 5 comparisons, does not.\n",
  );
  expect(stdout).toContain("adjusted for all 5 comparisons together (Holm)");
  const alone = await run("compare", makeFolder({ ...bases[0], ...last }), "--baseline", "base1");
  expect(alone.stdout).toContain("is better than");
  expect(alone.stdout).not.toMatch(/adjusted|leaves out 0/u);
});

it("fails a condition on groups that cannot be compared", async () => {
  const apart = makeFolder({ ...jobFiles("a", { one__aaaaaaa: 1 }), ...jobFiles("b", { two__bbbbbbb: 1 }) });
  const { code, stderr } = await run("compare", apart, "--fail-if", "worse");
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be compared")]);
});

it("reports doubtful sets, and rejects invalid choices", async () => {
  const folder = writeJobs();
  // All six are one set.
  expect((await run("compare", folder, "--pool", "^")).stderr).toContain("a comparison needs at least two");
  const none = await run("compare", folder, "--baseline", "gone");
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("matches no group: base-1")]);
  expect((await run("compare", folder, "--pool", "(")).stderr).toContain("regular expression");
  expect((await run("compare", folder, "--key", "speed")).stderr).toContain('reward key "speed"');
});

it("pools run sets saved on the pages, under their names", async () => {
  const folder = writeJobs();
  const data = makeFolder({}, "data");
  const store = openViewStoreOf({ ASSAY_DATA: data });
  const { runs } =
    savedSchema.parse(JSON.parse((await run("compare", folder, "--json")).stdout)).groups[0] ?? {};
  const group = runs?.[0]?.group ?? "";
  const members = ["base-1", "base-3", "gone"].map((job) => ({
    job: null,
    jobKey: job,
    jobName: job,
    group,
  }));
  await saveRunSet(store, { name: "old", members, createdBy: null });
  const { id } = await saveRunSet(store, { name: "deleted", members, createdBy: null });
  await deleteRunSet(store, id);
  await store.close();
  const { stdout } = await run("compare", folder, "--pool", "saved", "--data", data, "--json");
  const { groups } = savedSchema.parse(JSON.parse(stdout));
  const saved = groups.find(({ name }) => name === "old (2 of 3 runs)");
  expect(saved?.runs.map(({ job }) => job)).toEqual(["base-1", "base-3"]);
  expect(groups).toHaveLength(5);

  const ranked = await run("leaderboard", folder, "--pool", "saved", "--data", data, "--json");
  const [board] = boardSchema.parse(JSON.parse(ranked.stdout)).datasets;
  expect(board?.groups.find(({ name }) => name === "old (2 of 3 runs) ×2")?.runs).toHaveLength(2);
  expect(board?.groups).toHaveLength(5);
});

it("adds later matches of a saved rule", async () => {
  const folder = writeJobs();
  const data = makeFolder({}, "data");
  const store = openViewStoreOf({ ASSAY_DATA: data });
  const { groups: each } = savedSchema.parse(JSON.parse((await run("compare", folder, "--json")).stdout));
  const group = each[0]?.runs[0]?.group ?? "";
  const member = { job: null, jobKey: "base-1", jobName: "base-1", group };
  await saveRunSet(store, { name: "grows", members: [member], createdBy: null, rule: "numbers" });
  await store.close();
  const { stdout } = await run("compare", folder, "--pool", "saved", "--data", data, "--json");
  const set = savedSchema.parse(JSON.parse(stdout)).groups.find(({ name }) => name === "grows");
  expect(set?.runs.map(({ job }) => job)).toEqual(["base-1", "base-2", "base-3"]);
});

const boardSchema = z.object({
  datasets: z.array(
    z.object({ groups: z.array(z.object({ name: z.string(), runs: z.array(z.unknown()) })) }),
  ),
});

const savedSchema = z.object({
  groups: z.array(
    z.object({ name: z.string(), runs: z.array(z.object({ job: z.string(), group: z.string() })) }),
  ),
});

it("lists differing conditions of the jobs, by recorded files", async () => {
  const job = (name: string, commit: string, cpus: number) => ({
    ...jobFiles(name, { [`task-1__${name}`]: 1 }),
    [`${name}/lock.json`]: { harbor: { version: "0.15.0", git_commit_hash: commit }, n_concurrent_trials: 4 },
    [`${name}/task-1__${name}/result.json`]: trialResult(`task-1__${name}`, 1, {
      config: { agent: { name: "orca" }, environment: { type: "modal", override_cpus: cpus } },
    }),
  });
  const folder = makeFolder({ ...job("aaaaaaa", "1".repeat(40), 2), ...job("bbbbbbb", "2".repeat(40), 4) });
  const { stdout } = await run("compare", folder, "--json");
  const { checks } = z
    .object({ checks: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string() })) })
    .parse(JSON.parse(stdout));
  const named = new Map(checks.map((check) => [check.name, check]));
  expect(named.get("Harbor version")?.state).toBe("same");
  expect(named.get("Harbor commit")).toMatchObject({ state: "differs" });
  expect(named.get("CPUs")).toMatchObject({ state: "differs", detail: "2: aaaaaaa; 4: bbbbbbb." });
  expect(named.has("concurrent trials")).toBe(false);
});

it("warns of repeats that are possible copies, with the figures and in the set's name", async () => {
  const job = (name: string) =>
    jobFiles(name, Object.fromEntries(TASKS.map((task, at) => [`${task}__xxxxx${name}`, at % 2])));
  const folder = makeFolder({ ...job("r1"), ...job("r2"), ...job("other") });
  const { stdout } = await run("compare", folder, "--pool", "numbers");
  expect(stdout).toContain("(possible copies)");
  expect(stdout).toContain(`r1 and r2 on ${String(N_TASKS)} of ${String(N_TASKS)} tasks`);
});

it("pools runs by the folder of their jobs, without parsing times as run numbers", async () => {
  const names = ["2026-02-09__01-47-04", "2026-02-09__01-47-08", "2026-02-10__00-43-32"];
  const files = ["first", "second"].flatMap((parent) =>
    names.map((name, at) =>
      jobFiles(`${parent}/${name}`, { [`task-1__${parent.padEnd(6, "x")}${String(at)}`]: at % 2 }),
    ),
  );
  const folder = makeFolder(Object.fromEntries(files.flatMap((one) => Object.entries(one))));
  const listGroups = async (rule: string) => {
    const { stdout } = await run("compare", folder, "--pool", rule, "--json");
    return comparisonSchema.parse(JSON.parse(stdout)).groups.map(({ name, runs }) => [name, runs.length]);
  };
  const byFolder = await listGroups("folder");
  expect(byFolder).toEqual([
    ["first ×3", 3],
    ["second ×3", 3],
  ]);
  expect(await listGroups("numbers")).toHaveLength(files.length);
});

it("has no score of runs without a reward, as leaderboards have none", async () => {
  const names = TASKS.slice(0, 3).map((task) => `${task}__aaaaaaa`);
  const files = ["base-1", "fix-1", "none-1"].map((job, nth) => {
    const rewards = Object.fromEntries(names.map((name) => [name, nth === 0 ? 1 : 0]));
    const own = names.map((name): [string, unknown] => [
      `${job}/${name}/result.json`,
      trialResult(name, job === "none-1" ? null : (rewards[name] ?? 0), { id: `${job} ${name}` }),
    ]);
    return { ...jobFiles(job, rewards, { id: job }), ...Object.fromEntries(own) };
  });
  const folder = makeFolder(Object.fromEntries(files.flatMap((own) => Object.entries(own))));
  const printed = z.object({
    groups: z.array(z.object({ name: z.string(), mean: z.unknown() })),
  });
  const { groups } = printed.parse(JSON.parse((await run("compare", folder, "--json")).stdout));
  expect(groups.map(({ name, mean }) => [name, mean])).toMatchObject([
    ["base-1", { kind: "computed", mean: 1 }],
    ["fix-1", { kind: "computed", mean: 0 }],
    ["none-1", { kind: "unavailable" }],
  ]);
});
