import type { TestCase, TestReport } from "@/lib/core/domain/trial-file";

export type ReportPlace = Pick<TestReport, "file" | "step">;

export type ReadReport = Omit<TestReport, "isCounted">;

export type TestTotals = Pick<TestReport, "nTests" | "nPassed" | "nFailed">;

export const UNKNOWN_TOTALS: TestTotals = { nTests: null, nPassed: null, nFailed: null };

/** Lists failed tests first. @param totals - as stated; counted from `tests` if absent */
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

export interface TextRun {
  readonly tool: string;
  readonly tests: readonly TestCase[];
  readonly totals: TestTotals;
}

export interface RunReader {
  take: (line: string) => void;
  close: () => readonly TextRun[];
}

const MAX_NAMED = 20_000;

/** Keeps the last result of each test. */
export function putTest(named: Map<string, TestCase>, test: TestCase): void {
  if (named.size < MAX_NAMED || named.has(test.name)) named.set(test.name, test);
}

/** Returns null if invalid or implausibly large. */
export function readCount(text: string | undefined): number | null {
  return /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
}
