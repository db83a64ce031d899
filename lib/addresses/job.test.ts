import { expect, test } from "vitest";

import { FIRST_PAGE } from "@/lib/domain/page-place";
import { formatCursor } from "./place";

import { buildJobQuery, countJobFilters, jobPageHref, jobTabHref, parseJobParams } from "./job";

test("defaults are not written", () => {
  const params = parseJobParams({});
  expect(params).toMatchObject({ tab: "tasks", taskSort: "passed", descending: true, place: FIRST_PAGE });
  expect(jobPageHref("my job", params)).toBe("/jobs/my%20job");
  expect(jobTabHref("j", "verification")).toBe("/jobs/j?tab=verification");
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
    after: formatCursor([0.5, 12]),
    hide: ["tokens"],
  });
  const query = Object.fromEntries(
    Object.entries(buildJobQuery(params)).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, typeof value === "object" ? [...value] : String(value)]],
    ),
  );
  expect(parseJobParams(query)).toEqual(params);
  expect(countJobFilters(params)).toBe(6);
});

test.each([
  { tab: "trials", dim: "a & b", family: "lux", dim_min: "0.2", dim_below: "0.3" },
  { tab: "trials", dim: "care", dim_max: "0" },
  { tab: "trials", dim: "care", dim_missing: "1" },
  { tab: "dimensions", family: "lux", group: "orca__m__d", as: "table" },
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
  const query = buildJobQuery(parseJobParams(search));
  const written = Object.entries(query).filter(([, value]) => value !== undefined && String(value) !== "");
  expect(Object.fromEntries(written.map(([name, value]) => [name, String(value)]))).toEqual(search);
});

test("a range of a dimension is not asked where it is missing, and a weight that is no number is none", () => {
  expect(parseJobParams({ dim: "care", dim_missing: "1", dim_min: "0.5" }).dimension).toMatchObject({
    isMissing: true,
    min: null,
  });
  expect(parseJobParams({ "weight.a": "x", "weight.b": "", "weight.c": "1" }).rubric.weights).toEqual(
    new Map([["c", 1]]),
  );
});

test("what is wrong falls back", () => {
  const params = parseJobParams({
    tab: "nope",
    outcome: ["nope"],
    min: "x",
    sort: "nope",
    after: "nope",
    hide: "task",
  });
  expect(params).toEqual(parseJobParams({}));
});

test("a change of filter starts at the first page", () => {
  const params = parseJobParams({ tab: "trials", after: formatCursor(["a", 7]) });
  expect(jobPageHref("j", params, { outcomes: ["failed"] })).toBe("/jobs/j?tab=trials&outcome=failed");
  expect(jobPageHref("j", params, { place: { kind: "last" } })).toBe("/jobs/j?tab=trials&last=1");
});
