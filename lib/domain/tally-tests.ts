import { MAX_FAILED_TESTS, type TrialTests } from "./breakdown";
import type { TestCase, TestReport } from "./trial-file";

/** The tests of a trial's verifier, as those of its reports say that count. */
export interface TestTally {
  /** Null, as the two others, where one of them states no totals. */
  readonly nTests: number | null;
  readonly nPassed: number | null;
  readonly nFailed: number | null;
  /** Logs among them, of whose text the tests were read: they may be incomplete or wrong. */
  readonly textFiles: readonly string[];
}

/** Adds up the reports of a trial that count; null where there are none. */
export function tallyTests(reports: readonly TestReport[]): TestTally | null {
  const counted = reports.filter(({ isCounted }) => isCounted);
  if (counted.length === 0) return null;
  return {
    nTests: addUp(counted.map(({ nTests }) => nTests)),
    nPassed: addUp(counted.map(({ nPassed }) => nPassed)),
    nFailed: addUp(counted.map(({ nFailed }) => nFailed)),
    textFiles: counted.filter(({ form }) => form === "text").map(({ file }) => file),
  };
}

/** The tests that count, with the names of those that failed; null without a report. Checks never repeat the tests that count. */
export function summariseTests(reports: readonly TestReport[]): TrialTests | null {
  const tally = tallyTests(reports);
  if (tally === null) return null;
  const failed = new Set<string>();
  for (const report of reports.filter(listsOwnTests))
    for (const test of report.tests) {
      if (failed.size === MAX_FAILED_TESTS) break;
      if (test.status === "failed") failed.add(nameTest(report, test));
    }
  return { nTests: tally.nTests, nFailed: tally.nFailed, failed: [...failed] };
}

/** Whether no other report of the trial lists the same tests. */
export function listsOwnTests({ isCounted, form }: TestReport): boolean {
  return isCounted || form === "checks";
}

/** What tells a test from the others of its task: of a multi-step trial the step belongs to it. */
export function nameTest({ step }: Pick<TestReport, "step">, { name }: Pick<TestCase, "name">): string {
  return step === null ? name : `${step}: ${name}`;
}

function addUp(counts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const count of counts) {
    if (count === null) return null;
    sum += count;
  }
  return sum;
}
