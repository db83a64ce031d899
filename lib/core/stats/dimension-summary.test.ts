import { describe, expect, test } from "vitest";

import { computeDimensionSummary, computeEndEffects } from "./dimensions";
import { DIMENSION_EDGES } from "./distribution";

function summarise(tasks: readonly (readonly (number | null)[])[]) {
  const summary = computeDimensionSummary(tasks.map((values, index) => ({ task: String(index), values })));
  if (summary.kind === "unavailable") throw new Error(summary.reason);
  return summary;
}

describe("a dimension", () => {
  test("counts missing apart: not in the mean, not in a bin, not at the floor", () => {
    const { interval, counts, ends } = summarise([
      [0, null, 0.5],
      [1, null],
    ]);
    expect([interval.mean, interval.n, interval.nMissing, interval.nTasks]).toEqual([0.5, 3, 2, 2]);
    expect(counts).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect([ends.nFloor, ends.nCeiling]).toEqual([1, 1]);
  });

  test("without a value has a reason, and no zero", () => {
    expect(computeDimensionSummary([{ task: "a", values: [null, null] }])).toEqual({
      kind: "unavailable",
      reason: "no-values",
    });
  });

  test("puts every edge into the bin above it, and 1 into the last", () => {
    for (const [bin, edge] of DIMENSION_EDGES.entries()) {
      const { counts } = summarise([[edge]]);
      expect(counts.indexOf(1)).toBe(Math.min(bin, 9));
    }
    // As near below an edge as a number can be.
    expect(summarise([[0.3 - 2 ** -54]]).counts.indexOf(1)).toBe(2);
  });
});

describe("end effects", () => {
  const atEnd = (n: number, of: number, end: number, other: number) =>
    computeEndEffects(Array.from({ length: of }, (_, index) => (index < n ? end : other)));

  test("of a graded scale begin above 15 %, and only at the very end", () => {
    expect(atEnd(3, 20, 0, 0.4)).toMatchObject({ rule: "graded", floorShare: 0.15, isFloor: false });
    expect(atEnd(4, 20, 0, 0.4)).toMatchObject({ floorShare: 0.2, isFloor: true, isCeiling: false });
    expect(atEnd(4, 20, 1, 0.4)).toMatchObject({ isFloor: false, isCeiling: true });
    expect(atEnd(20, 20, 0.001, 0.4)).toMatchObject({ nFloor: 0, isFloor: false, isCeiling: false });
    expect(atEnd(20, 20, 0.999, 0.4)).toMatchObject({ nCeiling: 0, isFloor: false, isCeiling: false });
  });

  test("of a scale that is 0 or 1 begin above 85 %, since ends are all it has", () => {
    expect(atEnd(17, 20, 1, 0)).toMatchObject({ rule: "two-valued", ceilingShare: 0.85, isCeiling: false });
    expect(atEnd(18, 20, 1, 0)).toMatchObject({ isCeiling: true, isFloor: false });
    expect(atEnd(18, 20, 0, 1)).toMatchObject({ isCeiling: false, isFloor: true });
  });

  test("are not measured by a handful of trials", () => {
    expect(atEnd(9, 9, 1, 0)).toMatchObject({ ceilingShare: 1, isCeiling: false });
    expect(atEnd(10, 10, 1, 0)).toMatchObject({ isCeiling: true });
  });

  test("of nothing are none", () => {
    expect(computeEndEffects([])).toMatchObject({
      floorShare: 0,
      ceilingShare: 0,
      isFloor: false,
      isCeiling: false,
    });
  });
});
