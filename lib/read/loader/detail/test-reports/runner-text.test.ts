import { expect, test } from "vitest";

import { parseRunnerText } from "./parse-runner-text";

const PLACE = { file: "verifier/test-stdout.txt", step: null };

/** Content of a text: totals, then status, name and message of each test. */
function read(text: string): readonly unknown[] | null {
  const report = parseRunnerText(text, PLACE);
  if (report === null) return null;
  const totals = [report.nTests, report.nPassed, report.nFailed];
  return [totals, ...report.tests.map(({ status, name, message }) => [status, name, message])];
}

const TITLE = (title: string): string => `========== ${title} ==========\n`;
const START = TITLE("test session starts");
const SUMMARY = TITLE("short test summary info");

test("pytest: names and messages of the short summary, totals of the last line", () => {
  const text = `${START}collected 15 items

tests/test_a.py F..............  [100%]
${SUMMARY}PASSED tests/test_a.py::test_one
FAILED tests/test_a.py::test_two - AssertionError: a - b
FAILED tests/test_a.py::TestX::test_three[a - b] - ValueError
FAILED tests/test_a.py::test_four[x]
ERROR tests/test_b.py - ModuleNotFoundError: no 'c'
SKIPPED [2] tests/test_c.py:3: not here
XFAIL tests/test_a.py::test_five - known
${TITLE("3 failed, 10 passed, 2 skipped, 1 xfailed, 4 warnings, 1 error in 2.87s")}`;
  expect(read(text)).toEqual([
    [17, 10, 4],
    ["failed", "tests/test_a.py::test_two", "AssertionError: a - b"],
    ["failed", "tests/test_a.py::TestX::test_three[a - b]", "ValueError"],
    ["failed", "tests/test_a.py::test_four[x]", null],
    ["failed", "tests/test_b.py", "ModuleNotFoundError: no 'c'"],
    ["passed", "tests/test_a.py::test_one", null],
    ["other", "tests/test_a.py::test_five", "known"],
  ]);
  expect(parseRunnerText(text, PLACE)).toMatchObject({ ...PLACE, form: "text", tool: "pytest" });
});

test("pytest: colours, lines of -v, and a test said twice is one", () => {
  const text = `\u001b[1m${START.trimEnd()}\u001b[0m\r
test_a.py::test_one \u001b[32mPASSED\u001b[0m\u001b[31m           [ 25%]\u001b[0m
test_a.py::test_two[x PASSED] FAILED    [ 50%]
test_a.py::test_three SKIPPED (Needs a (new) file)    [ 75%]
test_a.py::test_four printed PASSED    [100%]
not/a test::name PASSED
${SUMMARY}FAILED test_a.py::test_two[x PASSED] - assert 1 == 2
ERROR test_a.py::test_one - OSError: gone
PASSED test_a.py::test_one
${TITLE("1 failed, 2 passed, 1 skipped, 1 error in 61.20s (0:01:01)")}`;
  expect(read(text)).toEqual([
    [5, 2, 2],
    ["failed", "test_a.py::test_one", "OSError: gone"],
    ["failed", "test_a.py::test_two[x PASSED]", "assert 1 == 2"],
    ["skipped", "test_a.py::test_three", "Needs a (new) file"],
  ]);
});

test("pytest: totals without names, of -q and of old versions, and no tests at all", () => {
  expect(read("...\n3 passed in 0.00s\n")).toEqual([[3, 3, 0]]);
  expect(read(TITLE("2 failed, 1 passed, 1 pytest-warnings in 0.05 seconds"))).toEqual([[3, 1, 2]]);
  expect(read(TITLE("no tests ran in 0.01s"))).toEqual([[0, 0, 0]]);
});

test("pytest: a run that broke off has names and no totals, which are not 0", () => {
  expect(read(`${START}a.py::b PASSED [ 50%]\na.py::c FAILED [100%]\nKilled\n`)).toEqual([
    [null, null, null],
    ["failed", "a.py::c", null],
    ["passed", "a.py::b", null],
  ]);
});

test("pytest: several runs add up, and one within the output of another is left out", () => {
  const run = (name: string, last: string): string => `${START}${name} PASSED [100%]\n${TITLE(last)}`;
  expect(read(run("a.py::a", "1 passed in 0.01s") + run("b.py::b", "1 passed in 0.02s"))).toEqual([
    [2, 2, 0],
    ["passed", "a.py::a", null],
    ["passed", "b.py::b", null],
  ]);
  const inner = run(`${SUMMARY}FAILED inner.py::c - x\ninner.py::c`, "9 failed in 0.01s");
  expect(
    read(
      `${START}${TITLE("FAILURES")}${inner}${SUMMARY}FAILED a.py::a - 9 failed\n${TITLE("1 failed in 1.00s")}`,
    ),
  ).toEqual([
    [1, 0, 1],
    ["failed", "a.py::a", "9 failed"],
  ]);
});

test.each([
  "",
  "\0\0\0",
  "5 passed",
  "I passed in 2.87s",
  "=== 3 tests collected in 0.02s ===",
  "=== x failed, 2 passed in 0.02s ===",
  "=== 1 failed, 2 passed in a hurry ===",
  "=== 99999999999999999999 passed in 1s ===",
  "FAILED a.py::b - outside of a summary",
  "a.py::b PASSED [100%]",
  "  ✓  1 [chromium] › a.spec.ts:1:1 › nobody said that tests run (1ms)",
  "  3 passed (2s)",
  "Running 2 tests using 1 worker",
  "[==========] Running 2 tests from 1 test suite.",
])("%j is no run of tests", (text) => {
  expect(read(text)).toBeNull();
});

test("Playwright: the list reporter's lines, the last try of each test, and the totals", () => {
  const text = `
Running 5 tests using 2 workers

  ✓  1 [chromium] › e2e/a.spec.ts:39:1 › Lists › shows (all) of it (863ms)
  ✘  2 [chromium] › e2e/a.spec.ts:50:3 › breaks (1.5s)
  ✘  3 [chromium] › e2e/b.spec.ts:3:1 › sometimes (2.0m)
  ✓  4 [chromium] › e2e/b.spec.ts:3:1 › sometimes (retry #1) (12ms)
  -  5 [chromium] › e2e/c.spec.ts:3:1 › later

  1) [chromium] › e2e/a.spec.ts:50:3 › breaks
    Error: no

  1 failed
    [chromium] › e2e/a.spec.ts:50:3 › breaks
  1 flaky
    [chromium] › e2e/b.spec.ts:3:1 › sometimes
  1 skipped
  1 did not run
  1 passed (4.1s)
`;
  expect(parseRunnerText(text, PLACE)).toMatchObject({
    tool: "Playwright",
    nTests: 5,
    nPassed: 2,
    nFailed: 1,
  });
  expect(
    parseRunnerText(text, PLACE)?.tests.map(({ status, name, durationMs }) => [status, name, durationMs]),
  ).toEqual([
    ["failed", "[chromium] > e2e/a.spec.ts:50:3 > breaks", 1500],
    ["passed", "[chromium] > e2e/a.spec.ts:39:1 > Lists > shows (all) of it", 863],
    ["passed", "[chromium] > e2e/b.spec.ts:3:1 > sometimes", 12],
    ["skipped", "[chromium] > e2e/c.spec.ts:3:1 > later", null],
  ]);
});

test("Playwright: without totals they are unknown, also those of another runner next to it", () => {
  const broken = `Running 2 tests using 1 worker\n  x  1 a.spec.ts:1:1 › one (5.6s)\n`;
  expect(read(broken)).toEqual([
    [null, null, null],
    ["failed", "a.spec.ts:1:1 > one", null],
  ]);
  expect(read(`${broken}${TITLE("3 passed in 0.01s")}`)?.[0]).toEqual([null, null, null]);
  expect(parseRunnerText(`${broken}${TITLE("3 passed in 0.01s")}`, PLACE)?.tool).toBe("pytest, Playwright");
});
