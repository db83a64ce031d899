import { describe, expect, test } from "vitest";

import { listSearchValues } from "./address";
import { compareParamsHref, curvesHref, parseCompareParams, readCompareRequest } from "./compare";

const read = (query: string) => parseCompareParams(listSearchValues(`http://x/?${query}`));

describe("the address of the compare page", () => {
  test("a bare address has every default, and defaults are not written", () => {
    expect(parseCompareParams({})).toEqual({
      refs: [],
      key: null,
      threshold: 1,
      missing: "zero",
      tasks: "common",
      k: null,
      matrixPage: 1,
      sort: "difference",
      descending: true,
      show: "all",
      picking: false,
      text: "",
      pickerPage: 1,
      asTable: false,
    });
    expect(compareParamsHref(parseCompareParams({}))).toBe("/compare");
  });

  test("what was written is read back", () => {
    const query =
      "g=a:x&g=b:y&key=f1&threshold=0.5&missing=exclude&tasks=own&k=3&sort=second&dir=asc&show=flaky&view=table&pick=1&q=or";
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

  test("nonsense falls back, repeats count once, and seven groups are six", () => {
    expect(read("threshold=abc&k=-2&sort=colour&missing=maybe&show=none")).toEqual(read(""));
    expect(read("k=1.5&threshold=Infinity")).toEqual(read(""));
    expect(() => readCompareRequest("http://x/?g=a&threshold=abc&k=-2")).toThrow(/: threshold, k\.$/);
    expect(read("g=a&g=a&g=b&g=c&g=d&g=e&g=f&g=g").refs).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  test("files of the curves keep the rules and drop what only the page needs", () => {
    expect(curvesHref(read("g=a&g=b&threshold=0.5&sort=task&view=table&q=x"), "csv")).toBe(
      "/compare/curves.csv?g=a&g=b&threshold=0.5",
    );
  });
});
