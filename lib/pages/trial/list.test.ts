import { afterAll, beforeAll, expect, test } from "vitest";

import type { Trial } from "@/lib/core/domain/trial";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import type { JobHead } from "@/lib/store/tables";
import { buildBundle, buildGroup, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { openStoredJobs, type StoredJobs } from "../job/stored-job.fixture";
import { getTrialsPanel } from "../job/trials";
import { locateTrial } from "./locate";
import { readTrialInList } from "./parts";

let jobs: StoredJobs;

beforeAll(async () => {
  jobs = await openStoredJobs();
});

afterAll(() => jobs.close());

async function readSpot(job: JobHead, name: string, list: string | null) {
  const located = await locateTrial(jobs.store, job.key, `key-${name}`);
  if (located === null) throw new Error(`${name} was just stored.`);
  return readTrialInList(jobs.store, located, list);
}

function buildFailed(name: string, costUsd: number | null, over: Partial<Trial> = {}): Trial {
  const tokens = { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd };
  return buildTrial(name, 0, { outcome: "failed", taskName: name, tokens, ...over });
}

function storeJob(trials: readonly Trial[]): Promise<JobHead> {
  return jobs.add(buildBundle(trials, [buildGroup()]));
}

test("a trial's neighbours are those of its list, trials without a folder among them", async () => {
  const job = await storeJob([
    buildFailed("a", 1),
    buildTrial("b", 1),
    buildFailed("c", null, { folder: "" }),
    buildFailed("d", 3),
  ]);
  const list = "outcome=failed&sort=cost";
  const params = parseTrialsParams({ outcome: "failed", sort: "cost" });
  const { rows } = await getTrialsPanel(jobs.store, job, params);
  expect(rows.map(({ trial }) => trial.trialName)).toEqual(["d", "a", "c"]);
  expect(await readSpot(job, "a", list)).toMatchObject({
    params,
    page: 1,
    nBefore: 1,
    nMatching: 3,
    isListed: true,
    previous: { key: "key-d" },
    next: { key: "key-c", taskName: "c" },
  });
  expect(await readSpot(job, "c", list)).toMatchObject({
    nBefore: 2,
    previous: { key: "key-a" },
    next: null,
  });
  expect(await readSpot(job, "b", list)).toMatchObject({ isListed: false, nMatching: 3 });
});

test("in the list of all jobs neighbours are of any of them", async () => {
  const first = await storeJob([buildFailed("a", 9), buildFailed("b", 7)]);
  const second = await storeJob([buildFailed("c", 8), buildTrial("d", 1)]);
  const list = `jobs=all&outcome=failed&sort=cost&job=${first.key}&job=${second.key}`;
  expect(await readSpot(second, "c", list)).toMatchObject({
    nBefore: 1,
    nMatching: 3,
    previous: { jobKey: first.key, key: "key-a" },
    next: { jobKey: first.key, key: "key-b" },
  });
  expect(await readSpot(first, "b", list)).toMatchObject({ previous: { jobKey: second.key }, next: null });
});

test("a list has pages, and without one nothing is looked for", async () => {
  const names = Array.from({ length: 51 }, (_, n) => `t${n}`);
  const job = await storeJob(names.map((name, n) => buildFailed(name, n)));
  expect(await readSpot(job, "t0", "sort=cost")).toMatchObject({ page: 2, nBefore: 50, next: null });
  expect(await readSpot(job, "t1", "sort=cost")).toMatchObject({ page: 1, next: { key: "key-t0" } });
  expect(await readSpot(job, "t1", null)).toBeNull();
  expect(await readSpot(job, "t1", "sort=broken")).toBeNull();
});
