import { describe, expect, it } from "vitest";

import { listSearchValues } from "../address/address";
import { jobsHref, parseJobsParams } from "./address";

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
      checks: ["mismatch"],
      sort: "job",
      descending: true,
      columns: ["cost", "interval"],
    } as const;
    expect(parseJobsParams(listSearchValues(`http://x${jobsHref(params)}`))).toEqual(params);
  });

  it("accepts the former name of a check, which saved URLs still have", () =>
    expect(parseJobsParams({ seal: "mismatch" }).checks).toEqual(["mismatch"]));

  it("writes a direction only if it differs from the column's", () => {
    expect(jobsHref({ sort: "job", descending: false })).toBe("/?sort=job");
    expect(jobsHref({ sort: "cost", descending: false })).toBe("/?sort=cost&dir=asc");
    expect(parseJobsParams({ sort: "job" }).descending).toBe(false);
  });
});
