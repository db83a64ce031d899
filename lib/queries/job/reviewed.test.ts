import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { PagePlace } from "@/lib/domain/page-place";
import type { JobHead, KeysetPage, TaskRow } from "@/lib/store";
import { buildBundle, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { readReviewedTasks } from "./reviewed";
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

const EVERY_TASK = {
  text: "",
  patterns: [],
  isDivided: false,
  outcomes: [],
  exceptions: [],
  only: null,
  except: [],
};

async function walk(
  counts: ReadonlyMap<string, number>,
  descending: boolean,
  limit: number,
  isForward: boolean,
): Promise<string[]> {
  const names: string[] = [];
  let place: PagePlace | null = isForward ? { kind: "first" } : { kind: "last" };
  while (place !== null) {
    const request = { selection: EVERY_TASK, counts, descending, place, limit };
    const page: KeysetPage<TaskRow> = await readReviewedTasks(jobs.store, job.id, request);
    expect(page.nMatching).toBe(TASKS.length);
    const found = page.rows.map(({ taskName }) => taskName);
    if (isForward) expect(page.nBefore).toBe(names.length);
    if (isForward) names.push(...found);
    else names.unshift(...found);
    const cursor = isForward ? page.after : page.before;
    place = cursor === null ? null : { kind: isForward ? "after" : "before", cursor };
  }
  return names;
}

test("tasks by how often they were judged, equals by name, whichever way one pages through them", async () => {
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
        expect(await walk(counts, descending, limit, true)).toEqual(expected);
        expect(await walk(counts, descending, limit, false)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("a place that is gone shows the nearest page, one that is no place the first", async () => {
  const counts = new Map([["c", 2]]);
  const at = async (place: PagePlace) =>
    (
      await readReviewedTasks(jobs.store, job.id, {
        selection: EVERY_TASK,
        counts,
        descending: true,
        place,
        limit: 3,
      })
    ).rows.map(({ taskName }) => taskName);
  expect(await at({ kind: "after", cursor: [0, 99] })).toEqual(["e", "f", "g"]);
  expect(await at({ kind: "after", cursor: [5, 0] })).toEqual(["c", "a", "b"]);
  expect(await at({ kind: "after", cursor: ["x"] })).toEqual(["c", "a", "b"]);
});
