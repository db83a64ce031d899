import { expect, test } from "vitest";

import { listSearchValues } from "../address/address";
import {
  parseTrialsParams,
  readDimension,
  readTrialsRequest,
  trialsFileHref,
  trialsPageHref,
} from "../trials/address";
import { jobPageHref, listUnknownJobValues, parseJobParams } from "./address";

const PAGE = "http://x";

test("defaults are not written", () => {
  const params = parseJobParams({});
  expect(params).toMatchObject({ tab: "errors", sort: "passed", descending: false, page: 1 });
  expect(jobPageHref("my job", params)).toBe("/jobs/my%20job?tab=errors");
  expect(jobPageHref("j", { tab: "verification" })).toBe("/jobs/j?tab=verification");
  expect(jobPageHref("j", parseJobParams({ tab: "trials", sort: "task" }))).toBe("/jobs/j?tab=trials");
});

test("an address of filtered tasks without a tab still opens the tasks", () => {
  for (const search of [{ pattern: "always" }, { sort: "task" }, { q: "git", dir: "asc" }])
    expect(parseJobParams(search).tab).toBe("tasks");
  expect(parseJobParams({ tab: "errors", pattern: "never" })).toMatchObject({
    tab: "errors",
    patterns: ["never"],
  });
});

test("what is written is read back", () => {
  const params = parseJobParams({
    tab: "trials",
    q: "cython",
    outcome: ["passed", "timeout"],
    group: "orca__m__d",
    min: "0.25",
    cost_max: "2",
    figure: "stats.evals.a.metrics[0].mean",
    sort: "reward",
    dir: "asc",
    page: "7",
    hide: ["tokens"],
  });
  const href = jobPageHref("j", params, { page: params.page });
  expect(parseJobParams(listSearchValues(PAGE + href))).toEqual(params);
});

test.each([
  { tab: "trials", dim: "a & b", family: "lux", dim_min: "0.2", dim_below: "0.3" },
  { tab: "trials", dim: "care", dim_max: "0" },
  { tab: "trials", dim: "care", dim_missing: "1" },
  { tab: "dimensions", family: "lux", group: "orca__m__d" },
  {
    tab: "rubric",
    family: "lux",
    rollup: "min",
    "weight.a & b": "0.5",
    "weight.c": "-1",
    fit: "other",
    sort: "stored",
  },
])("dimensions and rubrics in an address: %j", (search) => {
  const href = jobPageHref("j", parseJobParams(search));
  expect(Object.fromEntries(new URL(href, PAGE).searchParams)).toEqual(search);
});

test("a missing range of a dimension is no filter, and a weight that is not a number is ignored", () => {
  const params = parseTrialsParams({ dim: "care", dim_missing: "1", dim_min: "0.5" });
  expect(readDimension(params)).toMatchObject({ isMissing: true, min: null });
  expect(parseJobParams({ "weight.a": "x", "weight.b": "", "weight.c": "1" }, "rubric").weights).toEqual(
    new Map([["c", 1]]),
  );
});

test("invalid values become defaults, and are named", () => {
  const search = { tab: "nope", outcome: ["nope"], min: "x", sort: "nope", page: "nope" };
  expect(parseJobParams(search)).toEqual(parseJobParams({}));
  expect(listUnknownJobValues(search)).toEqual(["tab", "outcome", "min", "sort", "page"]);
  expect(listUnknownJobValues({ tab: "trials", sort: "passed" })).toEqual(["sort"]);
  expect(listUnknownJobValues({ tab: "errors", sort: "nope" })).toEqual(["sort"]);
  expect(listUnknownJobValues({ tab: "errors", sort: "passed" })).toEqual([]);
  expect(listUnknownJobValues({ tab: "trials", sort: "tokens", dir: "asc" })).toEqual([]);
});

test("an address saved before a value was renamed still filters", () => {
  expect(parseTrialsParams({ verifier: ["unsteady", "suspect"] }).verifier).toEqual([
    "nondeterministic",
    "suspect",
  ]);
});

test("a change of filter starts at the first page", () => {
  const params = parseJobParams({ page: "3" }, "trials");
  expect(jobPageHref("j", params, { outcomes: ["failed"] })).toBe("/jobs/j?tab=trials&outcome=failed");
  expect(trialsPageHref("j", { tasks: ["a b"] })).toBe("/jobs/j?tab=trials&task=a+b");
});

test("a file has the filters and the order of the trials tab", () => {
  const search = { outcome: "failed", sort: "cost", page: "9", columns: "cost" };
  const params = parseTrialsParams(search);
  const request = readTrialsRequest(PAGE + trialsFileHref("j", params, "csv"));
  expect(request).toEqual({ ...params, page: 1, columns: null });
  expect(trialsFileHref("j", params, "csv")).toBe("/jobs/j/trials.csv?outcome=failed&sort=cost");
});
