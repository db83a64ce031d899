import { describe, expect, test } from "vitest";

import { listSearchValues } from "../address/address";
import {
  compareParamsHref,
  countNamedGroups,
  curvesHref,
  listRunSets,
  parseCompareParams,
  readCompareRequest,
  toggleRun,
  writeRunSet,
} from "./address";

const read = (query: string) => parseCompareParams(listSearchValues(`http://x/?${query}`));

describe("the address of the compare page", () => {
  test("a bare address has every default, and defaults are not written", () => {
    expect(parseCompareParams({})).toEqual({
      refs: [],
      order: "start",
      tab: "tasks",
      key: null,
      threshold: 1,
      missing: "zero",
      rule: "recorded",
      tasks: "common",
      k: null,
      matrixPage: 1,
      sort: "difference",
      descending: true,
      show: "all",
      by: "difference",
      colour: "outcome",
      hasVerdicts: false,
      hasTies: false,
      change: "any",
      versus: null,
      picking: false,
      text: "",
      pickerPage: 1,
      asTable: false,
      spent: "cost",
    });
    expect(compareParamsHref(parseCompareParams({}))).toBe("/compare");
  });

  test("reads back what it wrote", () => {
    const query =
      "g=a:x&g=b:y&tab=curves&key=f1&threshold=0.5&missing=exclude&tasks=own&k=3&sort=group-2&dir=asc&show=flaky&ties=shown&view=table&pick=1&q=or";
    const params = read(query);
    expect(params.refs).toEqual(["a:x", "b:y"]);
    expect(params.threshold).toBe(0.5);
    expect(compareParamsHref(params)).toBe(`/compare?${query}`);
    expect(read(compareParamsHref(params).slice("/compare?".length))).toEqual(params);
  });

  test("other rows start at their first page; another k does not", () => {
    const params = read("g=a&g=b&page=3");
    expect(params.matrixPage).toBe(3);
    expect(compareParamsHref(params, { k: 2 })).toBe("/compare?g=a&g=b&k=2&page=3");
    expect(compareParamsHref(params, { show: "flaky" })).toBe("/compare?g=a&g=b&show=flaky");
    expect(compareParamsHref(params, { matrixPage: 4 })).toBe("/compare?g=a&g=b&page=4");
    expect(read("page=0&k=1.5")).toEqual(read(""));
  });

  test("a threshold of 0 is not the default", () => {
    expect(read("threshold=0").threshold).toBe(0);
    expect(compareParamsHref(read("threshold=0"))).toBe("/compare?threshold=0");
  });

  test("nonsense falls back, repeats count once, and 25 groups are 24", () => {
    expect(read("threshold=abc&k=-2&sort=colour&missing=maybe&show=none")).toEqual(read(""));
    expect(read("k=1.5&threshold=Infinity")).toEqual(read(""));
    expect(() => readCompareRequest("http://x/?g=a&threshold=abc&k=-2")).toThrow(/: threshold, k\.$/);
    const many = Array.from({ length: 25 }, (_, at) => `job-${at}`);
    expect(read(["job-0", ...many].map((ref) => `g=${ref}`).join("&")).refs).toEqual(many.slice(0, 24));
  });

  test("curve files keep the rules and drop page-only values", () => {
    expect(curvesHref(read("g=a&g=b&threshold=0.5&sort=task&view=table&q=x"), "csv")).toBe(
      "/compare/curves.csv?g=a&g=b&threshold=0.5",
    );
  });
});

describe("run sets in the address", () => {
  test("a plus joins a run to those before it, each once, and round-trips", () => {
    const refs = ["a:x", "+b:x", "+b:x", "c:y", "a:x", "+b:x"];
    expect(listRunSets(refs)).toEqual([["a:x", "b:x"], ["c:y"]]);
    expect(listRunSets(refs).flatMap(writeRunSet)).toEqual(["a:x", "+b:x", "c:y"]);
    const params = read("g=a:x&g=%2Bb:x&g=c:y");
    expect(params.refs).toEqual(["a:x", "+b:x", "c:y"]);
    expect(read(compareParamsHref(params).slice("/compare?".length))).toEqual(params);
    expect(countNamedGroups(listSearchValues("http://x/?g=a:x&g=%2Bb:x&g=c:y"))).toBe(2);
  });

  test("the first run is joined to nothing, and a set is one of the groups that fit", () => {
    expect(listRunSets(["+a:x", "b:x"])).toEqual([["+a:x"], ["b:x"]]);
    const many = Array.from({ length: 25 }, (_, at) => `g=${at}:1&g=%2B${at}:2`);
    expect(read(many.join("&")).refs).toHaveLength(48);
  });

  test("a run is taken out of its set, and the rest stays together", () => {
    expect(toggleRun(["a:x", "+b:x", "+c:x", "d:y"], "a:x")).toEqual(["b:x", "+c:x", "d:y"]);
    expect(toggleRun(["a:x", "+b:x"], "b:x")).toEqual(["a:x"]);
    expect(toggleRun(["a:x"], "b:x")).toEqual(["a:x", "b:x"]);
  });
});
