import { afterAll, beforeAll, expect, test } from "vitest";

import type { JobBundle } from "@/lib/core/domain/job";
import type { ListedTrial } from "@/lib/core/fields/trials.fields";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import {
  finishDerivedDetails,
  finishFailures,
  forgetDerivedDetails,
  readPendingJobs,
} from "@/lib/store/tables";
import { buildBundle, buildGroup, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { openStoredJobs, type StoredJobs } from "./stored-job.fixture";
import { readAllRows, readTrialsDownload } from "./trials-download";

const NO_COUNTS = { families: [], dimensions: [], tags: [], suspicions: [], reports: [], issues: [] };

/** As many as are listed at once, and some. */
const N_TRIALS = 450;

let jobs: StoredJobs;

beforeAll(async () => {
  jobs = await openStoredJobs();
});

afterAll(() => jobs.close());

function bundle(reward: number): JobBundle {
  const trials = Array.from({ length: N_TRIALS }, (_, index) =>
    buildTrial(`t-${index}`, reward, { agent: "orca", taskName: `task-${index}` }),
  );
  return buildBundle(trials, [buildGroup()]);
}

/** Reads the first row of a list, calls a function, then reads the rest. @returns names of the trials */
async function takeWhile(
  rows: AsyncIterable<ListedTrial>,
  happen: () => Promise<unknown>,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { trial } of rows) {
    if (names.length === 0) await happen();
    names.push(trial.trialName);
  }
  return names;
}

/** All that is read of a job once its trials are listed: each changes its version. */
async function readRest(): Promise<void> {
  await forgetDerivedDetails(jobs.store);
  for (;;) {
    const [details] = await readPendingJobs(jobs.store, "hasDerivedDetails");
    if (details === undefined) break;
    expect(await finishDerivedDetails(jobs.store, details, NO_COUNTS)).toBe(true);
  }
  for (;;) {
    const [failures] = await readPendingJobs(jobs.store, "failureRules", "rules");
    if (failures === undefined) break;
    expect(await finishFailures(jobs.store, failures, "rules")).toBe(true);
  }
}

const lists = {
  "one job": async (key: string) =>
    (await readTrialsDownload(jobs.store, key, parseTrialsParams({}), 1)).rows,
  "all jobs": () => readAllRows(jobs.store, parseTrialsParams({}, true)),
};

test.each(Object.keys(lists) as (keyof typeof lists)[])(
  "a download of %s is whole although more is read of its trials on the way, and breaks off once they are others",
  async (of) => {
    const { key } = await jobs.add(bundle(1));
    const before = await takeWhile(await lists[of](key), async () => {});
    expect(before.length).toBeGreaterThanOrEqual(N_TRIALS);

    expect(await takeWhile(await lists[of](key), readRest)).toEqual(before);

    await expect(takeWhile(await lists[of](key), () => jobs.rewrite(key, bundle(0)))).rejects.toThrow(
      "while its trials were written",
    );
  },
);
