import { expect, it } from "vitest";

import type { RubricFit } from "@/lib/core/domain/rubric";
import { parseJobParams } from "@/lib/pages/job/address";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readHead } from "@/lib/store/tables";
import { jobFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { readTrialRubric } from "../trial/parts";
import { getTags } from "./errors";
import { getRubricPanel } from "./rubric";
import { getTrialsPage } from "./trials";

type Details = Readonly<Record<string, unknown>> | null;

/** Reward and details of attempts at instances of `lux`, by agent. */
const ATTEMPTS: readonly (readonly [agent: string, task: string, reward: number | null, details: Details])[] =
  [
    ["orca", "lux-1", 0.5, { care: 1, speed: 0 }],
    ["orca", "lux-2", 0.67, { care: 1, speed: { score: 1, max_score: 3 } }],
    ["lamp", "lux-1", 0.4, { care: 0.2, speed: 0.6 }],
    ["lamp", "lux-2", 0.9, { speed: 0.8, care: 0.1 }],
    ["lamp", "lux-3", 0.25, { care: 0.25, speed: 1 }],
    ["lamp", "lux-4", 0.25, { care: 0.25 }],
    ["lamp", "lux-5", 0.5, { care: 1, speed: "NaN" }],
    ["lamp", "lux-6", null, { care: 1, speed: 1 }],
    ["lamp", "lux-7", 0.5, null],
    [
      "lamp",
      "drop",
      1,
      { care: { score: 1, max_score: 1, weight: 2 }, cost: { score: 1, max_score: 1, weight: 1 } },
    ],
    ["lamp", "bare", 1, null],
  ];

function listFiles() {
  const files: Record<string, unknown> = { "run/result.json": jobResult({ x__aaaaaaa: 1 }) };
  for (const [index, [agent, task, reward, details]] of ATTEMPTS.entries()) {
    const name = `${task}__aaaaa${String(index).padStart(2, "0")}`;
    files[`run/${name}/result.json`] = trialResult(name, reward, {
      task_name: task,
      agent_info: { name: agent, version: "1.0", model_info: { name: "m1", provider: "lab" } },
    });
    if (details !== null) files[`run/${name}/verifier/details.json`] = details;
  }
  return files;
}

describeQueries("the rubric of a job", (engine) => {
  async function open() {
    const { store } = await indexFolders(engine, [makeFolder(listFiles())]);
    const job = await readHead(store, "run");
    if (job === null) throw new Error("no job");
    return async (search: Record<string, string> = {}) => {
      const panel = await getRubricPanel(store, job, parseJobParams({ family: "lux", ...search }, "rubric"));
      if (panel.bench === null) throw new Error("no rubric");
      return { ...panel, bench: panel.bench };
    };
  }
  const count = (fits: readonly { fit: RubricFit; count: number }[]) =>
    Object.fromEntries(fits.map(({ fit, count: n }) => [fit, n]));

  it("lists rewards that follow from their dimensions, and those that cannot be checked", async () => {
    const { bench, fits } = await (await open())();
    expect(count(bench.fits)).toEqual({
      // 0.5 and 0.4 are means, so is the only dimension of the fourth task; 0.67 is one, rounded; 0.25 is the worst.
      weighted_mean: 3,
      weighted_mean_rounded: 1,
      min: 1,
      other: 1,
      no_share: 1,
      no_reward: 1,
      no_dimensions: 1,
    });
    // The job has two more: one with its own weights, one without dimensions.
    expect(count(fits)).toMatchObject({ weighted_mean: 4, no_dimensions: 2 });
  });

  it("lists trials that do not follow the usual rubric, largest change first", async () => {
    const { bench } = await (await open())();
    expect([bench.rollup, bench.isChanged, bench.areStated]).toEqual(["weighted_mean", false, false]);
    const shown = bench.rows.map(({ trial, recomputed, change }) => [
      trial.taskName,
      recomputed,
      change === null ? null : Number(change.toFixed(4)),
    ]);
    expect(shown).toEqual([
      ["lux-2", 0.45, -0.45],
      ["lux-3", 0.625, 0.375],
      // A dimension that the trial does not state counts 0.
      ["lux-4", 0.125, -0.125],
      ["lux-2", 0.6667, -0.0033],
      ["lux-1", 0.5, 0],
      ["lux-1", 0.4, 0],
      ["lux-5", Number.NaN, null],
      ["lux-6", 1, null],
      ["lux-7", null, null],
    ]);
    expect([bench.nChanged, bench.nCompared]).toEqual([4, 6]);
  });

  it("recomputes with other weights and another strategy, and ranks agents again", async () => {
    const read = await open();
    const { bench: usual } = await read();
    const ranks = (groups: typeof usual.groups) =>
      groups.map(
        ({ group, rankBefore, rankAfter, n }) => `${group.slice(0, 4)} ${rankBefore} ${rankAfter} ${n}`,
      );
    expect(ranks(usual.groups)).toEqual(["orca 1 1 2", "lamp 2 2 4"]);
    const { bench: speed } = await read({ "weight.care": "0", "weight.nobody": "7" });
    expect(speed.isChanged).toBe(true);
    expect(speed.weights).toEqual([
      { name: "care", weight: 0, usual: 1 },
      { name: "speed", weight: 1, usual: 1 },
    ]);
    // speed alone: lamp 0.6, 0.8, 1 and 0; orca 0 and 1/3.
    expect(ranks(speed.groups)).toEqual(["lamp 2 1 4", "orca 1 2 2"]);
    expect(speed.groups[0]?.after.mean).toBeCloseTo(0.6, 10);
    const again = await read({ "weight.care": "0", "weight.nobody": "7", page: "2" });
    expect(again.bench.groups, "recomputed once").toBe(speed.groups);
    const { bench: least } = await read({ rollup: "min" });
    expect(least.rows.find(({ trial }) => trial.taskName === "lux-3")?.recomputed).toBe(0.25);
  });

  it("has weights of its own for each family, by default those of the details", async () => {
    const { bench } = await (await open())({ family: "drop" });
    expect(bench.areStated).toBe(true);
    expect(bench.weights.map(({ name, weight }) => [name, weight])).toEqual([
      ["care", 2],
      ["cost", 1],
    ]);
  });

  it("lists the flagged trials alone, and sorts with the unknown last", async () => {
    const read = await open();
    const names = (bench: Awaited<ReturnType<typeof read>>["bench"]) =>
      bench.rows.map(({ trial }) => trial.taskName);
    expect(names((await read({ fit: "other" })).bench)).toEqual(["lux-2"]);
    expect((await read({ fit: "other" })).bench.rows[0]?.trial.reward).toBe(0.9);
    const up = (await read({ sort: "stored", dir: "asc" })).bench;
    expect(up.rows.map(({ trial }) => trial.reward)).toEqual([
      0.25,
      0.25,
      0.4,
      0.5,
      0.5,
      0.5,
      0.67,
      0.9,
      null,
    ]);
    const down = (await read({ sort: "recomputed", dir: "desc" })).bench;
    expect(down.rows.map(({ recomputed }) => recomputed).slice(-2)).toEqual([Number.NaN, null]);
  });
});

it("lists a bounded number of dimensions and tags, and every weight that was changed", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `n${at}`);
  const folder = makeFolder({
    ...jobFiles("run", { alpha__aaaaaaa: 1 }),
    "run/alpha__aaaaaaa/verifier/details.json": {
      ...Object.fromEntries(names.map((name) => [name, 0.5])),
      error_tags: names,
    },
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  const job = await readHead(index.store, "run");
  if (job === null) throw new Error("the job is not there");
  const { bench } = await getRubricPanel(index.store, job, parseJobParams({ "weight.n250": "4" }, "rubric"));
  expect(bench?.weights).toHaveLength(300);
  expect(bench?.fields.map(({ name }) => name)).toEqual([...names.slice(0, 200), "n250"]);
  const { rows, part } = await getTags(index.store, job, 0);
  expect([rows.length, part.total]).toEqual([200, 300]);
  const next = await getTags(index.store, job, 200);
  expect([...rows, ...next.rows].map(({ category }) => category).toSorted()).toEqual(names.toSorted());
});

describeQueries("the rubric of a trial", (engine) => {
  it("starts from the trial's own details, and follows the address", async () => {
    const { store } = await indexFolders(engine, [makeFolder(listFiles())]);
    const job = await readHead(store, "run");
    if (job === null) throw new Error("no job");
    const { rows } = await getTrialsPage(store, job, parseTrialsParams({}), {
      from: 0,
      limit: 50,
    });
    const read = (task: string, reward: string | null, search: Record<string, string> = {}) => {
      const row = rows.find((one) => one.trial.taskName === task && (one.reward?.text ?? null) === reward);
      if (row === undefined) throw new Error(`no ${task}`);
      return readTrialRubric(store, job, { ...row, taskName: task }, parseJobParams(search, "rubric"));
    };
    expect(await read("drop", "1")).toMatchObject({
      fit: "weighted_mean",
      areStated: true,
      isChanged: false,
      recomputed: 1,
      change: 0,
    });
    expect(await read("lux-3", "0.25")).toMatchObject({
      fit: "min",
      rollup: "min",
      recomputed: 0.25,
      change: 0,
    });
    const changed = await read("lux-3", "0.25", {
      rollup: "weighted_mean",
      "weight.speed": "3",
      "weight.gone": "9",
    });
    expect(changed).toMatchObject({ isChanged: true, recomputed: 0.8125, change: 0.5625, stored: "0.25" });
    expect(await read("lux-5", "0.5")).toMatchObject({
      fit: "no_share",
      recomputed: Number.NaN,
      change: null,
    });
    expect(await read("bare", "1")).toBeNull();
  });
});
