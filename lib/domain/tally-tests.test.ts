import fc from "fast-check";
import { expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { codeTest, didRun } from "./tally-tests";

it("finds every test that ran among the codes of those that passed, and no other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 60 }), fc.nat(), (names, at) => {
      const passed = names.filter((_, place) => place % 2 === at % 2);
      const tests = { failed: [], passed: passed.map(codeTest).join("") };
      for (const name of names) expect(didRun(tests, name)).toBe(passed.includes(name));
    }),
    planRuns({ short: 200, long: 20_000 }),
  );
});

it("gives names that differ little other codes", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `tests/test_outputs.py::test_case[${at}]`);
  expect(new Set(names.map(codeTest)).size).toBe(names.length);
});
