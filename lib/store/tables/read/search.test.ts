import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { type OpenIndex, openIndex } from "@/lib/store/indexer";
import { getSampleFolder } from "@/lib/testing/samples.fixture";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { readNewestJobs, readSearch, type SearchReading } from "./search";

describeEngines("search", (engine) => {
  let folder: string;
  let index: OpenIndex;
  const search = (text: string): Promise<SearchReading> => readSearch(index.store, text, 8);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-search-"));
    // 300 trials in three jobs with the same ten tasks.
    writeSyntheticJobs(join(folder, "more"), { trials: 300, jobs: 3, seed: 1 });
    const target = await engine.freshTarget();
    const environment =
      target.engine === "postgres" ? { DATABASE_URL: target.url } : { ASSAY_DATA: join(folder, "data") };
    index = await openIndex({
      roots: [getSampleFolder(), join(folder, "more")],
      environment,
      withDerivedDetails: false,
    });
    await index.refresh();
    expect(index.status().failure).toBeNull();
  });
  afterAll(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("ranks the whole name before a beginning, that before a word's, that before any other place", async () => {
    const { jobs } = await search("tb2");
    expect(jobs.hits.length).toBeGreaterThan(1);
    expect(jobs.hits.every(({ name }) => name.toLowerCase().includes("tb2"))).toBe(true);
    const whole = jobs.hits.at(-1)?.name ?? "";
    expect((await search(whole.toUpperCase())).jobs.hits[0]?.name).toBe(whole);

    const places = (await search("bench")).jobs.hits.map(({ name }) => name);
    expect(places.slice(0, 3)).toEqual(["bench-0002", "bench-0001", "bench-0000"]);
  });

  it("counts a task once however many jobs have it, with the newest jobs first", async () => {
    const { tasks } = await search("synthetic-task");
    expect(tasks.nMatching).toBe(10);
    expect(tasks.hits).toHaveLength(8);
    expect(tasks.hits[0]).toEqual({
      taskName: "synthetic-task-00000",
      nJobs: 3,
      jobs: ["bench-0002", "bench-0001", "bench-0000"].map((name) => ({ key: name, name })),
    });
    const exact = await search("synthetic-task-00007");
    expect(exact.tasks.hits.map(({ taskName }) => taskName)).toEqual(["synthetic-task-00007"]);
  });

  it("finds trials by name and by id, and does not count them all", async () => {
    const many = (await search("synthetic-task-00003__")).trials;
    expect(many.hits).toHaveLength(8);
    expect(many.nMatching).toBeNull();
    const one = many.hits[0];
    const found = (await search(one?.key ?? "")).trials;
    expect(found).toEqual({ hits: [one], nMatching: 1 });
    const row = await index.store.db
      .selectFrom("trials")
      .select(["uuid", "key"])
      .where("key", "=", one?.key ?? "")
      .executeTakeFirstOrThrow();
    expect((await search(row.uuid ?? "")).trials.hits).toEqual([one]);
  });

  it("finds agents, models and exception types with their numbers", async () => {
    const groups = await index.store.db.selectFrom("groups").select(["jobRowId", "agent", "model"]).execute();
    const nJobs = new Set(groups.filter(({ agent }) => agent === "lamp").map((row) => row.jobRowId)).size;
    expect((await search("LAM")).agents.hits).toEqual([{ value: "lamp", nJobs, count: nJobs }]);
    expect((await search("halyard-2")).models.hits[0]?.value).toBe("halyard-2");
    const types = await index.store.db
      .selectFrom("trials")
      .select((select) => ["exceptionType", select.fn.countAll<number>().as("n")])
      .where("exceptionType", "is not", null)
      .groupBy("exceptionType")
      .orderBy("n", "desc")
      .execute();
    const type = types[0]?.exceptionType ?? "";
    expect((await search(type.slice(0, -3))).exceptions.hits[0]).toMatchObject({
      value: type,
      count: types[0]?.n,
    });
  });

  it("wants every word, in any order", async () => {
    const { tasks } = await search("00004 synthetic");
    expect(tasks.hits.map(({ taskName }) => taskName)).toEqual(["synthetic-task-00004"]);
  });

  it("finds a task or trial by its job too, and a trial by its outcome, but never by these alone", async () => {
    const { tasks, trials } = await search("bench-0001 00004");
    expect(tasks.hits).toEqual([
      { taskName: "synthetic-task-00004", nJobs: 1, jobs: [{ key: "bench-0001", name: "bench-0001" }] },
    ]);
    expect(new Set(trials.hits.map(({ jobName }) => jobName))).toEqual(new Set(["bench-0001"]));
    const passed = (await search("bench-0001 00004 passed")).trials.hits;
    expect(new Set(passed.map(({ outcome }) => outcome))).toEqual(new Set(["passed"]));
    expect((await search("bench-0001 passed")).trials.hits).toEqual([]);
  });

  it.each(["%", "_x_", "\\", "no such thing", "a\0b", "É", "'; drop table jobs; --"])(
    "takes %j for what it is",
    async (text) => {
      const reading = await search(text);
      for (const { hits, nMatching } of Object.values(reading)) {
        expect(hits).toEqual([]);
        expect(nMatching).toBe(0);
      }
    },
  );

  describe("before anything is typed", () => {
    it("lists the newest jobs", async () => {
      const when = await index.store.db.selectFrom("jobs").select(["key", "whenMs"]).execute();
      const newest = when.toSorted((a, b) => (b.whenMs ?? -1) - (a.whenMs ?? -1))[0];
      expect((await readNewestJobs(index.store, 5))[0]?.key).toBe(newest?.key);
    });
  });
});
