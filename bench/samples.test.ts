import { describe, expect, it } from "vitest";

import { computeLatency, computeSpread, formatSpread } from "./samples";

describe("samples", () => {
  it("takes percentiles that were measured, by nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(computeLatency(hundred)).toEqual({ n: 100, p50: 50, p95: 95, p99: 99, max: 100 });
    expect(computeLatency([7])).toEqual({ n: 1, p50: 7, p95: 7, p99: 7, max: 7 });
  });

  it("has a median between the two middle values, and the extremes", () => {
    expect(computeSpread([9, 1, 4, 2])).toEqual({ n: 4, median: 3, min: 1, max: 9 });
    expect(computeSpread([9, 1, 4])).toEqual({ n: 3, median: 4, min: 1, max: 9 });
  });

  it("tells nothing measured apart from 0", () => {
    expect(computeLatency([])).toBeNull();
    expect(formatSpread(computeSpread([]))).toBe("—");
    expect(formatSpread(computeSpread([0]))).toBe("0");
    expect(formatSpread(computeSpread([1234.5, 0.25, 10]))).toBe("10 (0.25..1,235)");
  });
});
