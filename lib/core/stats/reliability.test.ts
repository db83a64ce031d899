import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { expectClose, expectComputed } from "./expect-close.fixture";
import reference from "./reference/paired.json";
import { computeReliability } from "./reliability";

const FEW = { resamples: 50 };

function listCounts(counts: readonly (readonly number[])[]): { task: string; n: number; c: number }[] {
  return counts.map(([n = 0, c = 0], index) => ({ task: String(index), n, c }));
}

test("SciPy's analysis of variance gives the same correlation and variances, pairs the same consistency", () => {
  expect(reference.correlations).toHaveLength(60);
  for (const { counts, ...expected } of reference.correlations) {
    const found = expectComputed(computeReliability(listCounts(counts), FEW));
    expectClose(expectComputed(found.correlation).value, expected.correlation, "correlation");
    expectClose(expectComputed(found.withinTasks).value, expected.within, "within");
    expectClose(expectComputed(found.betweenTasks).value, expected.between, "between");
    expectClose(expectComputed(found.consistency).value, expected.consistency, "consistency");
  }
});

describe("how tasks split", () => {
  test("a task with one attempt is neither always nor never", () => {
    const found = expectComputed(
      computeReliability(listCounts([[1, 1], [5, 5], [5, 0], [5, 2], [5, 3]]), FEW), // oxfmt-ignore
    );
    expect(found).toMatchObject({
      nTasks: 5,
      nRepeated: 4,
      nTrials: 21,
      always: { count: 1, n: 4, method: "clopper-pearson" },
      sometimes: { count: 2, n: 4 },
      never: { count: 1, n: 4 },
    });
    expect(found.solveRates.bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 1, 0, 1, 0, 0, 2]);
  });

  test("what repetition would have to show is a reason without it", () => {
    const single = expectComputed(computeReliability(listCounts([[1, 1], [1, 0]]), FEW)); // oxfmt-ignore
    const reason = { kind: "unavailable", reason: "too-few-attempts" };
    expect([single.always, single.consistency, single.correlation]).toEqual([reason, reason, reason]);
    const same = expectComputed(computeReliability(listCounts([[5, 5], [5, 5]]), FEW)); // oxfmt-ignore
    expect(same.correlation).toEqual({ kind: "unavailable", reason: "no-variation" });
    expect(same.consistency).toMatchObject({ value: 1 });
    expect(expectComputed(computeReliability(listCounts([[5, 2]]), FEW)).correlation).toEqual({
      kind: "unavailable",
      reason: "one-task",
    });
    expect(computeReliability([])).toEqual({ kind: "unavailable", reason: "no-tasks" });
  });

  test("passes and failures may change places, and shares add up", () => {
    const counts = fc
      .integer({ min: 2, max: 9 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })));
    fc.assert(
      fc.property(fc.array(counts, { minLength: 2, maxLength: 20 }), (tasks) => {
        const found = expectComputed(computeReliability(listCounts(tasks), FEW));
        const turned = expectComputed(computeReliability(listCounts(tasks.map(([n, c]) => [n, n - c])), FEW));
        const shares = [found.always, found.sometimes, found.never].map(
          (share) => expectComputed(share).count,
        );
        expect(shares.reduce((sum, count) => sum + count, 0)).toBe(tasks.length);
        expect(expectComputed(turned.always).count).toBe(expectComputed(found.never).count);
        expectClose(
          expectComputed(turned.consistency).value,
          expectComputed(found.consistency).value,
          "turned",
        );
      }),
      { numRuns: 40 },
    );
  });
});
