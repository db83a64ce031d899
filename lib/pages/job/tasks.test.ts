import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type JobHead, readTasksByCount } from "@/lib/store/tables";
import { EVERY_TASK } from "@/lib/store/tables/read/selection.fixture";
import { buildBundle, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { openStoredJobs, type StoredJobs } from "./stored-job.fixture";

let jobs: StoredJobs;
let job: JobHead;

const TASKS = ["a", "b", "c", "d", "e", "f", "g"];

beforeAll(async () => {
  jobs = await openStoredJobs();
  job = await jobs.add(
    buildBundle(
      TASKS.map((taskName) => buildTrial(taskName, 1, { taskName })),
      [],
    ),
  );
});

afterAll(() => jobs.close());

async function walk(counts: ReadonlyMap<string, number>, descending: boolean, limit: number) {
  const names: string[] = [];
  while (names.length < TASKS.length) {
    const range = { from: names.length, limit };
    const sort = { by: counts, descending };
    const page = await readTasksByCount(jobs.store, job.rowId, EVERY_TASK, sort, range);
    expect([page.nMatching, page.nBefore]).toEqual([TASKS.length, names.length]);
    names.push(...page.rows.map(({ taskName }) => taskName));
  }
  return names;
}

test("tasks by how often they were judged, equals by name", async () => {
  const judged = fc.dictionary(fc.constantFrom(...TASKS), fc.integer({ min: 1, max: 3 }));
  await fc.assert(
    fc.asyncProperty(
      judged,
      fc.boolean(),
      fc.integer({ min: 1, max: 8 }),
      async (dict, descending, limit) => {
        const counts = new Map(Object.entries(dict));
        const sign = descending ? -1 : 1;
        const expected = TASKS.toSorted((a, b) => sign * ((counts.get(a) ?? 0) - (counts.get(b) ?? 0)));
        expect(await walk(counts, descending, limit)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("a page beyond the list shows the last one", async () => {
  const range = { from: 90, limit: 3 };
  const sort = { by: new Map([["c", 2]]), descending: true };
  const { rows, nBefore } = await readTasksByCount(jobs.store, job.rowId, EVERY_TASK, sort, range);
  expect([nBefore, rows.map(({ taskName }) => taskName)]).toEqual([6, ["g"]]);
});
