import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";

import { jobFiles, makeFolder, readOnlyJob } from "@/lib/testing/folder.fixture";
import { describeEngines } from "@/lib/database/postgres.fixture";
import { prepareContent } from "@/lib/indexer/prepare-content";
import { planRuns } from "@/lib/testing/plan-runs";

import {
  addSource,
  type Cursor,
  type IndexStore,
  type JobContent,
  openIndexStore,
  type PagePlace,
  readTrials,
  type TrialSort,
  writeSource,
} from "../index";
import { EVERY_TRIAL } from "./selection.fixture";

/** Columns that a sort goes by, in order, beside the place in the folder. */
const SORTED_BY = {
  task: ["task_position", "group_key", "attempt"],
  agent: ["group_key"],
  outcome: ["outcome"],
  exception: ["exception_type"],
  reward: ["reward"],
  cost: ["cost_usd"],
  duration: ["duration_ms"],
  tokens: ["n_tokens"],
  started: ["started_ms"],
} as const satisfies Record<TrialSort, readonly (keyof JobContent["trials"][number])[]>;

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
  task_position: fc.integer({ min: 0, max: 3 }),
  group_key: text,
  attempt: fc.integer({ min: 1, max: 2 }),
  outcome: fc.constantFrom("passed", "failed"),
  exception_type: fc.option(text),
  reward: number,
  cost_usd: number,
  duration_ms: number,
  n_tokens: number,
  started_ms: number,
});

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

describeEngines("pages of a sorted list", (engine) => {
  let store: IndexStore;
  let base: JobContent;
  let sourceId = 0;
  let jobId = 0;

  beforeAll(async () => {
    store = await openIndexStore(await engine.freshTarget());
    return () => store.close();
  });

  async function write(trials: readonly Partial<JobContent["trials"][number]>[]): Promise<void> {
    const [row] = base.trials;
    const [record] = base.trial_records;
    if (row === undefined || record === undefined) throw new Error("the base has no trial");
    const jobs = [
      {
        ...base,
        trials: trials.map((columns, position) => ({ ...row, ...columns, position, key: `t${position}` })),
        trial_records: trials.map((_, position) => ({ ...record, position })),
        trial_rewards: [],
      },
    ];
    expect(await writeSource(store, { sourceId, fingerprint: "{}", trials: "", jobs })).toBe(true);
  }

  it("hold every row once, in order, whichever way one turns them", async () => {
    base = prepareContent(readOnlyJob(makeFolder(jobFiles("run", { alpha__aaaaaaa: 1 }))), "");
    const job = { name: "run", nameSort: "run", whenMs: null, head: "{}" };
    sourceId = await addSource(store, {
      root: 0,
      folder: "run",
      kind: "harbor",
      nTrialFolders: 1,
      listing: { job },
    });
    jobId = (await store.db.selectFrom("jobs").select("id").executeTakeFirstOrThrow()).id;

    const sorts = fc.constantFrom<TrialSort[]>(
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
          const read = (place: PagePlace) =>
            readTrials(store, jobId, EVERY_TRIAL, { by, descending }, place, limit);

          const forwards: number[] = [];
          let after: Cursor | null = null;
          do {
            const page: Awaited<ReturnType<typeof read>> = await read(
              after === null ? { kind: "first" } : { kind: "after", cursor: after },
            );
            expect([page.nBefore, page.nMatching]).toEqual([forwards.length, trials.length]);
            expect(page.before === null).toBe(forwards.length === 0);
            forwards.push(...page.rows.map(({ position }) => position));
            after = page.after;
          } while (after !== null);
          expect(forwards).toEqual(expected);

          const backwards: number[] = [];
          let before: Cursor | null = null;
          do {
            const page: Awaited<ReturnType<typeof read>> = await read(
              before === null ? { kind: "last" } : { kind: "before", cursor: before },
            );
            backwards.unshift(...page.rows.map(({ position }) => position));
            expect(page.nBefore).toBe(trials.length - backwards.length);
            before = page.before;
          } while (before !== null);
          expect(backwards).toEqual(expected);
        },
      ),
      planRuns({ short: 40, long: 400 }),
    );
  });

  it("go on from where one was when rows came and went, and never end up empty", async () => {
    await write(Array.from({ length: 6 }, (_, index) => ({ task_name: `task-${index}`, reward: index })));
    const sort = { by: "reward", descending: true } as const;
    const read = (place: PagePlace) => readTrials(store, jobId, EVERY_TRIAL, sort, place, 2);
    const { after, rows } = await read({ kind: "first" });
    expect(rows.map(({ position }) => position)).toEqual([5, 4]);
    if (after === null) throw new Error("there is no second page");
    // The row that the page began behind is gone, and so are those before it.
    await write([0, 1, 2, 3].map((reward) => ({ reward })));
    expect((await read({ kind: "after", cursor: after })).rows.map(({ position }) => position)).toEqual([
      3, 2,
    ]);
    await write([{ reward: 9 }, { reward: 8 }]);
    expect((await read({ kind: "after", cursor: after })).rows.map(({ position }) => position)).toEqual([
      0, 1,
    ]);
    await write([]);
    expect(await read({ kind: "after", cursor: after })).toEqual({
      rows: [],
      nBefore: 0,
      nMatching: 0,
      before: null,
      after: null,
    });
  });

  it.each([
    ["of another order", ["text", 1]],
    ["of another length", [1]],
    ["with a fraction for a place", [1, 0.5]],
    ["with a place beyond all numbers", [1, 1e300]],
    ["with an unknown place", [1, null]],
  ] satisfies [string, Cursor][])("begin at the start for a place %s", async (_, cursor) => {
    await write([{ reward: 1 }, { reward: 2 }]);
    const sort = { by: "reward", descending: false } as const;
    const page = await readTrials(store, jobId, EVERY_TRIAL, sort, { kind: "after", cursor }, 2);
    expect(page.rows.map(({ position }) => position)).toEqual([0, 1]);
  });
});
