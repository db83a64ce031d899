import { expect, it } from "vitest";

import { findSetsByRule } from "./rule";

const runs = ["base", "base-2", "fix-a", "fix-b", "b".repeat(40)].map((jobName) => ({
  ref: jobName,
  jobName,
  kind: jobName === "fix-b" ? "another agent" : "same",
}));

it("pools the matches of a rule by kind", () => {
  expect(findSetsByRule(runs, "numbers")).toEqual({ sets: [["base", "base-2"]], problem: null });
  expect(findSetsByRule(runs, "^(base|fix)").sets).toEqual([["base", "base-2"], ["fix-a"], ["fix-b"]]);
});

it("explains an invalid rule, and stops a slow one", () => {
  expect(findSetsByRule(runs, "(").problem).toContain("regular expression");
  expect(findSetsByRule(runs, "x".repeat(201)).problem).toContain("200 characters");
  expect(findSetsByRule(runs, "(b+)+#").problem).toContain("too long");
});
