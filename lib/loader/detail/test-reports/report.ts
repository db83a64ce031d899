import type { TestCase, TestReport } from "@/lib/domain/trial-file";

export type ReportPlace = Pick<TestReport, "file" | "step">;

/** A report before it is known which ones of its folder a trial's totals include. */
export type ReadReport = Omit<TestReport, "isCounted">;

/** How many tests a report states, of which it may name fewer. */
export type TestTotals = Pick<TestReport, "nTests" | "nPassed" | "nFailed">;

export const UNKNOWN_TOTALS: TestTotals = { nTests: null, nPassed: null, nFailed: null };

/** A report of these tests, failed ones first. @param totals - what it states of all; else those of `tests` */
export function makeReport(
  place: ReportPlace,
  said: Pick<TestReport, "form" | "tool">,
  tests: readonly TestCase[],
  totals: TestTotals = countTests(tests),
): ReadReport {
  const failed = tests.filter(({ status }) => status === "failed");
  const others = tests.filter(({ status }) => status !== "failed");
  return { ...place, ...said, tests: [...failed, ...others], ...totals };
}

function countTests(tests: readonly TestCase[]): TestTotals {
  const count = (wanted: TestCase["status"]): number =>
    tests.filter(({ status }) => status === wanted).length;
  return { nTests: tests.length, nPassed: count("passed"), nFailed: count("failed") };
}
