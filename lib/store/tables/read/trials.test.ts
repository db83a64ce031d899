import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { prepareContent } from "@/lib/store/indexer/prepare-content";
import {
  type FolderFiles,
  jobFiles,
  jobResult,
  makeFolder,
  readOnlyJob,
  trialResult,
} from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import {
  addSource,
  openIndexStore,
  readAllTrials,
  readCountedTrials,
  readFigures,
  readHead,
  readJobFacets,
  readJobs,
  readNeighbours,
  readTasks,
  readTrial,
  readTrials,
  type TrialKeys,
  type TrialSelection,
  writeSource,
} from "../index";
import { EVERY_TASK, EVERY_TRIAL } from "./selection.fixture";

const EVERY_JOB = { text: "", isReports: false, facets: {} };
const BY_NAME = { by: "job", descending: false } as const;
const first = (limit: number) => ({ from: 0, limit });

/** A trial's result.json with a reward that JSON.stringify cannot write. */
function rewardText(name: string, rewards: string, over: FolderFiles = {}): string {
  return JSON.stringify(trialResult(name, 4242.5, over)).replace('{"reward":4242.5}', rewards);
}

function withTask(task: string, exception: string | null = null): FolderFiles {
  const info = {
    exception_type: exception,
    exception_message: "m",
    exception_traceback: "",
    occurred_at: "2026-05-01T17:05:00",
  };
  return { task_name: task, exception_info: exception === null ? null : info };
}

function keysOf(jobRowId: number, keys: readonly string[]): TrialKeys {
  return new Map([[jobRowId, new Set(keys)]]);
}

describeEngines("trials of a job", (engine) => {
  async function openJob(files: FolderFiles) {
    const { store } = await indexFolders(engine, [makeFolder(files)]);
    const [job] = (await readJobs(store, EVERY_JOB, BY_NAME, first(10))).rows;
    if (job === undefined) throw new Error("no job");
    const names = async (over: Partial<TrialSelection>, by: "task" | "reward" = "task") => {
      const selection = { ...EVERY_TRIAL, ...over };
      const page = await readTrials(
        store,
        job.rowId,
        selection,
        { by, descending: by === "reward" },
        first(1000),
      );
      expect(page.nMatching).toBe(page.rows.length);
      return page.rows.map(({ trial }) => trial.trialName);
    };
    return { store, head: job, names };
  }

  it("are found by text in which % _ and \\ mean themselves, in any case", async () => {
    const tasks = ["fifty%off", "under_score", "back\\slash", "plain", "Ünïcode ☃", "quote'\"s"];
    const files: Record<string, unknown> = { "run/result.json": jobResult({ x__aaaaaaa: 1 }) };
    for (const [index, task] of tasks.entries()) {
      const name = `t${index}__aaaaaaa`;
      files[`run/${name}/result.json`] = trialResult(name, 1, withTask(task));
    }
    const { names, store, head: job } = await openJob(files);
    const found = async (text: string) => (await names({ text })).map((name) => name.slice(0, 2));
    expect(await found("%")).toEqual(["t0"]);
    expect(await found("_s")).toEqual(["t1"]);
    expect(await found("K\\S")).toEqual(["t2"]);
    expect(await found("\\")).toEqual(["t2"]);
    expect(await found("ÜNÏCODE ☃")).toEqual(["t4"]);
    expect(await found("'\"s")).toEqual(["t5"]);
    expect(await found("fiftyXoff")).toEqual([]);
    expect(await found("\0")).toEqual([]);
    const jobsWith = async (text: string) =>
      (await readJobs(store, { text, isReports: false, facets: {} }, BY_NAME, first(10))).nMatching;
    expect([
      await jobsWith("R%"),
      await jobsWith("r_n"),
      await jobsWith("UNDER_S"),
      await jobsWith("RUN"),
    ]).toEqual([0, 0, 1, 1]);
    // By its tasks, by its trials, and by neither of two names that only follow each other.
    expect([await jobsWith("fty%OFF"), await jobsWith("__AAAA"), await jobsWith("t0__aaaaaaat1")]).toEqual([
      1, 1, 0,
    ]);
    const { rows } = await readTasks(
      store,
      job.rowId,
      { ...EVERY_TASK, text: "R_S" },
      { by: "position", descending: false },
      first(10),
    );
    expect(rows.map(({ taskName }) => taskName)).toEqual(["under_score"]);
  });

  it("come in the natural order of their tasks, and so do tasks, neighbours and names to filter by", async () => {
    const order = ["task-1", "Task-2", "task-10"];
    const trials = Object.fromEntries(
      ["task-10", "task-1", "Task-2"].map((task, index) => [
        `run/t${index}__aaaaaaa/result.json`,
        trialResult(`t${index}__aaaaaaa`, 1, withTask(task, task)),
      ]),
    );
    const {
      names,
      store,
      head: job,
    } = await openJob({
      "run/result.json": jobResult({ x__aaaaaaa: 1 }),
      ...trials,
    });
    expect(await names({})).toEqual(["t1__aaaaaaa", "t2__aaaaaaa", "t0__aaaaaaa"]);
    const byName = { by: "position", descending: false } as const;
    const { rows } = await readTasks(store, job.rowId, EVERY_TASK, byName, first(10));
    expect(rows.map(({ taskName }) => taskName)).toEqual(order);
    const facets = await readJobFacets(store, job.rowId);
    expect(facets.get("trial-exception")?.map(({ value }) => value)).toEqual(order);
    const middle = await readTrial(store, job.rowId, "t2__aaaaaaa");
    if (middle === null) throw new Error("no trial");
    const place = { ...middle.trial, position: middle.position };
    const { previous, next } = await readNeighbours(store, job.rowId, place);
    expect([previous?.taskName, next?.taskName]).toEqual(["task-1", "task-10"]);
  });

  it("lie in jobs that are found by a part of their key, in any case", async () => {
    const over = { id: "22222222-2222-4222-8222-222222222222" };
    const { store } = await openJob({
      ...jobFiles("a/ÄRGER-Run", { one__aaaaaaa: 1 }),
      ...jobFiles("b/ÄRGER-Run", { two__aaaaaaa: 1 }, over),
    });
    const read = async (text: string) =>
      (await readJobs(store, { text, isReports: false, facets: {} }, BY_NAME, first(10))).rows;
    const keys = (await read("")).map((job) => job.key);
    expect(keys.every((key) => /^ÄRGER-Run~[0-9a-f]{6}$/.test(key))).toBe(true);
    for (const key of keys) {
      for (const text of [key, key.toUpperCase(), key.toLowerCase(), key.slice(4).toUpperCase()]) {
        expect((await read(text)).map((job) => job.key)).toEqual([key]);
      }
    }
  });

  it("are found by the name of their job among those of several jobs, and not in the list of one", async () => {
    const over = { id: "22222222-2222-4222-8222-222222222222" };
    const { store } = await openJob({
      ...jobFiles("Night_Run", { one__aaaaaaa: 1, two__aaaaaaa: 0 }),
      ...jobFiles("day-run", { three__aaaaaaa: 1 }, over),
    });
    const jobs = (await readJobs(store, EVERY_JOB, BY_NAME, first(10))).rows;
    const night = jobs.find(({ name }) => name === "Night_Run")?.rowId ?? 0;
    const find = async (text: string, scope: number | null = null) => {
      const sort = { by: "task", descending: false } as const;
      const { rows, nMatching } = await readTrials(store, scope, { ...EVERY_TRIAL, text }, sort, first(10));
      expect(rows).toHaveLength(nMatching);
      return rows.map(({ trial }) => trial.trialName.split("__")[0]).toSorted();
    };
    expect(await find("NIGHT_r")).toEqual(["one", "two"]);
    expect(await find("-RUN")).toEqual(["three"]);
    expect(await find("run")).toEqual(["one", "three", "two"]);
    expect(await find("nightXrun")).toEqual([]);
    expect(await find("three")).toEqual(["three"]);
    expect(await find("night", night)).toEqual([]);
    expect(await find("two", night)).toEqual(["two"]);
  });

  it("combine filters, and count what fits", async () => {
    const {
      names,
      store,
      head: job,
    } = await openJob({
      "run/result.json": jobResult({ x__aaaaaaa: 1 }),
      "run/a1__aaaaaaa/result.json": trialResult("a1__aaaaaaa", 1, withTask("alpha")),
      "run/a2__aaaaaaa/result.json": trialResult("a2__aaaaaaa", 0, withTask("alpha")),
      "run/b1__aaaaaaa/result.json": trialResult("b1__aaaaaaa", 1, withTask("beta", "Timeout")),
      "run/b2__aaaaaaa/result.json": trialResult("b2__aaaaaaa", null, withTask("beta", "Timeout")),
      "run/c1__aaaaaaa/result.json": trialResult("c1__aaaaaaa", 0.5, {
        ...withTask("gamma"),
        agent_result: null,
      }),
    });
    const short = (list: readonly string[]) => list.map((name) => name.slice(0, 2));
    expect(short(await names({ tasks: ["alpha", "gamma"] }))).toEqual(["a1", "a2", "c1"]);
    expect(short(await names({ exceptions: ["Timeout"], tasks: ["alpha"] }))).toEqual([]);
    expect(short(await names({ reward: { min: 0.5, max: 1 } }))).toEqual(["a1", "b1", "c1"]);
    expect(short(await names({ costUsd: { min: 0, max: null } }))).toEqual(["a1", "a2", "b1", "b2"]);
    expect(short(await names({ only: new Map() }))).toEqual([]);
    expect(short(await names({ only: keysOf(job.rowId, ["a1__aaaaaaa", "nobody"]) }))).toEqual(["a1"]);
    expect(short(await names({ except: keysOf(job.rowId, ["a1__aaaaaaa"]), tasks: ["alpha"] }))).toEqual([
      "a2",
    ]);
    expect(short(await names({ figure: "no such figure" }))).toEqual([]);
    const facets = await readJobFacets(store, job.rowId);
    expect(facets.get("trial-exception")).toEqual([{ value: "Timeout", count: 2 }]);
    expect(facets.get("task-exception")).toEqual([{ value: "Timeout", count: 1 }]);
    for (const { value, count } of facets.get("trial-outcome") ?? []) {
      expect([value, (await names({ outcomes: [value] })).length]).toEqual([value, count]);
    }
  });

  it("sort by any reward key, unknown last, and keep every number that Python can write", async () => {
    const rewards: Record<string, string> = {
      a: '{"reward": 1e308, "speed": 2}',
      b: '{"reward": NaN, "speed": -0.0}',
      c: '{"reward": -0.0}',
      d: '{"reward": 123456789012345678901234567890}',
      e: '{"speed": 1e-320}',
      f: '{"reward": Infinity, "speed": true}',
      g: "null",
    };
    const files: Record<string, unknown> = { "run/result.json": jobResult({ x__aaaaaaa: 1 }) };
    for (const [letter, text] of Object.entries(rewards)) {
      const name = `${letter}__aaaaaaa`;
      files[`run/${name}/result.json`] = rewardText(name, text);
    }
    const { store, head: job, names } = await openJob(files);
    const sorted = async (over: Partial<TrialSelection>) =>
      (await names(over, "reward")).map((name) => name[0]).join("");
    expect(await sorted({ rewardKey: "reward" })).toBe("fadcbeg");
    expect(await sorted({ rewardKey: "speed" })).toBe("afebcdg");
    expect(await sorted({ rewardKey: "speed", reward: { min: 0, max: 1 } })).toBe("feb");
    expect(await sorted({ rewardKey: "nothing" })).toBe("abcdefg");
    const trials = await readAllTrials(store, job.rowId);
    const read = (letter: string, key = "reward") =>
      trials.find(({ trialName }) => trialName.startsWith(letter))?.rewards?.get(key);
    expect(read("a")).toBe(1e308);
    expect(read("b")).toBeNaN();
    expect(Object.is(read("b", "speed"), -0)).toBe(true);
    expect(Object.is(read("c"), -0)).toBe(true);
    expect(read("d")).toBe(123456789012345678901234567890n);
    expect(read("e", "speed")).toBe(1e-320);
    expect(Number(read("f", "speed"))).toBe(1);
  });

  it("may have names of any bytes, which find them again", async () => {
    const long = Array.from({ length: 240 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20000)),
    ).join("");
    const nasty = [
      "nul\0inside",
      "lone\ud800surrogate",
      "lone\udfffother",
      long,
      "x\u0001\u007f\u202e",
      "__proto__",
    ];
    const files: Record<string, unknown> = { "run/result.json": jobResult({ x__aaaaaaa: 1 }) };
    for (const [index, text] of nasty.entries()) {
      const name = `t${index}__aaaaaaa`;
      files[`run/${name}/result.json`] = trialResult(name, 1, {
        ...withTask(`task ${text}`, `E${text}`),
        trial_name: `${text}__aaaaaaa`,
        source: `bench ${text}`,
        id: `id ${text}`,
        agent_info: { name: `agent ${text}`, version: "1", model_info: { name: text, provider: "p" } },
        verifier_result: {
          rewards: { reward: 1, [text]: 0.5, [`${text}\0`]: 0.25, [`${text}\ud801`]: 0.125 },
        },
      });
    }
    const { store, head: job, names } = await openJob(files);
    const trials = await readAllTrials(store, job.rowId);
    // Half a character is no text; a hash keeps such names apart.
    const withoutHash = trials.map(({ taskName }) => taskName.replace(/ \([0-9a-f]{32}\)$/, ""));
    expect(withoutHash).toEqual(nasty.map((text) => `task ${text}`.toWellFormed()));
    const facets = await readJobFacets(store, job.rowId);
    for (const trial of trials) {
      expect((await readTrial(store, job.rowId, trial.key))?.trial).toEqual(trial);
      for (const over of [{ tasks: [trial.taskName] }, { exceptions: [trial.exception?.type ?? ""] }]) {
        expect(await names(over)).toContain(trial.trialName);
      }
      expect(await names({ only: keysOf(job.rowId, [trial.key]) })).toContain(trial.trialName);
    }
    for (const { group, nTrials } of job.groups) {
      const own = await names({ groups: [group.key] });
      expect(own.length).toBeGreaterThanOrEqual(nTrials);
      expect((await readCountedTrials(store, { jobRowId: job.rowId, key: group.key })).length).toBe(
        own.length,
      );
    }
    expect(facets.get("trial-exception")).toHaveLength(nasty.length);
    for (const asked of ["\0", "a\0b", "\ud800", long]) {
      expect(await readHead(store, asked)).toBeNull();
      expect(await readTrial(store, job.rowId, asked)).toBeNull();
      expect(await names({ text: asked, rewardKey: asked, figure: asked })).toEqual([]);
      const jobs = await readJobs(
        store,
        { text: asked, isReports: false, facets: { "job-agent": [asked] } },
        BY_NAME,
        first(5),
      );
      expect(jobs.rows).toEqual([]);
    }
  });

  it("may be more behind one figure than a statement can hold", async () => {
    const store = await openIndexStore(await engine.freshTarget());
    try {
      const base = prepareContent(readOnlyJob(makeFolder(jobFiles("run", { alpha__aaaaaaa: 1 }))), "");
      const sourceId = await addSource(store, { root: 0, folder: "run", kind: "harbor", job: base.job });
      const [row] = base.trials;
      const [record] = base.trialRecords;
      const [figure] = base.figures;
      if (row === undefined || record === undefined || figure === undefined) throw new Error("an empty base");
      // The job need not have them all: it is the question that is too long.
      const nAsked = 70_002;
      const nTrials = 200;
      const places = Array.from({ length: nTrials }, (_, position) => position);
      // Every other one, so that runs of positions cannot shorten the list.
      const behind = Array.from({ length: nAsked }, (_, index) => index * 2);
      const keys = Array.from({ length: nAsked }, (_, position) => `k${position}`);
      const jobs = [
        {
          ...base,
          trials: places.map((position) => ({ ...row, position, key: `k${position}` })),
          trialRecords: places.map((position) => ({ ...record, position })),
          figures: [{ ...figure, path: "stats/big", trials: JSON.stringify(behind), nTrials: behind.length }],
        },
      ];
      await writeSource(store, { sourceId, fingerprint: "{}", jobs });
      const { id } = await store.db.selectFrom("jobs").select("id").executeTakeFirstOrThrow();
      const count = async (over: Partial<TrialSelection>) =>
        (
          await readTrials(
            store,
            id,
            { ...EVERY_TRIAL, ...over },
            { by: "task", descending: false },
            first(10),
          )
        ).nMatching;
      expect(await count({ figure: "stats/big" })).toBe(nTrials / 2);
      expect(await count({ only: keysOf(id, keys) })).toBe(nTrials);
      expect(await count({ except: keysOf(id, keys.slice(1)) })).toBe(1);
      const figures = await readFigures(
        store,
        id,
        { text: "", verdicts: [], kinds: [], groups: [], path: "stats/big" },
        first(10),
      );
      expect(figures.rows.map((one) => one.nTrials)).toEqual([behind.length]);
    } finally {
      await store.close();
    }
  });
});
