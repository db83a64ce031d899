import { join } from "node:path";

import { expect, it } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { readCounts } from "./read-counts";

const read = (report: object, exitCode: number) =>
  readCounts(join(makeFolder({ "report.json": JSON.stringify(report) }), "report.json"), exitCode);

it("reads the counts of Vitest and Playwright; a flaky test counts as passed", () => {
  expect(read({ numPassedTests: 7, numFailedTests: 2 }, 1)).toEqual({ passed: 7, failed: 2 });
  expect(read({ numPassedTests: 7, numFailedTests: 0 }, 0)).toEqual({ passed: 7, failed: 0 });
  expect(read({ stats: { expected: 5, flaky: 1, unexpected: 2 } }, 1)).toEqual({ passed: 6, failed: 2 });
  expect(read({ stats: { expected: 5, flaky: 1, unexpected: 0 } }, 0)).toEqual({ passed: 6, failed: 0 });
});

it("fails without a failed test: after a hook that threw, without any test, without a report", () => {
  expect(read({ numPassedTests: 7, numFailedTests: 0 }, 1)).toEqual({ passed: 7, failed: 1 });
  expect(read({ stats: { expected: 5, flaky: 0, unexpected: 0 } }, 1)).toEqual({ passed: 5, failed: 1 });
  expect(read({ numPassedTests: 0, numFailedTests: 0 }, 0)).toEqual({ passed: 0, failed: 1 });
  expect(readCounts("/nowhere/report.json", 0)).toEqual({ passed: 0, failed: 1 });
});
