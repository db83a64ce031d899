import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readPlaywrightCounts, readVitestCounts } from "./test-report";

let folder: string;
const write = (value: unknown): string => {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify(value));
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-report-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("counts of a test report", () => {
  it("takes vitest's numbers and counts a file that fails outside of its tests as one failure", () => {
    const report = {
      numPassedTests: 7,
      numFailedTests: 2,
      testResults: [
        { status: "passed", assertionResults: [{ status: "passed" }] },
        { status: "failed", assertionResults: [{ status: "failed" }, { status: "failed" }] },
        { status: "failed", assertionResults: [] },
        { status: "failed", assertionResults: [{ status: "skipped" }] },
      ],
    };
    expect(readVitestCounts(write(report))).toEqual({ passed: 7, failed: 4 });
  });

  it("takes Playwright's numbers; a flaky test has passed and a skipped one is nothing", () => {
    const stats = { expected: 5, flaky: 1, unexpected: 2, skipped: 4 };
    expect(readPlaywrightCounts(write({ stats, errors: [] }))).toEqual({ passed: 6, failed: 2 });
  });

  it("counts an error outside of Playwright's tests", () => {
    const stats = { expected: 5, flaky: 0, unexpected: 0, skipped: 0 };
    expect(readPlaywrightCounts(write({ stats, errors: [{ message: "no browser" }] }))).toEqual({
      passed: 5,
      failed: 1,
    });
  });

  it("has no counts without a report", () => {
    expect(readVitestCounts(join(folder, "none.json"))).toBeNull();
    expect(readPlaywrightCounts(join(folder, "none.json"))).toBeNull();
  });
});
