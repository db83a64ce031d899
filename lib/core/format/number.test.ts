import { describe, expect, it } from "vitest";

import {
  formatBytes,
  formatCost,
  formatCount,
  formatPercent,
  formatPlural,
  formatDifferenceRange,
  formatPoints,
  formatPValue,
  formatReward,
} from "./number";

describe("numbers as text", () => {
  it("prints an em dash for what is unknown and 0 for zero", () => {
    expect([
      formatCount(null),
      formatReward(null),
      formatCost(null),
      formatPercent(null),
      formatPoints(null),
    ]).toEqual(Array(5).fill("\u2014"));
    expect([formatCount(0), formatReward(0), formatCost(0), formatPercent(0), formatPoints(0)]).toEqual([
      "0",
      "0.000",
      "0.00",
      "0.0 %",
      "0.0",
    ]);
  });

  it("says NaN and infinities in words, as Python does", () => {
    expect([NaN, Infinity, -Infinity].map((value) => formatReward(value))).toEqual(["NaN", "inf", "-inf"]);
  });

  it("separates thousands, signs differences and counts in words", () => {
    expect(formatCount(10_947)).toBe("10,947");
    expect(formatPoints(0.125)).toBe("+12.5");
    expect(formatPoints(-0.2)).toBe("\u221220.0");
    expect(formatPlural(1, "trial")).toBe("1 trial");
    expect(formatPlural(1200, "mismatch", "mismatches")).toBe("1,200 mismatches");
    expect([999, 1500, 1_800_000, 64.5e9].map(formatBytes)).toEqual(["999 B", "1.5 KB", "1.8 MB", "64.5 GB"]);
  });

  it("never rounds an end of an interval, or a p-value, onto the nearest line", () => {
    expect([0.0004, -0.0004, 0.00004, 0, -0, 1e-9].map((value) => formatPoints(value))).toEqual([
      "+0.04",
      "\u22120.04",
      "+0.004",
      "0.0",
      "0.0",
      "+0.0000001",
    ]);
    expect(formatDifferenceRange({ low: -0.0001, high: 7.0834 }, false)).toBe("\u22120.0001 to +7.083");
    // Means of the same values in another order.
    expect(formatDifferenceRange({ low: 0.1 + 0.2 - 0.3, high: 0.3 - (0.1 + 0.2) }, true)).toBe("0.0 to 0.0");
    expect([0.0499, 0.04951, 0.05, 0.0004, 1].map(formatPValue)).toEqual([
      "< 0.050",
      "< 0.050",
      "0.050",
      "< 0.001",
      "1.000",
    ]);
  });

  it("gives small amounts two digits that say something", () => {
    expect([0.0034, 0.0312, 0.0996, 0.12].map(formatCost)).toEqual(["0.0034", "0.031", "0.10", "0.12"]);
  });

  it("writes absurd amounts as powers of ten, not as lines of digits", () => {
    expect([formatCount(10n ** 400n), formatCount(-1e308), formatCost(1e308)]).toEqual([
      "inf",
      "-1.0e+308",
      "1.0e+308",
    ]);
    expect([formatCount(999_999_999_999_999), formatCost(1e14)]).toEqual([
      "999,999,999,999,999",
      "100,000,000,000,000.00",
    ]);
  });
});
