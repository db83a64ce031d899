import { afterAll, beforeAll, expect, test } from "vitest";

import { parseJobParams } from "@/lib/pages/job/address";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import { type JobHead } from "@/lib/store/tables";
import { buildBundle, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { getErrorsSuspects } from "../errors/page";
import { readErrorsBase, selectErrorsScope } from "../errors/scope";
import { openStoredJobs, type StoredJobs } from "./stored-job.fixture";
import { getTasksPanel } from "./tasks";
import { getTrialsPanel } from "./trials";

let jobs: StoredJobs;
let job: JobHead;

const NAMES = ["a", "b", "c", "d"] as const;

beforeAll(async () => {
  jobs = await openStoredJobs();
  const trials = NAMES.map((name, at) => buildTrial(name, 0, { taskName: "task", attempt: at + 1 }));
  job = await jobs.add(buildBundle(trials, []));
  const other = await jobs.add(buildBundle([buildTrial("else", 0.5)], []));
  const { db } = jobs.store;
  const suspicion = { jobRowId: job.rowId, log: "verifier/run.log", logLine: 7, lacksDetails: 1 };
  await db
    .insertInto("suspicions")
    .values({ ...suspicion, position: 1 })
    .execute();
  const check = {
    hasDetails: 0,
    outputDigest: "d",
    outputPath: "agent/output.md",
    uncompared: null,
    compareKey: "same",
    rubricFit: null,
  };
  const rows = [
    { jobRowId: job.rowId, position: 2, rewardsKey: "zero" },
    { jobRowId: other.rowId, position: 0, rewardsKey: "half" },
    // These two share an output and agree.
    { jobRowId: job.rowId, position: 0, rewardsKey: "zero", compareKey: "agreed" },
    { jobRowId: job.rowId, position: 3, rewardsKey: "zero", compareKey: "agreed" },
  ];
  await db
    .insertInto("trialChecks")
    .values(rows.map((row) => ({ ...check, ...row })))
    .execute();
});

afterAll(() => jobs.close());

async function listKeys(search: Record<string, string | string[]>): Promise<readonly string[]> {
  const filter = parseTrialsParams(search);
  return (await getTrialsPanel(jobs.store, job, filter)).rows.map(({ trial }) => trial.key);
}

test("trials are filtered by doubts about their verifier, which their rows show", async () => {
  expect(await listKeys({ verifier: "suspect" })).toEqual(["key-b"]);
  expect(await listKeys({ verifier: "nondeterministic" })).toEqual(["key-c"]);
  expect(await listKeys({ verifier: ["suspect", "nondeterministic"] })).toEqual(["key-b", "key-c"]);
  expect(await listKeys({ verifier: "suspect", q: "nothing like this" })).toEqual([]);
  const { rows } = await getTrialsPanel(jobs.store, job, parseTrialsParams({}));
  expect(rows.map(({ suspicion }) => suspicion?.traceback)).toEqual([
    undefined,
    { file: "verifier/run.log", line: 7 },
    undefined,
    undefined,
  ]);
});

test("the attempts of the tasks table are marked", async () => {
  const panel = await getTasksPanel(jobs.store, job, parseJobParams({}, "tasks"));
  expect([...panel.suspects]).toEqual(["key-b"]);
});

test("the errors page counts suspects by job within its filter, and unread trials", async () => {
  const { store } = jobs;
  const base = await readErrorsBase(store);
  const filter = { jobs: [], agents: [], causes: [], text: "" };
  const read = (over: { readonly jobs?: readonly string[] }) =>
    getErrorsSuspects(
      store,
      selectErrorsScope(base, { ...filter, ...over }, () => 0),
    );
  expect(await read({})).toEqual({
    jobs: [{ jobKey: "job-0", jobName: "job-0", nTrials: 1, nTraceback: 1, nLackDetails: 1 }],
    nTrials: 1,
    nToRead: 5,
  });
  expect(await read({ jobs: ["job-1"] })).toMatchObject({ jobs: [], nTrials: 0, nToRead: 1 });
});
