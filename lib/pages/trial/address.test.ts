import { expect, test } from "vitest";

import { artifactHref, logLink, parseTrialParams, trialAddress, trialPageHref } from "./address";

const DEFAULTS = {
  tab: "trajectory",
  list: null,
  source: null,
  step: null,
  find: "",
  isPattern: false,
  isCased: false,
  roles: [],
  tools: [],
  paths: [],
  range: null,
  only: [],
  lanes: [],
  from: null,
  file: null,
  attempt: null,
  form: null,
  end: "start",
  line: null,
  rollup: null,
  weights: new Map(),
  keys: 0,
  dimensions: 0,
  tests: 0,
  test: null,
  tags: 0,
  checks: 0,
} as const;

test("a URL without values opens the trajectory where it went wrong", () => {
  expect(parseTrialParams({})).toEqual(DEFAULTS);
});

test.each([
  { ...DEFAULTS, tab: "log", file: "verifier/test-stdout.txt", end: "end", line: 12 },
  { ...DEFAULTS, source: "agent/codex.txt", find: "a+ b&c", isPattern: true, isCased: true },
  {
    ...DEFAULTS,
    roles: ["user", "agent"],
    tools: ["bash", "a,b&c"],
    only: ["errors"],
    lanes: ["explore", "a 2"],
  },
  { ...DEFAULTS, step: "explore.3", from: 200, list: "outcome=failed&sort=cost" },
  { ...DEFAULTS, tab: "files", file: "a b/ü&=?#%20.txt", form: "hex", from: 4096 },
  {
    ...DEFAULTS,
    tab: "tests",
    keys: 1,
    dimensions: 200,
    tests: 400,
    test: "test_a[1]",
    tags: 5,
    checks: 999_999_999,
    rollup: "min",
    weights: new Map([
      ["a & b", 0.5],
      ["c", -1],
    ]),
  },
] as const)("round-trips through a URL: %j", (params) => {
  const search = new URL(trialPageHref("j", "t", params), "http://x").searchParams;
  const values = Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)]));
  expect(parseTrialParams(values)).toEqual(params);
});

test("defaults are not written", () => {
  expect(trialPageHref("j", "t", { tab: "trajectory", from: null, end: "start" })).toBe("/jobs/j/trials/t");
  expect(trialPageHref("j", "t", { from: 0 })).toBe("/jobs/j/trials/t?from=0");
});

test("nonsense falls back to the default", () => {
  const nonsense = { tab: "<script>", from: "-1", end: "middle", line: "0", file: "" };
  expect(parseTrialParams(nonsense)).toEqual(DEFAULTS);
  expect(trialAddress.listUnknown(nonsense)).toEqual(["tab", "from", "end", "line"]);
});

test("a place in a log is its line, or its end if the line is unknown", () => {
  expect(logLink({ file: "verifier/a.log", line: 12 })).toMatchObject({ line: 12, end: "start" });
  expect(logLink({ file: "verifier/a.log", line: 1001 })).toMatchObject({ line: 1001, end: "start" });
  expect(logLink({ file: "verifier/a.log", line: null })).toMatchObject({ line: null, end: "end" });
});

test("artifact addresses keep every part apart, so that no name can leave its place", () => {
  expect(artifactHref("a/b", "t", "dir/..%2f.txt", { as: "text" })).toBe(
    "/api/artifacts/a%2Fb/t/dir/..%252f.txt?as=text",
  );
});
