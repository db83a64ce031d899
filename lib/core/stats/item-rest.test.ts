import { describe, expect, test } from "vitest";

import { computeHighFence } from "./distribution";
import { expectClose } from "./expect-close.fixture";
import reference from "./reference/items.json";
import { computePairConsistency } from "./reliability";
import { computeItemRest } from "./task-items";

describe("correlation of a task with all others", () => {
  test("is SciPy's, with its interval", () => {
    let nComputed = 0;
    for (const { runs, items } of reference.tables) {
      const found = computeItemRest(runs);
      expect(found).toHaveLength(items.length);
      for (const [place, item] of items.entries()) {
        const own = found[place];
        expect([own?.n, own?.nLeftOut]).toEqual([item.n, item.leftOut]);
        expect(own?.r === null).toBe(item.r === null);
        for (const name of ["r", "low", "high"] as const) {
          const value = item[name];
          if (value === null) expect(own?.[name]).toBeNull();
          else {
            expectClose(own?.[name] ?? Number.NaN, value, `${name} of ${place}`);
            nComputed++;
          }
        }
      }
    }
    expect(nComputed).toBeGreaterThan(100);
  });

  test("says why there is none", () => {
    const same = [
      [1, 0],
      [1, 1],
      [1, 0],
    ];
    expect(computeItemRest(same)[0]).toMatchObject({ r: null, reason: "constant", n: 3 });
    expect(computeItemRest(same.slice(1))[1]).toMatchObject({ r: null, reason: "few-runs", n: 2 });
    expect(computeItemRest([])).toEqual([]);
    // Rests that differ by rounding alone are the same.
    const rounded = Array.from({ length: 5 }, (_, run) => [run % 2, 0.1, 0.2, 0.3, 0.7]);
    expect(computeItemRest(rounded)[0]).toMatchObject({ r: null, reason: "constant" });
  });

  test("leaves out runs that were stopped early", () => {
    const runs = [
      [0, 0, 0, 1],
      [1, 1, 0, 1],
      [1, 1, 1, 1],
      [1, null, null, null],
    ];
    expect(computeItemRest(runs)[0]).toMatchObject({ n: 3, nLeftOut: 1 });
  });
});

test("two attempts of one agent end alike as often as pairs are counted", () => {
  for (const { counts, chance, n } of reference.pairs) {
    const tasks = counts.map(([nAttempts = 0, c = 0]) => ({ n: nAttempts, c }));
    const found = computePairConsistency(tasks);
    expect(found?.n).toBe(n);
    expectClose(found?.value ?? Number.NaN, chance, "chance");
  }
  expect(computePairConsistency([{ n: 1, c: 1 }])).toBeNull();
});

test("the fence of costs is Tukey's of their logarithms", () => {
  for (const { costs, median, fence } of reference.fences) {
    const found = computeHighFence([...costs, 0, Number.NaN]);
    expectClose(found?.median ?? Number.NaN, median, "median");
    expectClose(found?.fence ?? Number.NaN, fence, "fence");
    expect(found?.n).toBe(costs.length);
  }
  expect(computeHighFence([1, 2, 3])).toBeNull();
});
