import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

import { z } from "zod";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export interface TimedTest {
  readonly name: string;
  readonly ms: number;
}

export interface FailedTest {
  readonly name: string;
  readonly message: string;
  /** True if a retry passed, which is a fault of the test or of its subject. */
  readonly hasPassedAgain: boolean;
}

export interface TestReport extends Counts {
  readonly failures: readonly FailedTest[];
  readonly slowest: readonly TimedTest[];
}

const MOST_SLOW_TESTS = 5;
const MOST_LINES = 15;

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          title: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).optional(),
        }),
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
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(
            z.object({ duration: z.number(), errors: z.array(z.object({ message: z.string().optional() })) }),
          ),
        }),
      ),
    }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }),
  errors: z.array(z.unknown()),
  suites: z.array(playwrightSuite),
});

/** Counts a file that fails outside of its tests, such as in a hook, as one failure. */
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
    failures: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ title, failureMessages = [] }) => ({
          name: `${shortenPath(name)}: ${title}`,
          message: shortenMessage(failureMessages[0]),
          hasPassedAgain: false,
        })),
    ),
    slowest: pickSlowest(tests),
  };
}

export function readPlaywrightReport(path: string): TestReport | null {
  if (!existsSync(path)) return null;
  const { stats, errors, suites } = playwrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    failures: suites.flatMap(listFailures),
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

function listFailures({ specs, suites = [] }: z.infer<typeof playwrightSuite>): FailedTest[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ status, results }) => ({
        name: `e2e/${file}: ${title}`,
        message: shortenMessage(results.flatMap(({ errors }) => errors)[0]?.message),
        hasPassedAgain: status === "flaky",
      })),
  );
  return [...own, ...suites.flatMap(listFailures)];
}

function shortenMessage(message = ""): string {
  return stripVTControlCharacters(message).split("\n").slice(0, MOST_LINES).join("\n").trimEnd();
}

function pickSlowest(tests: readonly TimedTest[]): TimedTest[] {
  return tests.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SLOW_TESTS);
}

function shortenPath(path: string): string {
  return path.startsWith(`${process.cwd()}/`) ? path.slice(process.cwd().length + 1) : path;
}
