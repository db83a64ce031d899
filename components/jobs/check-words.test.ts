import { expect, it } from "vitest";

import { describeCheck } from "./check-words";

const GROUP = { own: null, verdict: "exact", ulps: null, hasRecordedMetric: true } as const;

it("a row says whether a verdict is the group's, as its job's page prints it, or one of the whole job", () => {
  expect(describeCheck(GROUP)).toEqual({ words: "exact", meaning: undefined });
  expect(describeCheck({ ...GROUP, hasRecordedMetric: false }).words).toBe("files exact");
  expect(describeCheck({ ...GROUP, verdict: "ulp", ulps: 2 }).words).toBe("2 ulp");
  const ofJob = describeCheck({ ...GROUP, own: "ulp" });
  expect(ofJob.words).toBe("job: last bits");
  expect(ofJob.meaning).toMatch(/^Of a figure of the whole job, not of this group. Equal except/);
  expect(describeCheck({ ...GROUP, own: "explained" }).words).toBe("job: explained");
  expect(describeCheck({ ...GROUP, own: "mismatch" }).words).toBe("job counter");
  expect(describeCheck({ ...GROUP, own: "interim" }).words).toBe("interim");
});
