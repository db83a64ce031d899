import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parseJobParams } from "@/app/jobs/[job]/search-params";
import type { JobEntry } from "@/lib/domain/catalog";
import { classifyOutcome, type TrialRecord } from "@/lib/domain/trial";
import { verifyJob } from "@/lib/verification";
import {
  atSecond,
  buildBundle,
  buildException,
  buildGroup,
  buildTrial,
  rewards,
} from "@/lib/verification/bundle.fixture";

import { prepareTrialsCsv } from "./job-page-csv";
import { listExceptions } from "./job-page-errors";
import { getFiguresPanel } from "./job-page-figures";
import { classifyPattern, getTasksPanel } from "./job-page-tasks";
import { getTrialsPanel } from "./job-page-trials";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-job-page-"));
  process.env["ASSAY_DATA"] = folder;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function buildAttempt(
  agent: string,
  taskName: string,
  attempt: number,
  reward: number | null,
  over: Partial<TrialRecord> = {},
): TrialRecord {
  const trial = buildTrial(`${agent}-${taskName}-${attempt}`, reward, { agent, taskName, attempt, ...over });
  const outcome = classifyOutcome({ ...trial, exceptionType: trial.exception?.type ?? null });
  return { ...trial, outcome };
}

function buildEntry(trials: readonly TrialRecord[], recordedMean = 0.5): JobEntry {
  const bundle = buildBundle(trials, [buildGroup({ metrics: [new Map([["mean", recordedMean]])] })]);
  return { ...bundle, path: folder, report: verifyJob(bundle) };
}

const cost = (costUsd: number | null) => ({
  inputTokens: null,
  cacheTokens: null,
  outputTokens: null,
  costUsd,
});
const lasting = (seconds: number) => ({ startedAt: atSecond(0), finishedAt: atSecond(seconds) });

// orca passes a, is flaky at b, and lamp never passes; c still runs for orca and is missing for lamp.
const entry = buildEntry([
  buildAttempt("orca", "a", 1, 1, { tokens: cost(2), time: lasting(60) }),
  buildAttempt("orca", "a", 2, 1, { tokens: cost(4), time: lasting(180) }),
  buildAttempt("orca", "b", 1, 1, { tokens: cost(0), time: lasting(240) }),
  buildAttempt("orca", "b", 2, null, { exception: buildException("AgentTimeoutError") }),
  buildAttempt("lamp", "a", 1, 0.25, { tokens: cost(null) }),
  buildAttempt("lamp", "b", 1, 0),
  buildAttempt("orca", "c", 1, null, { state: "running" }),
  buildAttempt("lamp", "c", 1, null, { state: "missing" }),
]);

function names(rows: readonly { readonly trial: TrialRecord }[]): string[] {
  return rows.map(({ trial }) => trial.trialName);
}

describe("tasks", () => {
  test("cells follow the groups, and only ended attempts count", async () => {
    const { rows } = await getTasksPanel(entry, parseJobParams({}));
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
      (await getTasksPanel(entry, parseJobParams({ sort: "cost", dir }))).rows;
    expect((await sorted("asc")).map((task) => [task.taskName, task.meanCostUsd])).toEqual([
      ["b", 0],
      ["a", 3],
      ["c", null],
    ]);
    expect((await sorted("desc")).map((task) => task.taskName)).toEqual(["a", "b", "c"]);
  });

  test("median duration, over the attempts whose duration is known", async () => {
    const { rows } = await getTasksPanel(entry, parseJobParams({ q: "a" }));
    expect(rows.map((task) => task.medianDurationMs)).toEqual([120_000]);
  });

  test.each([
    [
      [
        { nPassed: 2, nEnded: 2 },
        { nPassed: 1, nEnded: 1 },
      ],
      "always",
    ],
    [
      [
        { nPassed: 0, nEnded: 2 },
        { nPassed: 0, nEnded: 1 },
      ],
      "never",
    ],
    [
      [
        { nPassed: 2, nEnded: 2 },
        { nPassed: 0, nEnded: 3 },
      ],
      "split",
    ],
    [
      [
        { nPassed: 2, nEnded: 2 },
        { nPassed: 1, nEnded: 3 },
      ],
      "flaky",
    ],
    [[], null],
  ])("the pattern of %j is %s", (cells, pattern) => {
    expect(classifyPattern(cells)).toBe(pattern);
  });
});

describe("trials", () => {
  const list = async (search: Record<string, string | string[]>) =>
    names((await getTrialsPanel(entry, parseJobParams({ tab: "trials", ...search }))).rows);

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
    const figure = entry.report.figures.find(({ kind }) => kind === "metric")?.path ?? "";
    expect(await list({ figure })).toEqual(["orca-a-1", "orca-a-2", "orca-b-1", "orca-b-2"]);
    expect(await list({ figure: "no such figure" })).toEqual([]);
  });

  test("nobody has judged anything", async () => {
    expect(await list({ judgment: "none", q: "orca-a" })).toHaveLength(2);
    expect(await list({ judgment: "any" })).toEqual([]);
  });

  test("a page beyond the last shows the last", async () => {
    const many = buildEntry(
      Array.from({ length: 230 }, (_, index) => buildAttempt("orca", `t${index}`, 1, 1)),
      1,
    );
    const panel = await getTrialsPanel(many, parseJobParams({ tab: "trials", page: "9" }));
    expect([panel.page, panel.nPages, panel.rows.length, panel.nMatching]).toEqual([3, 3, 30, 230]);
  });
});

test("the CSV holds what the filter leaves, with Python's text of every reward", async () => {
  const several = buildEntry([
    buildAttempt("orca", "a", 1, null, { rewards: rewards({ tests: 3n, style: 0.5 }) }),
    buildAttempt("orca", "b", 1, null, { exception: buildException("=cmd()") }),
  ]);
  const [heading, first, second] = (await prepareTrialsCsv(several, parseJobParams({ tab: "trials" }))).split(
    "\r\n",
  );
  expect(heading).toMatch(/^trial_name,task_name,.*,reward:tests,reward:style$/);
  expect(first).toMatch(/^orca-a-1,a,1,orca,m1,.*,3,0\.5$/);
  expect(second).toContain(",'=cmd(),");
  expect(await prepareTrialsCsv(several, parseJobParams({ tab: "trials", task: "b" }))).not.toContain(
    "orca-a-1",
  );
});

test("figures come worst first and filter by verdict and kind", () => {
  const { rows } = getFiguresPanel(entry, parseJobParams({ tab: "verification" }));
  expect(rows[0]).toMatchObject({ kind: "metric", verdict: "mismatch", recorded: "0.5", recomputed: "0.75" });
  const only = getFiguresPanel(
    entry,
    parseJobParams({ tab: "verification", kind: "reward-file", verdict: "exact" }),
  );
  expect(only.rows.length).toBeGreaterThan(0);
  expect(new Set(only.rows.map(({ kind, verdict }) => `${kind} ${verdict}`))).toEqual(
    new Set(["reward-file exact"]),
  );
});

test("exceptions are counted by group, with those that were scored all the same", () => {
  const scored = buildEntry([
    buildAttempt("orca", "a", 1, 1, { exception: buildException("AgentTimeoutError") }),
    buildAttempt("lamp", "a", 1, null, { exception: buildException("AgentTimeoutError") }),
  ]);
  expect(listExceptions(scored)).toEqual([
    { type: "AgentTimeoutError", counts: [1, 1], nTrials: 2, nWithReward: 1, nPassed: 1, message: null },
  ]);
});
