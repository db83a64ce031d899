import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readPlaywrightReport, readVitestReport } from "./test-report";

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

describe("a test report", () => {
  it("takes vitest's numbers and counts a file that fails outside of its tests as one failure", () => {
    const report = {
      numPassedTests: 7,
      numFailedTests: 2,
      testResults: [
        { name: "a", status: "passed", assertionResults: [{ status: "passed", title: "one" }] },
        {
          name: "b",
          status: "failed",
          assertionResults: [
            { status: "failed", title: "two" },
            { status: "failed", title: "three" },
          ],
        },
        { name: "c", status: "failed", assertionResults: [] },
        { name: "d", status: "failed", assertionResults: [{ status: "skipped", title: "four" }] },
      ],
    };
    expect(readVitestReport(write(report))).toMatchObject({ passed: 7, failed: 4 });
  });

  it("takes Playwright's numbers; a flaky test has passed and a skipped one is nothing", () => {
    const stats = { expected: 5, flaky: 1, unexpected: 2, skipped: 4 };
    const failed = { duration: 1, errors: [{ message: "\u001B[31mlate\u001B[39m" }] };
    const tests = [
      { status: "flaky", results: [failed, { duration: 1, errors: [] }] },
      { status: "expected", results: [{ duration: 1, errors: [] }] },
    ];
    const suites = [{ specs: [{ file: "a.spec.ts", title: "one", tests }] }];
    expect(readPlaywrightReport(write({ stats, errors: [], suites }))).toMatchObject({
      passed: 6,
      failed: 2,
      failures: [{ name: "e2e/a.spec.ts: one", message: "late", hasPassedAgain: true }],
    });
  });

  it("counts an error outside of Playwright's tests", () => {
    const stats = { expected: 5, flaky: 0, unexpected: 0, skipped: 0 };
    expect(
      readPlaywrightReport(write({ stats, errors: [{ message: "no browser" }], suites: [] })),
    ).toMatchObject({
      passed: 5,
      failed: 1,
    });
  });

  it("names the five tests that took longest, whichever file or suite they are in", () => {
    const result = (title: string, duration?: number) => ({ status: "passed", title, duration });
    const report = {
      numPassedTests: 7,
      numFailedTests: 0,
      testResults: [
        {
          name: `${process.cwd()}/lib/a.test.ts`,
          status: "passed",
          assertionResults: [result("unknown"), result("first", 90), result("sixth", 1)],
        },
        {
          name: "/elsewhere/b.test.ts",
          status: "passed",
          assertionResults: [3, 40, 20, 10].map((ms) => result(`of ${ms}`, ms)),
        },
      ],
    };
    expect(readVitestReport(write(report))?.slowest).toEqual([
      { name: "lib/a.test.ts: first", ms: 90 },
      { name: "/elsewhere/b.test.ts: of 40", ms: 40 },
      { name: "/elsewhere/b.test.ts: of 20", ms: 20 },
      { name: "/elsewhere/b.test.ts: of 10", ms: 10 },
      { name: "/elsewhere/b.test.ts: of 3", ms: 3 },
    ]);

    const spec = (title: string, ...durations: number[]) => ({
      file: "x.spec.ts",
      title,
      tests: [{ status: "expected", results: durations.map((duration) => ({ duration, errors: [] })) }],
    });
    const suites = [
      { specs: [spec("outer", 5, 7)], suites: [{ specs: [spec("inner", 9), spec("skipped")] }] },
    ];
    const stats = { expected: 2, flaky: 0, unexpected: 0 };
    expect(readPlaywrightReport(write({ stats, errors: [], suites }))?.slowest).toEqual([
      { name: "e2e/x.spec.ts: inner", ms: 9 },
      { name: "e2e/x.spec.ts: outer", ms: 7 },
      { name: "e2e/x.spec.ts: skipped", ms: 0 },
    ]);
  });

  it("is null where there is none", () => {
    expect(readVitestReport(join(folder, "none.json"))).toBeNull();
    expect(readPlaywrightReport(join(folder, "none.json"))).toBeNull();
  });
});
