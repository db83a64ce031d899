import { existsSync, readFileSync } from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly stats?: { readonly expected: number; readonly flaky: number; readonly unexpected: number };
}

/** Sums up the JSON report of Vitest or Playwright. A run that fails outside of its tests counts as one failure. */
export function readCounts(path: string, exitCode: number): Counts {
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Report) : {}; // The runner wrote it.
  const { numPassedTests = 0, numFailedTests = 0, stats } = report;
  const passed = stats === undefined ? numPassedTests : stats.expected + stats.flaky;
  const failed = stats?.unexpected ?? numFailedTests;
  return { passed, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed };
}
