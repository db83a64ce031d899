import { join, relative } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { findPathProblem, parseBucketAddress } from "./bucket";

/** Keys that leave their folder or surprise, mixed with harmless ones. */
const part = fc.oneof(
  fc.constantFrom("..", ".", "", "\\", "\0", "a", "job", "...", "~", "C:", "\u202e", "\ud800", "é"),
  fc.string({ maxLength: 300 }),
);
const key = fc.array(part, { maxLength: 12 }).map((parts) => parts.join("/"));

it("takes no key for a path that is not below its folder, part by part as it is written", () => {
  fc.assert(
    fc.property(key, (path) => {
      if (findPathProblem(path) !== null) return;
      expect(relative("/base/files", join("/base/files", path))).toBe(path);
      expect(path).not.toMatch(/^$|^\/|[\0\\]/u);
    }),
    planRuns({ short: 2_000, long: 1_000_000 }),
  );
});

it("takes what trials write", () => {
  for (const path of ["job/task__abcdefg/agent/log.txt", "a b/ü/…", ".hidden", "x".repeat(255)])
    expect(findPathProblem(path)).toBeNull();
});

it("takes an address with or without a slash at its end, and none that leads elsewhere", () => {
  expect(parseBucketAddress("s3://team")).toEqual({ bucket: "team", prefix: "", text: "s3://team" });
  const jobs = { bucket: "team", prefix: "a/jobs/", text: "s3://team/a/jobs" };
  expect(parseBucketAddress("s3://team/a/jobs")).toEqual(jobs);
  expect(parseBucketAddress("s3://team/a/jobs/")).toEqual(jobs);
  for (const text of [
    "s3://",
    "s3:///jobs",
    "s3://team/../x",
    "s3://team/a//b",
    "s3://user:word@team/x",
    "team/jobs",
  ])
    expect(parseBucketAddress(text)).toBeNull();
});
