import fc from "fast-check";
import { expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { MAX_FAILED_TESTS, MAX_PASSED_TESTS } from "./breakdown";
import { codeTest, listRuns, summariseTests } from "./tally-tests";

it("finds every test that ran among the codes of those that passed, and no other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 60 }), fc.nat(), (names, at) => {
      const passed = names.filter((_, place) => place % 2 === at % 2);
      const tests = { failed: [], passed: passed.map(codeTest).join("") };
      for (const name of names) expect(listRuns([tests], name)).toHaveLength(passed.includes(name) ? 1 : 0);
    }),
    planRuns({ short: 200, long: 20_000 }),
  );
});

it("gives names that differ little other codes", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `tests/test_outputs.py::test_case[${at}]`);
  expect(new Set(names.map(codeTest)).size).toBe(names.length);
});

it.each([
  { nPassed: MAX_PASSED_TESTS, nFailed: 1, isKnown: true },
  { nPassed: MAX_PASSED_TESTS + 1, nFailed: 1, isKnown: false },
  { nPassed: 1, nFailed: MAX_FAILED_TESTS, isKnown: false },
])("knows all passed tests with $nPassed passed and $nFailed failed tests: $isKnown", (given) => {
  const list = (n: number, status: "passed" | "failed") =>
    Array.from({ length: n }, (_, at) => {
      return { name: `${status} ${at}`, status, durationMs: null, message: null, trace: null };
    });
  const { nPassed, nFailed, isKnown } = given;
  const tests = [...list(nFailed, "failed"), ...list(nPassed, "passed")];
  const report = {
    file: "verifier/ctrf.json",
    step: null,
    form: "ctrf",
    tool: null,
    isCounted: true,
  } as const;
  const summary = summariseTests([{ ...report, tests, nTests: tests.length, nPassed, nFailed }]);
  if (summary === null) throw new Error("There is a report.");
  expect(listRuns([summary], "failed 0")).toHaveLength(1);
  expect(listRuns([summary], "passed 0")).toHaveLength(1);
  expect(listRuns([summary], "another")).toHaveLength(isKnown ? 0 : 1);
});
