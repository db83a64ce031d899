import { expect, test } from "vitest";

import { LIST_STARTS } from "@/lib/domain/trial-lists";

import { artifactHref, logLink, parseTrialParams, trialPageHref } from "./trial";

const NONE = { rollup: null, weights: new Map() };

test("an address without values opens the trajectory where it went wrong", () => {
  expect(parseTrialParams({})).toEqual({
    tab: "trajectory",
    step: null,
    from: null,
    file: null,
    end: "start",
    line: null,
    rubric: NONE,
    starts: LIST_STARTS,
  });
});

test.each([
  {
    tab: "log",
    step: null,
    from: null,
    file: "verifier/test-stdout.txt",
    end: "end",
    line: 12,
    rubric: NONE,
    starts: LIST_STARTS,
  },
  {
    tab: "trajectory",
    step: "explore.3",
    from: 200,
    file: null,
    end: "start",
    line: null,
    rubric: NONE,
    starts: LIST_STARTS,
  },
  {
    tab: "files",
    step: null,
    from: null,
    file: "a b/ü&=?#%20.txt",
    end: "start",
    line: null,
    rubric: NONE,
    starts: LIST_STARTS,
  },
  {
    tab: "tests",
    step: null,
    from: null,
    file: null,
    end: "start",
    line: null,
    starts: { keys: 1, dimensions: 200, tests: 400, tags: 5, checks: 999_999_999 },
    rubric: {
      rollup: "min",
      weights: new Map([
        ["a & b", 0.5],
        ["c", -1],
      ]),
    },
  },
] as const)("what is written into an address is read from it: %j", (params) => {
  const search = new URL(trialPageHref("j", "t", params), "http://x").searchParams;
  expect(parseTrialParams(Object.fromEntries(search))).toEqual(params);
});

test("defaults are not written", () => {
  expect(trialPageHref("j", "t", { tab: "trajectory", from: null, end: "start" })).toBe("/jobs/j/trials/t");
  expect(trialPageHref("j", "t", { from: 0 })).toBe("/jobs/j/trials/t?from=0");
});

test("nonsense falls back to the default", () => {
  const nonsense = { tab: "<script>", from: "-1", end: "middle", step: ["a", "b"], file: "" };
  expect(parseTrialParams(nonsense)).toEqual({
    tab: "trajectory",
    step: "b",
    from: null,
    file: null,
    end: "start",
    line: null,
    rubric: NONE,
    starts: LIST_STARTS,
  });
});

test("a place in a log is read from the end that holds it", () => {
  expect(logLink({ file: "verifier/a.log", line: 12 })).toMatchObject({ line: 12, end: "start" });
  expect(logLink({ file: "verifier/a.log", line: 1001 })).toMatchObject({ line: 1001, end: "end" });
  expect(logLink({ file: "verifier/a.log", line: null })).toMatchObject({ line: null, end: "end" });
});

test("artifact addresses keep every part apart, so that no name can leave its place", () => {
  expect(artifactHref("a/b", "t", "dir/..%2f.txt", true)).toBe(
    "/api/artifacts/a%2Fb/t/dir/..%252f.txt?as=text",
  );
});
