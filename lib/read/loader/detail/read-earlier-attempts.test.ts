import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { readEarlierAttempts } from "./read-earlier-attempts";
import { readArtifactManifests } from "./read-evidence";

test("attempts before the last are listed in order, with the recorded cause of their end", async () => {
  const job = makeFolder({
    "alpha__a/result.json": {},
    "_retries/alpha__a/retry-10/result.json": '{"verifier_result": {"rewards": {"reward": 0.0, "style": 1}}}',
    "_retries/alpha__a/retry-2/result.json": { exception_info: { exception_type: "AgentTimeoutError" } },
    "_retries/alpha__a/retry-3/result.json": "{",
    "_retries/alpha__a/retry-4/agent/": "",
    "_retries/alpha__a/retry-5/result.json": { exception_info: null },
    "_retries/beta__b/retry-1/result.json": {},
  });
  symlinkSync("/etc", join(job, "_retries/alpha__a/retry-6"));
  expect(await readEarlierAttempts(join(job, "alpha__a"))).toEqual([
    { name: "retry-2", outcome: "AgentTimeoutError" },
    { name: "retry-3", outcome: "result.json cannot be read" },
    { name: "retry-4", outcome: "no result.json" },
    { name: "retry-5", outcome: null },
    { name: "retry-10", outcome: "reward 0.0, style 1" },
  ]);
  expect(await readEarlierAttempts(join(job, "gamma__c"))).toEqual([]);
});

test("what was collected is listed by the trial and by its steps in the order they ran", async () => {
  const row = { source: "/app/x", destination: "artifacts/x", type: "file", status: "ok" };
  const trial = makeFolder({
    "artifacts/manifest.json": [row],
    "steps/b/artifacts/manifest.json": [{ ...row, service: "db", exclude: [] }],
    "steps/a/artifacts/manifest.json": [{ ...row, exclude: ["*.pyc", ".git"] }],
    "steps/c/artifacts/manifest.json": "{",
  });
  const none = { service: null, exclude: null };
  expect(await readArtifactManifests(trial, ["b", "a", "c"])).toEqual([
    { file: "artifacts/manifest.json", entries: [{ ...row, ...none }] },
    { file: "steps/b/artifacts/manifest.json", entries: [{ ...row, service: "db", exclude: "" }] },
    { file: "steps/a/artifacts/manifest.json", entries: [{ ...row, ...none, exclude: "*.pyc, .git" }] },
  ]);
});
