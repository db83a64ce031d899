import { existsSync, readFileSync } from "node:fs";

import { z } from "zod";

/** How many checks of a step passed and failed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }),
  errors: z.array(z.unknown()),
});

/** Counts in vitest's JSON report; a file that fails outside of its tests, such as in a hook, is one failure. Null when there is no report. */
export function readVitestCounts(path: string): Counts | null {
  if (!existsSync(path)) return null;
  const report = vitestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/** Counts in Playwright's JSON report; an error outside of tests is one failure. Null when there is no report. */
export function readPlaywrightCounts(path: string): Counts | null {
  if (!existsSync(path)) return null;
  const { stats, errors } = playwrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
  };
}
