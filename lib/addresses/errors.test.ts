import { expect, test } from "vitest";

import { errorsHref, jobErrorsHref, parseErrorsParams } from "./errors";

function readBack(href: string) {
  const search: Record<string, string[]> = {};
  for (const [key, value] of new URL(href, "http://x").searchParams) (search[key] ??= []).push(value);
  return parseErrorsParams(search);
}

test("every filter survives the way through the address", () => {
  const params = {
    jobs: ["a job", "b/c"],
    agents: ["orca meridian-5"],
    causes: ["limit", "other"] as const,
    text: "exit 137 & more",
    open: "AgentTimeoutError",
  };
  expect(readBack(errorsHref(params))).toEqual(params);
});

test("defaults are not written, and nonsense falls back to them", () => {
  expect(errorsHref(parseErrorsParams({}))).toBe("/errors");
  expect(parseErrorsParams({ cause: ["bad luck"], q: "  " })).toEqual(parseErrorsParams({}));
});

test("a job's errors are that job alone", () => {
  expect(readBack(jobErrorsHref("tb2 baseline"))).toEqual({
    ...parseErrorsParams({}),
    jobs: ["tb2 baseline"],
  });
});
