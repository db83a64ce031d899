import { MAX_FAILED_TESTS, MAX_PASSED_TESTS, type TrialTests } from "./breakdown";
import type { TestCase, TestReport } from "./trial-file";

export type TestTally = NonNullable<ReturnType<typeof tallyTests>>;

/** Sums the counted reports of a trial; null if there are none. */
export function tallyTests(reports: readonly TestReport[]) {
  const counted = reports.filter(({ isCounted }) => isCounted);
  if (counted.length === 0) return null;
  return {
    nTests: addUp(counted.map(({ nTests }) => nTests)),
    nPassed: addUp(counted.map(({ nPassed }) => nPassed)),
    nFailed: addUp(counted.map(({ nFailed }) => nFailed)),
    /** Logs among them. Tests parsed from text may be incomplete or wrong. */
    textFiles: counted.filter(({ form }) => form === "text").map(({ file }) => file),
  };
}

/** Returns the counted tests with names of failed ones; null without a report. Checks never repeat the counted tests. */
export function summariseTests(reports: readonly TestReport[]): TrialTests | null {
  const tally = tallyTests(reports);
  if (tally === null) return null;
  const failed = new Set<string>();
  const passed = new Set<string>();
  for (const report of reports.filter(listsOwnTests))
    for (const test of report.tests) {
      if (test.status === "failed" && failed.size < MAX_FAILED_TESTS) failed.add(nameTest(report, test));
      if (test.status === "passed" && passed.size <= MAX_PASSED_TESTS)
        passed.add(codeTest(nameTest(report, test)));
    }
  const isWhole =
    reports.every(listsAllTests) && passed.size <= MAX_PASSED_TESTS && failed.size < MAX_FAILED_TESTS;
  const { nTests, nFailed } = tally;
  return { nTests, nFailed, failed: [...failed], passed: isWhole ? [...passed].join("") : null };
}

/** True if a counted report names every test of its totals. Runner output often names only failed tests. */
function listsAllTests({ isCounted, nTests, tests }: TestReport): boolean {
  return !isCounted || (nTests !== null && tests.length >= nTests);
}

/** FNV-1a offsets, one for each half of a code. */
const BEGINNINGS = [0x81_1c_9d_c5, 0x97_47_b2_8c] as const;
const FNV_PRIME = 0x01_00_01_93;
const HALF_LENGTH = 5;

/** Returns ten characters from 50 bits of two hashes, so that the tests of a task differ. */
export function codeTest(name: string): string {
  return BEGINNINGS.map((beginning) => {
    let hash: number = beginning;
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), FNV_PRIME);
    return (hash >>> 7).toString(32).padStart(HALF_LENGTH, "0");
  }).join("");
}

/** Returns the trials in which a test failed or passed, or may have, since not all passed tests are known. */
export function listRuns<Tests extends Pick<TrialTests, "failed" | "passed">>(
  trials: readonly Tests[],
  name: string,
): readonly Tests[] {
  const code = codeTest(name);
  return trials.filter(
    ({ failed, passed }) => passed === null || hasCode(passed, code) || failed.includes(name),
  );
}

export function isRunKnown({ failed, passed }: Pick<TrialTests, "failed" | "passed">, name: string): boolean {
  return passed !== null || failed.includes(name);
}

function hasCode(codes: string, code: string): boolean {
  for (let at = codes.indexOf(code); at >= 0; at = codes.indexOf(code, at + 1))
    if (at % code.length === 0) return true;
  return false;
}

export function listsOwnTests({ isCounted, form }: TestReport): boolean {
  return isCounted || form === "checks";
}

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

const SAYS_NOTHING = /^(?:The test failed in the \w+ phase\b.*)?$/u;
const ERROR_LINE = /^E(?:\s|$)/u;
const TYPED = /^[\w.]*(?:Error|Exception|Failure|Failed)\b:?\s*\S/u;

/** Returns the reporter's message or, if that is generic, pytest's line of what was raised. Never longer than the report. */
export function tellReason({ message, trace }: Pick<TestCase, "message" | "trace">): string | null {
  if (message !== null && !SAYS_NOTHING.test(message.trim())) return message;
  return (trace === null ? null : findRaised(trace.split("\n"))) ?? message;
}

function findRaised(lines: readonly string[]): string | null {
  const end = lines.findLastIndex((line) => ERROR_LINE.test(line));
  let from = end;
  while (from > 0 && ERROR_LINE.test(lines[from - 1] ?? "")) from--;
  const said = lines
    .slice(Math.max(0, from), end + 1)
    .map((line) => line.slice(1).trim())
    .filter((line) => line !== "");
  return said.findLast((line) => TYPED.test(line)) ?? said[0] ?? null;
}
