import { expect, test } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { findTestsInLogs } from "./find-in-logs";
import { readTestReports } from "./read-test-reports";

const LOG = [
  "collected 3 items",
  "tests/test_x.py::test_a FAILED",
  "tests/test_x.py::test_ab PASSED",
  "================ FAILURES ================",
  "_________________ test_a _________________",
  "E   assert 1 == 2",
  "FAILED tests/test_x.py::test_b - boom",
].join("\n");

async function find(names: readonly string[], log: string) {
  const tests = names.map((name) => ({ name, status: "failed", duration: 1 }));
  const folder = makeFolder({
    "verifier/ctrf.json": { results: { tool: { name: "t" }, summary: {}, tests } },
    "verifier/test-stdout.txt": log,
  });
  return [...(await findTestsInLogs(folder, (await readTestReports(folder, null)).value))].map(
    ([name, { line }]) => [name, line],
  );
}

test("a failed test is found at the heading of its failure, else where the log says that it failed", async () => {
  expect(await find(["tests/test_x.py::test_a", "tests/test_x.py::test_b"], LOG)).toEqual([
    ["tests/test_x.py::test_a", 5],
    ["tests/test_x.py::test_b", 7],
  ]);
});

test("a test that only longer names contain, or that is named without a word for failing, is not found", async () => {
  expect(await find(["tests/test_x.py::test_a"], "test_ab FAILED\nrunning test_a")).toEqual([]);
  expect(await find(["tests/test_x.py::test_a"], "")).toEqual([]);
});
