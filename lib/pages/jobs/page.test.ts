import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, onTestFinished, test } from "vitest";

import { describeTrialCount, explainAbsentTrials } from "@/components/job/trials/trial-count";
import { listJobsLines } from "@/components/jobs/jobs-lines";
import { JobsTable } from "@/components/jobs/jobs-table";
import { parseJobsParams } from "@/lib/pages/jobs/address";
import { loadReportAddress } from "@/lib/pages/load-report/address";
import { createAnnotation } from "@/lib/people/annotations";
import { type IndexPhase } from "@/lib/store/indexer";
import { prepareFoundSource } from "@/lib/store/indexer/prepare-content";
import { addSource, readTotals } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";

import { countReviews, getJudged } from "../annotations/judged";
import { readShownIssues } from "../load-report/page";
import { listNames, openForAll, readAllHeads } from "./open-jobs.fixture";
import { type JobsPage } from "./page";

/** The rows of the list as the page draws them, as the texts of their cells. */
function drawRows(page: JobsPage): readonly (readonly string[])[] {
  const rows = [...drawTable(page).matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].slice(1);
  return rows.map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, "")),
  );
}

function drawTable(page: JobsPage): string {
  const props = {
    lines: listJobsLines(page),
    sections: page.sections,
    params: parseJobsParams({}),
    isIndexed: page.status.phase === "current",
  };
  return renderToStaticMarkup(createElement(JobsTable, props));
}

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

/** The index of a folder, and the page it gives for a filter; closed after the test. */
async function openFolder(folder: string, now: () => number = Date.now) {
  const { close, ...opened } = await openForAll(folder, now);
  onTestFinished(close);
  return opened;
}

const SUBJECT = {
  jobUuid: null,
  rootLabel: "jobs",
  taskName: "a",
  agent: "orca",
  model: "m1",
  outcomeSeen: "passed",
  rewardSeen: "1",
} as const;

test("a filter by agent leaves out the job's other groups", async () => {
  const mixed = jobFiles("mixed", { a__1111111: 1, b__2222222: 0 });
  const other = trialResult("b__2222222", 0, {
    agent_info: { name: "lamp", version: "1", model_info: null },
    config: { task: { path: "tasks/b" }, trial_name: "b__2222222", agent: { name: "lamp" } },
  });
  const { index, read } = await openFolder(makeFolder({ ...mixed, "mixed/b__2222222/result.json": other }));
  await index.refresh();
  const agents = (page: JobsPage) => page.items.map(({ groups }) => groups.map(({ group }) => group.agent));
  expect(agents(await read())).toEqual([["orca", "lamp"]]);
  const filtered = await read({ agents: ["lamp"] });
  expect(agents(filtered)).toEqual([["lamp"]]);
  // Its only row equals the second of two, and links to the trials of its group.
  const row = drawTable(filtered);
  expect(row).toMatch(/<span class="jobs-dataset">bench</);
  expect(row).toMatch(/tab=trials&amp;outcome=failed&amp;group=lamp/);
});

test("reviews are counted for the trials that were judged, and stay while nothing is saved", async () => {
  const folder = makeFolder({
    ...jobFiles("one", { a__1111111: 1, b__2222222: 0 }),
    ...jobFiles("two", { a__1111111: 1 }, { id: "22222222-2222-4222-8222-222222222222" }),
  });
  writeFiles(folder, {
    "two/a__1111111/result.json": trialResult("a__1111111", 1, {
      id: "another-trial",
      config: {
        task: { path: "tasks/a" },
        trial_name: "a__1111111",
        agent: { name: "orca", model_name: "lab/m1" },
        job_id: "22222222-2222-4222-8222-222222222222",
      },
    }),
  });
  const { index, read, annotations } = await openFolder(folder);
  await index.refresh();
  const readReviews = async () =>
    Object.fromEntries((await read()).items.map(({ job, groups }) => [job.name, groups[0]?.reviews]));
  const none = { nJudged: 0, nDisagreeing: 0 };
  expect(await readReviews()).toEqual({ one: none, two: none });
  for (const [trialName, judgment] of [
    ["a__1111111", "pass"],
    ["b__2222222", "pass"],
  ] as const) {
    await createAnnotation(annotations, {
      subject: {
        trialId: `id-of-${trialName}`,
        jobUuid: "11111111-1111-4111-8111-111111111111",
        trialName,
        jobName: "one",
        rootLabel: "jobs",
        taskName: trialName,
        agent: "orca",
        model: "m1",
        outcomeSeen: "passed",
        rewardSeen: "1",
      },
      draft: { reviewerId: "ada", reviewerDiscipline: null, judgment, categories: [], notes: "seen" },
      baseVersionId: null,
    });
  }
  expect(await readReviews()).toEqual({ one: { nJudged: 2, nDisagreeing: 1 }, two: none });
  rmSync(join(folder, "one", "b__2222222"), { recursive: true });
  await index.refresh();
  expect(await readReviews()).toMatchObject({ one: { nJudged: 1, nDisagreeing: 0 } });
});

test("reviews of many jobs are read as often as those of one", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `run-${n + 10}`);
  const folder = makeFolder({});
  for (const name of names) writeFiles(folder, jobFiles(name, { [`t__${name}0`]: 1 }, { id: name }));
  const { index, store, annotations } = await openFolder(folder);
  await index.refresh();
  const jobs = await readAllHeads({ store });
  for (const job of jobs) {
    const trialName = `t__${job.name}0`;
    await createAnnotation(annotations, {
      subject: { ...SUBJECT, trialName, trialId: `id-of-${trialName}`, jobName: job.name },
      draft: { reviewerId: "ada", reviewerDiscipline: null, judgment: "fail", categories: [], notes: null },
      baseVersionId: null,
    });
  }
  let nReads = 0;
  const counted: typeof annotations = {
    ...annotations,
    read: (empty, work) => {
      nReads++;
      return annotations.read(empty, work);
    },
  };
  const { byJob } = await getJudged(store, counted);
  expect(jobs.map(({ rowId: id }) => countReviews([...(byJob.get(id)?.values() ?? [])]))).toEqual(
    names.map(() => ({ nJudged: 1, nDisagreeing: 1 })),
  );
  // Of their version, of themselves and of decisions over them.
  expect(nReads).toBe(3);
});

test("an unread job shows its number of trial folders, and is sorted by its last write", async () => {
  const folder = makeFolder(jobFiles("read", { a__1111111: 1 }));
  const { index, read, store } = await openFolder(folder);
  await index.refresh();
  const [root] = index.roots;
  if (root === undefined) throw new Error("the folder is open");
  for (const [name, day] of [
    ["older", "2020-01-01"],
    ["newer", "2030-01-01"],
  ] as const) {
    writeFiles(folder, { [`${name}/config.json`]: {}, [`${name}/t__1111111/config.json`]: {} });
    utimesSync(join(folder, name), new Date(day), new Date(day));
    const trialFolders = ["t__1111111", "t__2222222"];
    const found = { folder: name, kind: "harbor", trialFolders } as const;
    await addSource(store, prepareFoundSource(root, found));
  }
  const page = await read();
  expect(listNames(page)).toEqual(["newer", "read", "older"]);
  expect(page.items.map(({ job }) => job.isRead)).toEqual([false, true, false]);
  const describe = (phase: IndexPhase) =>
    drawRows({ ...page, status: { ...page.status, phase } }).map((cells) => cells[2]);
  expect(describe("reading")).toEqual([
    "2 trial folders, reading",
    expect.not.stringContaining("folders"),
    "2 trial folders, reading",
  ]);
  expect(describe("current")[0]).toBe("2 trial folders, not read: see the load report");
});

test("the load report starts with problems, shows its length, and has a text filter", async () => {
  const folder = makeFolder({ ...jobFiles("one", { a__1111111: 1 }), "one/b__2222222/result.json": "{" });
  const { index, store } = await openFolder(folder);
  await index.refresh();
  const totals = await readTotals(store);
  const report = await readShownIssues(store, { text: "" }, { from: 0 });
  expect(report.nMatching).toBe(report.issues.length);
  expect(totals.nProblems + totals.nNotes).toBe(report.nMatching);
  expect(report.issues[0]?.path).toContain("b__2222222");
  const fitting = await readShownIssues(store, { text: "B__2222222" }, { from: 0 });
  expect(fitting.issues.length).toBeGreaterThan(0);
  expect(fitting.issues.every(({ path, detail }) => `${path} ${detail}`.includes("b__2222222"))).toBe(true);
});

test("the load report is sorted by the numbers in names, either way", async () => {
  const trials = ["task-10__aaaaaaa", "task-9__aaaaaaa", "task-2__aaaaaaa"];
  const files = Object.fromEntries(trials.map((trial) => [`one/${trial}/result.json`, "{"] as const));
  const { index, store } = await openFolder(makeFolder(files));
  await index.refresh();
  const read = async (search: Readonly<Record<string, string>>) => {
    const params = loadReportAddress.read({ q: "result.json", ...search });
    const { issues } = await readShownIssues(store, params, params);
    return issues.map(({ path }) => /task-\d+/.exec(path)?.[0]);
  };
  expect(await read({ sort: "path" })).toEqual(["task-2", "task-9", "task-10"]);
  expect(await read({ sort: "path", dir: "desc" })).toEqual(["task-10", "task-9", "task-2"]);
});

const lockOf = (count: number) => ({
  "run/lock.json": { trials: Array.from({ length: count }, (_, n) => ({ task: { name: `t${n}` } })) },
});
const UNFINISHED = { finished_at: null, updated_at: "2026-05-01T11:59:00Z" };
const NAMES = { reward: { "1.0": [A, B], "0.0": ["gone__1111111", "gone__2222222"] } };
const OF_NAMES = { stats: { evals: { orca__m1__bench: { metrics: [], reward_stats: NAMES } } } };

/** A job with two trials whose files have a planned number; undefined removes result.json. */
const runWith = (over: object | undefined, more: object = {}) => ({
  ...jobFiles("run", { [A]: 1, [B]: 0 }, { ...over }),
  ...(over === undefined ? { "run/result.json": "" } : {}),
  ...more,
});

test.each([
  ["all are here", runWith({}), { list: "2", head: "2 trials", why: null }],
  ["more are here than planned", runWith({ n_total_trials: 1 }), { list: "2", head: "2 trials", why: null }],
  [
    "result.json counts more",
    runWith({ n_total_trials: 5 }),
    {
      list: "2 of 5",
      head: "2 of 5 trials are here",
      why: /result\.json counts 5; the folders of the other 3/,
    },
  ],
  [
    "lock.json and result.json differ: the plan holds",
    runWith({ n_total_trials: 5 }, lockOf(4)),
    { list: "2 of 4", head: "2 of 4 trials are here", why: /lock\.json plans 4; the folders of the other 2/ },
  ],
  [
    "result.json lists more trials than it counts",
    runWith({ n_total_trials: 2, ...OF_NAMES }),
    {
      list: "2 of 4",
      head: "2 of 4 trials are here",
      why: /result\.json names 4; the folders of the other 2/,
    },
  ],
  [
    "the job stopped early, so it is unknown which trials started",
    runWith({ n_total_trials: 5, ...UNFINISHED }),
    { list: "2 of 5", head: "2 of 5 trials are here", why: /result\.json counts 5; the other 3 may never/ },
  ],
  [
    "the config lists its tasks",
    runWith(undefined, { "run/config.json": { n_attempts: 3, agents: [{}], tasks: [{}, {}], datasets: [] } }),
    { list: "2 of 6", head: "2 of 6 trials are here", why: /config\.json asks for 6; the other 4/ },
  ],
  [
    "the size of a dataset is not recorded",
    runWith(undefined, { "run/config.json": { n_attempts: 3, agents: [{}], tasks: [{}], datasets: [{}] } }),
    { list: "2", head: "2 trials", why: null },
  ],
  [
    "a job that starts from another one runs the remaining trials",
    runWith(undefined, { "run/config.json": { tasks: [{}, {}, {}], source_jobs: [{ action: "diff" }] } }),
    { list: "2", head: "2 trials", why: null },
  ],
  [
    "a running job has yet to start some",
    runWith({ n_total_trials: 5, ...UNFINISHED }),
    { list: "2 of 5", head: "2 of 5 trials done", why: null },
  ],
])("how many trials a job was to have is the same everywhere: %s", async (_, files, { list, head, why }) => {
  const folder = makeFolder(files);
  // Only recently written jobs count as running.
  const written = new Date(head.endsWith("done") ? "2026-05-01T11:59:00Z" : "2026-01-01T00:00:00Z");
  utimesSync(join(folder, "run/result.json"), written, written);
  const { index, store, read } = await openFolder(folder, () => Date.parse("2026-05-01T12:00:00Z"));
  await index.refresh();
  const page = await read();
  const [job] = page.items.map((item) => item.job);
  if (job === undefined) throw new Error("the job is listed");
  expect(drawRows(page)[0]?.[3]).toBe(list);
  expect(describeTrialCount(job)).toBe(head);
  const words = explainAbsentTrials(job);
  if (why === null) expect(words).toBeNull();
  else expect(words).toMatch(why);
  const { issues } = await readShownIssues(store, { text: "trial_folder_missing" }, { from: 0 });
  const [total] = list.split(" of ").slice(1);
  const reported = issues.map(({ detail }) => /of (\d+) trials have no folder/.exec(detail)?.[1]);
  expect(reported).toEqual(why === null ? [] : [total]);
});

test("a job without trials shows the counts of each file", async () => {
  const folder = makeFolder({
    "run/lock.json": lockOf(7)["run/lock.json"],
    "run/job.log": "",
    "run/config.json": { job_name: "run", n_attempts: 1 },
  });
  const { index, read } = await openFolder(folder);
  await index.refresh();
  const words = drawRows(await read())[0]?.[2];
  expect(words).toContain("lock.json");
  expect(words).toContain("7");
  expect(words).not.toContain("result.json");
});
