import { describe, expect, it } from "vitest";

import { countFilters, jobsHref, parseJobsParams, toggleValue } from "./jobs";

function read(href: string) {
  const search: Record<string, string[]> = {};
  for (const [key, value] of new URL(href, "http://x").searchParams) (search[key] ??= []).push(value);
  return parseJobsParams(search);
}

describe("the address of the jobs list", () => {
  it("writes nothing for the defaults", () => expect(jobsHref(parseJobsParams({}))).toBe("/"));

  it("is read back as it was written", () => {
    const params = {
      ...parseJobsParams({}),
      text: "a & b",
      agents: ["orca", "lamp"],
      models: ["m/1:x"],
      datasets: ["adhoc"],
      states: ["running"],
      seals: ["mismatch"],
      sort: "job",
      descending: true,
      hidden: ["cost", "interval"],
    } as const;
    expect(read(jobsHref(params))).toEqual({ ...params, hidden: ["interval", "cost"] });
    expect(countFilters(params)).toBe(6);
  });

  it("falls back where the address says something else", () => {
    expect(
      parseJobsParams({ sort: "price", dir: "sideways", hide: ["job", "cost"], q: ["x", "y"] }),
    ).toMatchObject({
      sort: "finished",
      descending: true,
      hidden: ["cost"],
      text: "y",
    });
  });

  it("adds and removes a value", () => {
    expect(toggleValue(["a"], "b")).toEqual(["a", "b"]);
    expect(toggleValue(["a", "b"], "a")).toEqual(["b"]);
  });
});
