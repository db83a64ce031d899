import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { classifyOutcome, selectHeadlineReward, type Trial } from "@/lib/core/domain/trial";
import { TRIAL_SORTS } from "@/lib/core/fields/trials.fields";
import { writeExport } from "@/lib/output/export";
import { parseJobParams } from "@/lib/pages/job/address";
import { parseTrialsParams, type TrialsParams } from "@/lib/pages/trials/address";
import { classifyPattern } from "@/lib/store/indexer/trial-rows";
import type { JobHead } from "@/lib/store/tables";
import { itLong } from "@/lib/testing/it-long.fixture";
import {
  atSecond,
  buildBundle,
  buildException,
  buildGroup,
  buildTrial,
  rewards,
} from "@/lib/testing/job-bundle.fixture";

import { getFiguresPanel } from "./figures";
import { getJobOverview } from "./overview";
import { getRerun } from "./rerun";
import { openStoredJobs, type StoredJobs } from "./stored-job.fixture";
import { getTasksPanel } from "./tasks";
import { getTrialsPage, getTrialsPanel, listTrials } from "./trials";
import { readTrialsDownload } from "./trials-download";

let jobs: StoredJobs;
let job: JobHead;

beforeAll(async () => {
  jobs = await openStoredJobs();
  job = await storeJob(TRIALS);
});

afterAll(() => jobs.close());

function buildAttempt(
  agent: string,
  taskName: string,
  attempt: number,
  reward: number | null,
  over: Partial<Trial> = {},
): Trial {
  const trial = buildTrial(`${agent}-${taskName}-${attempt}`, reward, { agent, taskName, attempt, ...over });
  const outcome = classifyOutcome({ ...trial, exceptionType: trial.exception?.type ?? null });
  return { ...trial, outcome };
}

function storeJob(trials: readonly Trial[], recordedMean = 0.5): Promise<JobHead> {
  return jobs.add(buildBundle(trials, [buildGroup({ metrics: [new Map([["mean", recordedMean]])] })]));
}

const cost = (costUsd: number | null) => ({
  inputTokens: null,
  cacheTokens: null,
  outputTokens: null,
  costUsd,
});
const lasting = (seconds: number) => ({ startedAt: atSecond(0), finishedAt: atSecond(seconds) });

// orca passes a, is flaky at b, and lamp never passes; c still runs for orca and is missing for lamp.
const TRIALS = [
  buildAttempt("orca", "a", 1, 1, { tokens: cost(2), time: lasting(60) }),
  buildAttempt("orca", "a", 2, 1, { tokens: cost(4), time: lasting(180) }),
  buildAttempt("orca", "b", 1, 1, { tokens: cost(0), time: lasting(240) }),
  buildAttempt("orca", "b", 2, null, { exception: buildException("AgentTimeoutError") }),
  buildAttempt("lamp", "a", 1, 0.25, { tokens: cost(null) }),
  buildAttempt("lamp", "b", 1, 0),
  buildAttempt("orca", "c", 1, null, { state: "running" }),
  buildAttempt("lamp", "c", 1, null, { state: "missing" }),
];

function names(rows: readonly { readonly trial: Trial }[]): string[] {
  return rows.map(({ trial }) => trial.trialName);
}

describe("tasks", () => {
  test("cells follow the groups, and only ended attempts count", async () => {
    const { rows } = await getTasksPanel(jobs.store, job, parseJobParams({}, "tasks"));
    expect(rows.map((task) => [task.taskName, task.nPassed, task.nEnded, task.pattern])).toEqual([
      ["a", 2, 3, "split"],
      ["b", 1, 3, "flaky"],
      ["c", 0, 0, null],
    ]);
    expect(rows[0]?.cells.map((cell) => cell?.attempts.map((trial) => trial.trialName))).toEqual([
      ["orca-a-1", "orca-a-2"],
      ["lamp-a-1"],
    ]);
  });

  test("unknown costs are left out of the mean and come last however sorted", async () => {
    const sorted = async (dir: string) =>
      (await getTasksPanel(jobs.store, job, parseJobParams({ sort: "cost", dir }, "tasks"))).rows;
    expect((await sorted("asc")).map((task) => [task.taskName, task.meanCostUsd])).toEqual([
      ["b", 0],
      ["a", 3],
      ["c", null],
    ]);
    expect((await sorted("desc")).map((task) => task.taskName)).toEqual(["a", "b", "c"]);
  });

  test("median duration, over the attempts whose duration is known", async () => {
    const { rows } = await getTasksPanel(jobs.store, job, parseJobParams({ q: "a" }, "tasks"));
    expect(rows.map((task) => task.medianDurationMs)).toEqual([120_000]);
  });
});

test.each([
  [
    [
      [2, 2],
      [1, 1],
    ],
    "always",
  ],
  [
    [
      [0, 2],
      [0, 1],
    ],
    "never",
  ],
  [
    [
      [2, 2],
      [0, 3],
    ],
    "split",
  ],
  [
    [
      [2, 2],
      [1, 3],
    ],
    "flaky",
  ],
  [[], null],
] as const)("groups that passed some of their attempts as %j make the pattern %s", (cells, pattern) => {
  expect(classifyPattern(cells.map(([nPassed, nEnded]) => ({ nPassed, nEnded })))).toBe(pattern);
});

describe("trials", () => {
  const list = async (search: Record<string, string | string[]>) =>
    names((await getTrialsPanel(jobs.store, job, parseTrialsParams(search))).rows);

  test("filters add up", async () => {
    expect(await list({ outcome: "passed", task: "a" })).toEqual(["orca-a-1", "orca-a-2"]);
    expect(await list({ exception: "AgentTimeoutError" })).toEqual(["orca-b-2"]);
    expect(await list({ group: "lamp__m1__d1", outcome: ["failed", "missing"] })).toEqual([
      "lamp-b-1",
      "lamp-c-1",
    ]);
  });

  test("a trial without a number is in no range of it", async () => {
    expect(await list({ max: "0.5" })).toEqual(["lamp-a-1", "lamp-b-1"]);
    expect(await list({ cost_min: "0" })).toEqual(["orca-a-1", "orca-a-2", "orca-b-1"]);
    expect(await list({ time_min: "2", time_max: "3" })).toEqual(["orca-a-2"]);
  });

  test("sorted by reward, those without one last", async () => {
    expect((await list({ sort: "reward", dir: "asc" })).slice(0, 2)).toEqual(["lamp-b-1", "lamp-a-1"]);
    expect((await list({ sort: "reward" })).at(-1)).toMatch(/-c-1|-b-2/);
  });

  test("the trials behind a figure", async () => {
    const { rows } = await getFiguresPanel(
      jobs.store,
      job,
      parseJobParams({ kind: "metric" }, "verification"),
    );
    const figure = rows[0]?.path ?? "";
    expect(await list({ figure })).toEqual(["orca-a-1", "orca-a-2", "orca-b-1", "orca-b-2"]);
    expect(await list({ figure: "no such figure" })).toEqual([]);
  });

  test("there are no judgments", async () => {
    expect(await list({ judgment: "none", q: "orca-a" })).toHaveLength(2);
    expect(await list({ judgment: "any" })).toEqual([]);
  });

  test("pages by reward of a key, in a job with trials of one and of several keys", async () => {
    const job = await storeJob([
      buildAttempt("orca", "a", 1, null, { rewards: rewards({ tests: 3n, reward: 0.5 }) }),
      buildAttempt("orca", "b", 1, null, { rewards: rewards({ tests: 1n }) }),
      buildAttempt("orca", "c", 1, null, { rewards: rewards({ style: 1n }) }),
      buildAttempt("orca", "d", 1, null, { rewards: rewards({ tests: Infinity, style: 1n }) }),
    ]);
    const params = (dir: string) => parseTrialsParams({ key: "tests", sort: "reward", dir });
    expect(names(await walk(job, params("desc"), 1))).toEqual([
      "orca-d-1",
      "orca-a-1",
      "orca-b-1",
      "orca-c-1",
    ]);
    expect(names(await walk(job, params("asc"), 1))).toEqual([
      "orca-b-1",
      "orca-a-1",
      "orca-d-1",
      "orca-c-1",
    ]);
  });

  itLong()(
    "a figure with more trials behind it than a statement has room for",
    async () => {
      const many = Array.from({ length: 33_000 }, (_, index) =>
        buildAttempt(index % 2 === 0 ? "orca" : "lamp", `t${index}`, 1, index % 3 === 0 ? 1 : 0),
      );
      const job = await storeJob(many, 1);
      const { rows } = await getFiguresPanel(
        jobs.store,
        job,
        parseJobParams({ kind: "metric" }, "verification"),
      );
      const params = parseTrialsParams({ figure: rows[0]?.path ?? "", outcome: "passed" });
      const panel = await getTrialsPanel(jobs.store, job, params);
      expect([rows[0]?.nTrials, panel.nMatching, panel.rows.length]).toEqual([16_500, 5_500, 50]);
      let n = 0;
      for await (const { position } of listTrials(jobs.store, job, params)) n += position < 0 ? 0 : 1;
      expect(n).toBe(5_500);
    },
    60_000,
  );
});

/** Every row of the trials table, a page at a time. */
async function walk(job: JobHead, filter: TrialsParams, limit: number) {
  const rows = [];
  for (let nMatching = 1; rows.length < nMatching;) {
    const page = await getTrialsPage(jobs.store, job, filter, { from: rows.length, limit });
    expect(page.nBefore).toBe(rows.length);
    rows.push(...page.rows);
    nMatching = page.nMatching;
  }
  return rows;
}

describe("paging", () => {
  const few = fc.constantFrom(null, 0, 0.5, 1);
  const trials = fc.array(
    fc.record({
      agent: fc.constantFrom("orca", "lamp"),
      task: fc.constantFrom("a", "b"),
      reward: few,
      cost: few,
      seconds: few,
      isError: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );

  /** A column's value, read from the trial itself. */
  const READ: Readonly<Partial<Record<TrialsParams["sort"], (trial: Trial) => number | string | null>>> = {
    outcome: ({ outcome }) => outcome,
    exception: ({ exception }) => exception?.type ?? null,
    reward: (trial) => Number(selectHeadlineReward(trial.rewards)?.value ?? NaN),
    cost: ({ tokens }) => tokens.costUsd,
  };

  test("through equals and unknowns finds every trial once, in order, unknowns last", async () => {
    await fc.assert(
      fc.asyncProperty(
        trials,
        fc.constantFrom(...TRIAL_SORTS),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (drafts, sort, descending, limit) => {
          const attempts = drafts.map(({ agent, task, reward, cost: usd, seconds, isError }, index) =>
            buildAttempt(agent, task, index, reward, {
              tokens: cost(usd),
              time: seconds === null ? { startedAt: null, finishedAt: null } : lasting(seconds),
              exception: isError ? buildException("E") : null,
            }),
          );
          const job = await storeJob(attempts);
          const filter = { ...parseTrialsParams({}), sort, descending };
          const forwards = await walk(job, filter, limit);
          expect(names(forwards).toSorted()).toEqual(attempts.map(({ trialName }) => trialName).toSorted());
          const read = READ[sort];
          if (read === undefined) return;
          const values = forwards
            .map(({ trial }) => read(trial))
            .map((value) => (Number.isNaN(value) ? null : value));
          const known = values.filter((value) => value !== null);
          expect(values).toEqual([...known, ...values.slice(known.length).fill(null)]);
          const sorted = known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
          expect(known).toEqual(descending ? sorted.toReversed() : sorted);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a page beyond the end shows the last one", async () => {
    const filter = parseTrialsParams({});
    const beyond = await getTrialsPage(jobs.store, job, filter, { from: 99, limit: 3 });
    expect([beyond.nBefore, beyond.rows.length, beyond.nMatching]).toEqual([6, 2, 8]);
  });
});

async function prepareCsv(job: JobHead, search: Record<string, string>): Promise<string> {
  let csv = "";
  const params = parseTrialsParams(search);
  const { table, rows } = await readTrialsDownload(jobs.store, job.key, params, 1);
  for await (const piece of writeExport("csv", table, rows)) csv += String(piece);
  return csv;
}

test("the CSV has the filtered trials, with Python's text of every reward", async () => {
  const several = await storeJob([
    buildAttempt("orca", "a", 1, null, { rewards: rewards({ tests: 3n, style: 0.5 }) }),
    buildAttempt("orca", "b", 1, null, { exception: buildException("=cmd()") }),
  ]);
  const [heading, first, second] = (await prepareCsv(several, {})).split("\r\n");
  expect(heading).toMatch(
    /^job_key,job_name,.*,reward:tests,reward_file:tests,reward:style,reward_file:style$/,
  );
  expect(first).toMatch(/,orca-a-1,a,.*,orca,.*,m1,.*,3,[^,]*,0\.5,[^,]*$/);
  expect(second).toContain(",'=cmd(),");
  expect(await prepareCsv(several, { task: "b" })).not.toContain("orca-a-1");
});

test("figures come worst first and filter by verdict and kind", async () => {
  const { rows } = await getFiguresPanel(jobs.store, job, parseJobParams({}, "verification"));
  expect(rows[0]).toMatchObject({ kind: "metric", verdict: "mismatch", recorded: "0.5", recomputed: "0.75" });
  const only = await getFiguresPanel(
    jobs.store,
    job,
    parseJobParams({ kind: "reward-file", verdict: "exact" }, "verification"),
  );
  expect(only.rows.length).toBeGreaterThan(0);
  expect(new Set(only.rows.map(({ kind, verdict }) => `${kind} ${verdict}`))).toEqual(
    new Set(["reward-file exact"]),
  );
});

test("only exceptions can be run again, and those of environment, provider and verifier are chosen", async () => {
  const path = mkdtempSync(join(tmpdir(), "assay-rerun-"));
  const stored = await storeJob([
    buildAttempt("orca", "a", 1, 1, { exception: buildException("AgentTimeoutError") }),
    buildAttempt("orca", "a", 2, 0),
    buildAttempt("orca", "b", 1, null, { exception: buildException("DaytonaError") }),
    buildAttempt("lamp", "a", 1, null, { exception: buildException("DaytonaError") }),
    buildAttempt("lamp", "b", 1, null, { exception: buildException("Pasted\u001b[0mError") }),
    buildAttempt("lamp", "b", 2, null, { exception: buildException("Bidi\u202eError") }),
  ]);
  const mixed = { ...stored, path, state: "finished" } as const;
  // Without config.json, Harbor cannot resume the job.
  expect(await getRerun(jobs.store, mixed)).toBeNull();
  writeFileSync(join(path, "config.json"), "{}");
  expect((await getRerun(jobs.store, mixed))?.types).toEqual([
    { type: "DaytonaError", cause: "infrastructure", isUsual: true, nTrials: 2, nPassed: 0 },
    { type: "AgentTimeoutError", cause: "limit", isUsual: false, nTrials: 1, nPassed: 1 },
  ]);
  expect(await getRerun(jobs.store, { ...mixed, kind: "loose" })).toBeNull();
  // Harbor would delete the trials that still run.
  expect(await getRerun(jobs.store, { ...mixed, state: "running" })).toBeNull();
});

test("every attempt is drawn, tasks that never pass first and each task's worst attempt first", async () => {
  const mixed = await storeJob([
    buildAttempt("orca", "always", 1, 1),
    buildAttempt("orca", "flaky", 1, 1),
    buildAttempt("orca", "flaky", 2, 0),
    buildAttempt("orca", "never", 1, null, { exception: buildException("AgentTimeoutError") }),
    buildAttempt("orca", "never", 2, 0),
  ]);
  const { tasks, ...overview } = await getJobOverview(jobs.store, mixed, "complete");
  expect(tasks.map(({ taskName, marks }) => [taskName, ...marks.map(({ outcome }) => outcome)])).toEqual([
    ["never", "failed", "timeout"],
    ["flaky", "failed", "passed"],
    ["always", "passed"],
  ]);
  expect(overview).toMatchObject({ nFailedTasks: 2, never: 1, sometimes: 1, always: 1, hasRubric: false });
  const failures = await getTasksPanel(jobs.store, mixed, parseJobParams({}, "errors"));
  expect(failures.rows.map(({ taskName }) => taskName)).toEqual(["never", "flaky"]);
});
