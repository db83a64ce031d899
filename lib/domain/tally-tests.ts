import type { TestReport } from "./trial-file";

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

function addUp(counts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const count of counts) {
    if (count === null) return null;
    sum += count;
  }
  return sum;
}
