import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";

import type { TrialSort } from "@/lib/core/fields/trials.fields";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { prepareContent } from "@/lib/store/indexer/prepare-content";
import { jobFiles, makeFolder, readOnlyJob } from "@/lib/testing/folder.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import {
  addSource,
  type IndexStore,
  type JobContent,
  type JobRow,
  type JobScope,
  openIndexStore,
  readTrials,
  readTrialSpot,
  type TrialRow,
  writeSource,
} from "../index";
import { EVERY_TRIAL } from "./selection.fixture";

/** The sorts by columns of the table itself. */
type ColumnSort = Exclude<TrialSort, "steps" | "errors">;

/** Sort columns in order, besides the place in the folder. */
const SORTED_BY = {
  task: ["taskPosition", "groupKey", "attempt"],
  agent: ["groupKey"],
  outcome: ["outcome"],
  exception: ["exceptionType"],
  reward: ["reward"],
  cost: ["costUsd"],
  duration: ["durationMs"],
  tokens: ["nTokens"],
  started: ["startedMs"],
} as const satisfies Record<ColumnSort, readonly (keyof TrialColumns)[]>;

const text = fc.constantFrom("", "a", "A", "b", "é", "z", "Z", "_", "😀", "\u{FFFD}");
const number = fc.constantFrom(
  null,
  0,
  1,
  -1,
  0.1,
  0.30000000000000004,
  1e308,
  -1e308,
  5e-324,
  Infinity,
  -Infinity,
);
const trialColumns = fc.record({
  taskPosition: fc.integer({ min: 0, max: 3 }),
  groupKey: text,
  attempt: fc.integer({ min: 1, max: 2 }),
  outcome: fc.constantFrom("passed", "failed"),
  exceptionType: fc.option(text),
  reward: number,
  costUsd: number,
  durationMs: number,
  nTokens: number,
  startedMs: number,
});

const sorts = fc.constantFrom<ColumnSort[]>(
  "task",
  "agent",
  "outcome",
  "exception",
  "reward",
  "cost",
  "duration",
  "tokens",
  "started",
);

type TrialColumns = JobRow<"trials">;

const RANGE = { from: 0, limit: 100 };

type Value = string | number | null | undefined;

/** Unknown last whichever way it runs; text by code point. */
function compare(a: Value, b: Value, descending: boolean): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  const order =
    typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a < Number(b) ? -1 : 1;
  return descending ? -order : order;
}

function keyOf(row: TrialRow | undefined): string | undefined {
  return row && `t${row.position}`;
}

describeEngines("pages of a sorted list", (engine) => {
  let store: IndexStore;
  let base: JobContent | undefined;
  let sourceId = 0;
  let jobRowId = 0;

  beforeAll(async () => {
    store = await openIndexStore(await engine.freshTarget());
    return () => store.close();
  });

  /** A job to write trials into, made by the first test that does. */
  async function makeBase(): Promise<JobContent> {
    const base = prepareContent(readOnlyJob(makeFolder(jobFiles("run", { alpha__aaaaaaa: 1 }))), "");
    sourceId = await addSource(store, { root: 0, folder: "run", kind: "harbor", job: base.job });
    jobRowId = (await store.db.selectFrom("jobs").select("id").executeTakeFirstOrThrow()).id;
    return base;
  }

  /** Writes one job after the other, as parts of one folder. */
  async function write(...parts: readonly (readonly Partial<TrialColumns>[])[]): Promise<void> {
    base ??= await makeBase();
    const [row] = base.trials;
    const [record] = base.trialRecords;
    if (row === undefined || record === undefined) throw new Error("the base has no trial");
    const written = base;
    const jobs = parts.map((trials) => ({
      ...written,
      trials: trials.map((columns, position) => ({ ...row, ...columns, position, key: `t${position}` })),
      trialRecords: trials.map((_, position) => ({ ...record, position })),
      trialRewards: [],
    }));
    expect(await writeSource(store, { sourceId, fingerprint: "{}", jobs })).toBe(true);
  }

  it("hold every row once, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trialColumns, { maxLength: 14 }),
        sorts,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        async (trials, by, descending, limit) => {
          await write(trials);
          const expected = trials
            .map((columns, position) => ({ ...columns, position }))
            .sort((a, b) => {
              for (const column of SORTED_BY[by]) {
                const order = compare(a[column], b[column], descending);
                if (order !== 0) return order;
              }
              return a.position - b.position;
            })
            .map(({ position }) => position);
          const seen: number[] = [];
          do {
            const range = { from: seen.length, limit };
            const page = await readTrials(store, jobRowId, EVERY_TRIAL, { by, descending }, range);
            expect([page.nBefore, page.nMatching]).toEqual([seen.length, trials.length]);
            seen.push(...page.rows.map(({ position }) => position));
          } while (seen.length < trials.length);
          expect(seen).toEqual(expected);
        },
      ),
      planRuns({ short: 15, long: 400 }),
    );
  });

  it("have for each row its place and neighbours, also if a filter excludes it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trialColumns, { maxLength: 12 }),
        sorts,
        fc.boolean(),
        fc.constantFrom([], ["failed"]),
        async (trials, by, descending, outcomes) => {
          await write(trials);
          const order = { by, descending };
          const all = await readTrials(store, jobRowId, EVERY_TRIAL, order, { from: 0, limit: 100 });
          const isFit = (position: number) =>
            outcomes.length === 0 || outcomes.some((one) => one === trials[position]?.outcome);
          for (const [at, { position }] of all.rows.entries()) {
            const before = all.rows.slice(0, at).filter((row) => isFit(row.position));
            const behind = all.rows.slice(at + 1).filter((row) => isFit(row.position));
            const isListed = isFit(position);
            const spot = await readTrialSpot(store, jobRowId, { ...EVERY_TRIAL, outcomes }, order, {
              jobRowId,
              position,
            });
            expect(spot).toMatchObject({
              nBefore: before.length,
              nMatching: before.length + behind.length + Number(isListed),
              isListed,
            });
            const beside = [spot?.previous?.key, spot?.next?.key];
            expect(beside).toEqual([keyOf(before.at(-1)), keyOf(behind[0])]);
          }
        },
      ),
      planRuns({ short: 12, long: 300 }),
    );
    expect(
      await readTrialSpot(
        store,
        jobRowId,
        EVERY_TRIAL,
        { by: "task", descending: false },
        { jobRowId, position: 99 },
      ),
    ).toBeNull();
  });

  it("continue over several jobs, each row with its place and neighbours", async () => {
    const columns = [3, null, 1, 3, 2].map((costUsd, at) => ({ costUsd, taskName: `t${at % 2}` }));
    await write(columns, columns.toReversed());
    const ids = await store.db.selectFrom("jobs").select("id").orderBy("part").execute();
    const [first, second] = ids.map(({ id }) => id);
    const read = async (jobs: JobScope, by: TrialSort) => {
      const page = await readTrials(store, jobs, EVERY_TRIAL, { by, descending: by === "cost" }, RANGE);
      return page.rows.map(({ jobRowId: id, position }) => `${id === first ? "a" : "b"}${position}`);
    };
    expect(await read(null, "cost")).toEqual(["a0", "a3", "b1", "b4", "a4", "b0", "a2", "b2", "a1", "b3"]);
    expect(await read(null, "task")).toEqual(["a0", "a2", "a4", "b0", "b2", "b4", "a1", "a3", "b1", "b3"]);
    expect(await read([second ?? 0], "cost")).toEqual(["b1", "b4", "b0", "b2", "b3"]);
    expect(await read([], "cost")).toEqual([]);
    const only = new Map([[second ?? 0, new Set(["t1", "t2"])]]);
    const listed = { ...EVERY_TRIAL, only };
    const order = { by: "cost", descending: true } as const;
    const spotOf = (jobRowId: number, position: number, selection = EVERY_TRIAL) =>
      readTrialSpot(store, null, selection, order, { jobRowId, position });
    expect(await spotOf(first ?? 0, 3)).toMatchObject({
      nBefore: 1,
      nMatching: 10,
      previous: { jobRowId: first, key: "t0" },
      next: { jobRowId: second, key: "t1" },
    });
    // Between the two that are listed, as the first of its job is not among them.
    expect(await spotOf(first ?? 0, 4, listed)).toMatchObject({
      nBefore: 1,
      isListed: false,
      previous: { jobRowId: second, key: "t1" },
      next: { jobRowId: second, key: "t2" },
    });
  });

  it("never end up empty where rows went", async () => {
    const sort = { by: "reward", descending: true } as const;
    const read = async () => {
      const page = await readTrials(store, jobRowId, EVERY_TRIAL, sort, { from: 4, limit: 2 });
      return [page.nBefore, ...page.rows.map(({ position }) => position)];
    };
    await write(Array.from({ length: 6 }, (_, reward) => ({ reward })));
    expect(await read()).toEqual([4, 1, 0]);
    await write([0, 1, 2].map((reward) => ({ reward })));
    expect(await read()).toEqual([2, 0]);
    await write([]);
    expect(await read()).toEqual([0]);
  });
});
