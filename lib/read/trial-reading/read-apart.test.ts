import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { LIST_STARTS, type ListStarts } from "@/lib/core/domain/trial-lists";
import { bundlePrograms } from "@/lib/testing/bundle.fixture";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { buildTrial } from "@/lib/testing/job-bundle.fixture";

import { closeReaders, type EvaluationRequest, readApart, type StepsRequest, type TrialPlace } from "./index";
import { carryOut } from "./readers";

const NAME = "alpha__aaaaaaa";

beforeAll(async () => {
  process.env["ASSAY_PROGRAMS"] = await bundlePrograms({ "trial-reading": "lib/read/trial-reading/main.ts" });
});

afterAll(async () => {
  delete process.env["ASSAY_PROGRAMS"];
  await closeReaders();
});

function openTrial(files: Readonly<Record<string, unknown>>): TrialPlace {
  const root = makeFolder({
    ...jobFiles("run", { [NAME]: 1 }),
    ...Object.fromEntries(Object.entries(files).map(([path, value]) => [`run/${NAME}/${path}`, value])),
  });
  return {
    path: join(root, "run", NAME),
    root: { index: 0, label: "jobs", path: root },
    stepNames: null,
    ledger: null,
  };
}

const JOB = { key: "run", name: "run", uuid: null };

function prepareInput(
  place: TrialPlace,
  starts: Partial<ListStarts> = {},
  steps: StepsRequest | null = null,
): [TrialPlace, EvaluationRequest, ListStarts, StepsRequest | null] {
  const trial = buildTrial(NAME, 0);
  const request = { job: JOB, root: null, trial, path: place.path, judgments: [] };
  return [place, request, { ...LIST_STARTS, ...starts }, steps];
}

async function readDetails(place: TrialPlace, starts: Partial<ListStarts>) {
  return (await readApart("trial", "x", ...prepareInput(place, starts))).details;
}

it("gives what the reader gives here, values that JSON does not know included", async () => {
  const place = openTrial({
    "verifier/details.json": '{"a": {"score": NaN}, "b": {"score": 0.5, "max_score": 2}}',
    "agent/trajectory.json": {
      agent: { name: "orca" },
      steps: [{ step_id: 1, source: "agent", message: "x" }],
    },
  });
  const input = prepareInput(
    place,
    {},
    {
      source: null,
      step: null,
      from: null,
      find: null,
      filter: { roles: [], tools: [], paths: [], range: null, only: [] },
      lanes: [],
    },
  );
  const apart = await readApart("trial", "x", ...input);
  expect(apart).toEqual(await carryOut({ reader: "trial", input }));
  expect(apart).toMatchObject({
    details: { nSteps: 1, sources: [{ dimensions: [{ name: "a" }, { name: "b" }] }] },
    steps: { total: 1, steps: [{ key: "1" }] },
  });
});

it("lets searches by pattern take one process at most, so that pages of the same trial do not wait for them", async () => {
  const place = openTrial({ "agent/log.txt": "a".repeat(40) + "!" });
  const find = { text: "(a+)+$", isPattern: true, isCased: true };
  const steps = {
    ...{ source: null, step: null, from: null, find, lanes: [] },
    filter: { roles: [], tools: [], paths: [], range: null, only: [] },
  };
  const ended: string[] = [];
  const search = (path: string) =>
    readApart("find-in-files", path, place, find).then(({ problem }) => ended.push(problem ?? "found"));
  const searches = [search("y"), search(place.path ?? "")];
  const ofSteps = readApart("trial", "w", ...prepareInput(place, {}, steps)).then(() => ended.push("steps"));
  await readApart("file-list", place.path ?? "", place);
  expect(ended).toEqual([]);
  await searches[0];
  expect(ended).toEqual([expect.stringContaining("takes too long")]);
  await Promise.all([...searches, ofSteps]);
  expect(ended).toHaveLength(3);
});

it("refuses what no page could hold, and continues with the next", async () => {
  const read = (trialName: string) => {
    const trial = { ...buildTrial(NAME, 1), trialName };
    return readApart(
      "evaluation-text",
      "x",
      { job: JOB, root: null, trial, path: null, judgments: [] },
      "line",
    );
  };
  await expect(read("x".repeat(33 << 20))).rejects.toMatchObject({ code: "reading_failed" });
  expect(await read("short")).toContain("short");
});

it("shows every step of a window, however much each of them says, and the one that was asked for first", async () => {
  const text = "several words of a line\n".repeat(400);
  const call = { function_name: "bash", arguments: { command: text } };
  const steps = Array.from({ length: 100 }, (_, n) => ({
    step_id: n + 1,
    source: "agent",
    message: text,
    reasoning_content: text,
    tool_calls: Array.from({ length: n === 0 ? 600 : 1 }, (_, i) => ({ ...call, tool_call_id: `${n}-${i}` })),
    observation: { results: [{ source_call_id: `${n}-0`, content: text }] },
  }));
  const place = openTrial({
    "agent/trajectory.json": { schema_version: "ATIF-v1.6", session_id: "s", agent: { name: "orca" }, steps },
  });
  const input = prepareInput(
    place,
    {},
    {
      source: null,
      step: "100",
      from: 0,
      find: null,
      filter: { roles: [], tools: [], paths: [], range: null, only: [] },
      lanes: [],
    },
  );
  const { steps: panel } = await readApart("trial", "x", ...input);
  expect(panel.steps).toHaveLength(100);
  // A page has it twice, in addition to the overhead of each line.
  expect(JSON.stringify(panel.steps).length).toBeLessThan(700_000);
  expect(panel.steps[0]?.blocks.at(-1)).toMatchObject({ kind: "rest" });
  const [asked] = panel.steps[99]?.blocks ?? [];
  expect(asked).toMatchObject({ kind: "prose", text: { totalLines: 400, cutNote: null } });
});

it("shows the tests of all steps in parts, those of a report that failed first", async () => {
  const write = (n: number, nFailed: number) => ({
    results: {
      tests: Array.from({ length: n }, (_, at) => ({
        name: `t${at}`,
        status: at < n - nFailed ? "passed" : "failed",
      })),
    },
  });
  const files = { "verifier/ctrf.json": write(900, 10), "steps/two/verifier/ctrf.json": write(300, 1) };
  const place = { ...openTrial(files), stepNames: ["two"] };
  const read = async (from: number) => {
    const { tests, parts, cutFiles } = await readDetails(place, { tests: from });
    return {
      names: tests.map((report) => report.tests.map(({ name }) => name)),
      part: parts.tests,
      tests,
      cutFiles,
    };
  };
  const first = await read(0);
  expect(first.tests).toMatchObject([
    { nTests: 900, nFailed: 10 },
    { nTests: 300, nFailed: 1 },
  ]);
  expect(first.names[0]?.slice(0, 11)).toEqual([
    ...Array.from({ length: 10 }, (_, n) => `t${890 + n}`),
    "t0",
  ]);
  expect(first).toMatchObject({ part: { from: 0, shown: 400, total: 1200 }, cutFiles: Object.keys(files) });
  const parts = [first, await read(400), await read(800)];
  expect(parts.map(({ names }) => names.map((list) => list.length))).toEqual([
    [400, 0],
    [400, 0],
    [100, 300],
  ]);
  const all = [0, 1].map((report) => parts.flatMap(({ names }) => names[report] ?? []));
  expect(all.map((names) => new Set(names).size)).toEqual([900, 300]);
  expect((await read(9_999)).part).toEqual(first.part);
});

it("shows dimensions and criteria in parts, each below its parent", async () => {
  const criteria = Array.from({ length: 700 }, (_, n) => ({ name: `c${n}`, satisfied: n % 2 === 0 }));
  const rows = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`d${n}`, { score: 1 }]));
  const place = openTrial({ "verifier/reward-details.json": { judged: { score: 0.5, criteria }, ...rows } });
  const seen: string[] = [];
  for (let from = 0; from < 1001;) {
    const { sources, parts } = await readDetails(place, { dimensions: from });
    expect(parts.dimensions).toMatchObject({ from, total: 1001 });
    const [head, ...rest] = sources[0]?.dimensions ?? [];
    if (from > 0 && from < 701) expect(head).toMatchObject({ name: "judged", nCriteria: 700, nMet: 350 });
    const names = [head, ...rest].flatMap((one) => [
      one?.name ?? "",
      ...(one?.criteria ?? []).map(({ name }) => name),
    ]);
    seen.push(...(from > 0 && from < 701 ? names.slice(1) : names));
    from += parts.dimensions.shown;
  }
  expect(seen).toEqual(["judged", ...criteria.map(({ name }) => name), ...Object.keys(rows)]);
});

it("ends a part early if its texts exceed a page, and continues with the next entry", async () => {
  const checks = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [
      `check ${n}`,
      { outcome: "fail", explanation: "<&".repeat(5_000) },
    ]),
  );
  const tags = Array.from({ length: 450 }, (_, n) => ({
    category: `tag ${n}`,
    description: "<".repeat(3_000),
  }));
  const place = openTrial({
    "analysis.json": { summary: "s", checks },
    "verifier/details.json": { error_tags: tags },
  });
  const seen: string[] = [];
  let nParts = 0;
  for (let from = 0; from < 450; nParts++) {
    const { errorTags, parts } = await readDetails(place, { tags: from });
    expect(parts.tags.total).toBeGreaterThanOrEqual(450);
    seen.push(...errorTags.map(({ category }) => category));
    from += parts.tags.shown;
  }
  expect(seen.slice(0, 450)).toEqual(tags.map(({ category }) => category));
  expect(nParts).toBeGreaterThan(2);
});

it("lands at the step that the cause cites, else the analysis, and asks neither for a blind page", async () => {
  const say = (id: number) => ({ step_id: id, source: "agent", message: `Part ${String(id)}.` });
  const place = openTrial({
    "agent/trajectory.json": { agent: { name: "orca" }, steps: [1, 2, 3, 4].map(say) },
    "analysis.json": { trial_name: NAME, summary: "The mistake is in trajectory step 2.", checks: {} },
  });
  const [, request, starts] = prepareInput(place);
  const failed = { ...request, trial: { ...request.trial, outcome: "failed" as const } };
  const land = async (cause: { readonly step: string | null } | null) =>
    (await readApart("trial", "x", place, failed, starts, null, cause)).steps.landing;
  expect(await land({ step: "3" })).toMatchObject({ key: "3", isCited: true });
  expect(await land({ step: null })).toMatchObject({ key: "2", isCited: true });
  expect(await land(null)).toMatchObject({ key: "4", isCited: false });
});
