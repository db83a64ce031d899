import { MAX_FAILED_TESTS, MAX_PASSED_TESTS, type TrialTests } from "./breakdown";
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

/** Whether a report that counts names every test of its totals: what a runner prints often names those alone that failed. */
function listsAllTests({ isCounted, nTests, tests }: TestReport): boolean {
  return !isCounted || (nTests !== null && tests.length >= nTests);
}

/** Where FNV-1a begins, for each half of a code. */
const BEGINNINGS = [0x81_1c_9d_c5, 0x97_47_b2_8c] as const;
const FNV_PRIME = 0x01_00_01_93;
const HALF_LENGTH = 5;

/** Ten characters for a name of a test, from 50 bits of two hashes: names of a task's tests have other ones. */
export function codeTest(name: string): string {
  return BEGINNINGS.map((beginning) => {
    let hash: number = beginning;
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), FNV_PRIME);
    // The upper bits, which are mixed best: five for each character.
    return (hash >>> 7).toString(32).padStart(HALF_LENGTH, "0");
  }).join("");
}

/** Those of some trials in which a test ran: it failed or passed there, or may have, since not all that passed is known. */
export function listRuns<Tests extends Pick<TrialTests, "failed" | "passed">>(
  trials: readonly Tests[],
  name: string,
): readonly Tests[] {
  const code = codeTest(name);
  return trials.filter(
    ({ failed, passed }) => passed === null || hasCode(passed, code) || failed.includes(name),
  );
}

/** Whether a trial's reports say that a test ran or did not; else it counts as one that ran. */
export function isRunKnown({ failed, passed }: Pick<TrialTests, "failed" | "passed">, name: string): boolean {
  return passed !== null || failed.includes(name);
}

/** Whether a code is among joined ones, and not over the end of one and the beginning of the next. */
function hasCode(codes: string, code: string): boolean {
  for (let at = codes.indexOf(code); at >= 0; at = codes.indexOf(code, at + 1))
    if (at % code.length === 0) return true;
  return false;
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
