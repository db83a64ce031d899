import { existsSync, readFileSync } from "node:fs";

import { z } from "zod";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export interface TimedTest {
  readonly name: string;
  readonly ms: number;
}

export interface TestReport extends Counts {
  /** The tests that took longest, longest first. */
  readonly slowest: readonly TimedTest[];
}

const MOST_SLOW_TESTS = 5;

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), title: z.string(), duration: z.number().nullish() }),
      ),
    }),
  ),
});

const playwrightSuite = z.object({
  get suites() {
    return z.array(playwrightSuite).optional();
  },
  specs: z.array(
    z.object({
      file: z.string(),
      title: z.string(),
      tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }),
  errors: z.array(z.unknown()),
  suites: z.array(playwrightSuite),
});

/** Reads vitest's JSON report; a file that fails outside of its tests, such as in a hook, is one failure. Null when there is no report. */
export function readVitestReport(path: string): TestReport | null {
  if (!existsSync(path)) return null;
  const report = vitestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  );
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, duration }) => ({
      name: `${shortenPath(name)}: ${title}`,
      ms: duration ?? 0,
    })),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    slowest: pickSlowest(tests),
  };
}

/** Reads Playwright's JSON report; an error outside of tests is one failure. Null when there is no report. */
export function readPlaywrightReport(path: string): TestReport | null {
  if (!existsSync(path)) return null;
  const { stats, errors, suites } = playwrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    slowest: pickSlowest(suites.flatMap(listTests)),
  };
}

function listTests({ specs, suites = [] }: z.infer<typeof playwrightSuite>): TimedTest[] {
  const own = specs.map(({ file, title, tests }) => ({
    name: `e2e/${file}: ${title}`,
    ms: Math.max(0, ...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
  }));
  return [...own, ...suites.flatMap(listTests)];
}

function pickSlowest(tests: readonly TimedTest[]): TimedTest[] {
  return tests.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SLOW_TESTS);
}

function shortenPath(path: string): string {
  return path.startsWith(`${process.cwd()}/`) ? path.slice(process.cwd().length + 1) : path;
}
