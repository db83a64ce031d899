import { expect, it } from "vitest";

import { NO_STATS, type RecordedStats } from "@/lib/core/domain/job";
import { makeFolder } from "@/lib/testing/folder.fixture";

import type { LoadRoot } from "../discover/load-root";
import { readJobLog } from "./read-job-log";

const RETRY = "Trial build__a1 failed with exception ApiOverloadedError. Retrying in 1.50 seconds...\n";
const STATS: RecordedStats = { ...NO_STATS, counters: new Map([["n_retries", 2n]]) };

function read(log: string | null, recorded = STATS) {
  const folder = makeFolder({ "job/": "", ...(log === null ? {} : { "job/job.log": log }) });
  const root: LoadRoot = { index: 0, label: "jobs", path: folder };
  return readJobLog(root, "job", recorded, 3);
}

it("counts retries, names cancelled trials, and passes over what commands put out", () => {
  const noise = `${"x".repeat(700_000)} ${RETRY}`;
  const log = `Running command\n${RETRY}Trial build__a1 cancelled\nTrial build__a1 cancelled\n${noise}${RETRY}`;
  expect(read(log)).toEqual({ nRetries: 2, cancelled: new Set(["build__a1"]) });
});

it("takes a line that is spread over pieces of the file for one line", () => {
  const start = "y".repeat((1 << 18) - 30) + "\n";
  expect(read(start + RETRY)?.nRetries).toBe(1);
});

it("says nothing of a log that was cut off, or is not there", () => {
  expect(read(RETRY + RETRY.slice(0, -20))).toBeNull();
  expect(read(null)).toBeNull();
});

it("is not read where nothing asks for it", () => {
  expect(read(RETRY, NO_STATS)).toBeNull();
});
