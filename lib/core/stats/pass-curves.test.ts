import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { computeMeanInterval } from "./mean-interval";
import {
  type PassCurve,
  computePassAtK,
  computePassCurve,
  computePassDifference,
  computePassHatK,
  countSuccesses,
  selectKs,
} from "./pass-curves";
import { createRandomSource, createXoshiro128 } from "./random";
import type { Unavailable } from "./unavailable";

function expectComputed(curve: PassCurve | Unavailable): PassCurve {
  if (curve.kind === "unavailable") throw new Error(curve.reason);
  return curve;
}

/** Shares of all k-subsets of the attempts in which one passes, and in which all pass. */
function countSubsets(n: number, c: number, k: number): { any: number; all: number } {
  let total = 0;
  let any = 0;
  let all = 0;
  for (let subset = 0; subset < 2 ** n; subset++) {
    const drawn = Array.from({ length: n }, (_, i) => i).filter((i) => (subset >> i) % 2 === 1);
    if (drawn.length !== k) continue;
    const passed = drawn.filter((i) => i < c).length;
    total++;
    if (passed > 0) any++;
    if (passed === k) all++;
  }
  return { any: any / total, all: all / total };
}

describe("one task", () => {
  test("both figures equal counting every subset, and k beyond n has none", () => {
    for (let n = 1; n <= 7; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) {
          const { any, all } = countSubsets(n, c, k);
          expect(computePassAtK(n, c, k)).toBeCloseTo(any, 14);
          expect(computePassHatK(n, c, k)).toBeCloseTo(all, 14);
        }
        expect(computePassAtK(n, c, n + 1)).toBeNull();
        expect(computePassHatK(n, c, n + 1)).toBeNull();
      }
    }
  });

  test("pass@k grows with k, pass^k falls", () => {
    const task = fc
      .integer({ min: 2, max: 200 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n - 1 })));
    fc.assert(
      fc.property(task, ([n, c, k]) => {
        expect((computePassAtK(n, c, k + 1) ?? 0) - (computePassAtK(n, c, k) ?? 0)).toBeGreaterThanOrEqual(
          -1e-12,
        );
        expect((computePassHatK(n, c, k + 1) ?? 0) - (computePassHatK(n, c, k) ?? 0)).toBeLessThanOrEqual(
          1e-12,
        );
      }),
    );
  });

  test("successes are counted at the threshold; a missing value never passes", () => {
    const tasks = [
      { task: "a", values: [1, 0.5, 0.49, null] },
      { task: "b", values: [null] },
    ];
    expect(countSuccesses(tasks, { threshold: 0.5, missing: "zero" })).toEqual([
      { task: "a", n: 4, c: 2 },
      { task: "b", n: 1, c: 0 },
    ]);
    expect(countSuccesses(tasks, { threshold: 0, missing: "zero" })[1]).toEqual({ task: "b", n: 1, c: 0 });
    expect(countSuccesses(tasks, { threshold: 0.5, missing: "exclude" })).toEqual([
      { task: "a", n: 3, c: 2 },
    ]);
  });
});

describe("curves", () => {
  const tasks = [
    { task: "a", n: 5, c: 3 },
    { task: "b", n: 3, c: 0 },
    { task: "c", n: 5, c: 1 },
  ];

  test("each k averages the tasks that have as many attempts", () => {
    const curve = expectComputed(computePassCurve(tasks, { resamples: 200 }));
    expect(curve.points.map((point) => point.nTasks)).toEqual([3, 3, 3, 2, 2]);
    expect(curve.points[0]?.passAtK.value).toBeCloseTo((0.6 + 0 + 0.2) / 3, 14);
    expect(curve.points[4]?.passAtK.value).toBe(1);
    expect(curve.points[3]?.passAtK.value).toBeCloseTo((1 + 0.8) / 2, 14);
  });

  test("the same seed draws the same band, another seed another", () => {
    const varied = Array.from({ length: 30 }, (_, i) => ({ task: String(i), n: 5, c: (i * 7) % 6 }));
    const draw = (seed: number) => expectComputed(computePassCurve(varied, { seed, resamples: 300 })).points;
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  test("the band of pass@1 nears the normal one where there are many tasks", () => {
    const many = Array.from({ length: 400 }, (_, i) => ({ task: String(i), n: 1, c: i % 4 === 0 ? 0 : 1 }));
    const band = expectComputed(computePassCurve(many)).points[0]?.passAtK.band;
    if (band?.kind !== "computed") throw new Error("no band");
    const half = 1.96 * Math.sqrt((0.75 * 0.25) / 400);
    expect(Math.abs(band.low - (0.75 - half))).toBeLessThan(0.004);
    expect(Math.abs(band.high - (0.75 + half))).toBeLessThan(0.004);
  });

  test("near an end the band is that of a mean with few passes: resampling would know of the few tasks alone", () => {
    const one = (passes: number) =>
      Array.from({ length: 30 }, (_, i) => ({ task: String(i), n: 1, c: i < passes ? 1 : 0 }));
    for (const passes of [1, 3, 27, 29]) {
      const band = expectComputed(computePassCurve(one(passes), { resamples: 200 })).points[0]?.passAtK.band;
      const values = one(passes).map(({ task, c }) => ({ task, values: [c] }));
      const mean = computeMeanInterval(values, { missing: "zero" });
      if (mean.kind === "unavailable" || mean.bounds.kind === "unavailable") throw new Error("no interval");
      expect(mean.bounds.method).toBe("cluster-wilson");
      expect(band).toMatchObject({ method: "cluster-wilson", kind: "computed" });
      expect(band).toHaveProperty("low", expect.closeTo(mean.bounds.low, 12));
      expect(band).toHaveProperty("high", expect.closeTo(mean.bounds.high, 12));
    }
    // One failure of 150 attempts is no more certain than none on 30 tasks.
    const nearly = one(30).map((task, i) => ({ ...task, n: 5, c: i === 0 ? 4 : 5 }));
    const [first] = expectComputed(computePassCurve(nearly, { resamples: 200 })).points;
    expect(first?.passAtK.band).toHaveProperty("low", expect.closeTo(0.05 ** (1 / 30), 12));
    const half = one(15).map((task, i) => ({ ...task, n: 2, c: i < 15 ? 1 : 0 }));
    expect(expectComputed(computePassCurve(half)).points[0]?.passAtK.band).toMatchObject({
      method: "cluster-t",
    });
  });

  test("at k = 1 a curve is a mean and has its interval, for any passes", () => {
    const task = fc.integer({ min: 1, max: 6 }).chain((n) => fc.record({ n: fc.constant(n), c: fc.nat(n) }));
    fc.assert(
      fc.property(fc.array(task, { minLength: 2, maxLength: 30 }), (drawn) => {
        const counts = drawn.map((one, index) => ({ task: String(index), ...one }));
        const values = counts.map(({ task: name, n, c }) => ({
          task: name,
          values: Array.from({ length: n }, (_, i) => (i < c ? 1 : 0)),
        }));
        const mean = computeMeanInterval(values, { missing: "zero" });
        if (mean.kind === "unavailable" || mean.macroBounds.kind === "unavailable")
          throw new Error("no mean");
        const [point] = expectComputed(computePassCurve(counts, { resamples: 10 })).points;
        const { low, high } = mean.macroBounds;
        expect(point?.passAtK).toMatchObject({ value: mean.macroMean, band: { low, high } });
        expect(point?.passHatK).toEqual(point?.passAtK);
      }),
    );
  });

  test("agreement of all tasks gives an exact bound, a single task none", () => {
    const solved = Array.from({ length: 10 }, (_, i) => ({ task: String(i), n: 2, c: 2 }));
    const band = expectComputed(computePassCurve(solved)).points[0]?.passAtK.band;
    expect(band).toMatchObject({ high: 1, method: "one-sided" });
    expect(band?.kind === "computed" && band.low ** 10).toBeCloseTo(0.05, 12);
    expect(expectComputed(computePassCurve(tasks.slice(0, 1))).points[0]?.passAtK.band).toEqual({
      kind: "unavailable",
      reason: "one-task",
    });
    expect(computePassCurve([])).toEqual({ kind: "unavailable", reason: "no-tasks" });
  });
});

test("long curves are thinned between their ends", () => {
  expect(selectKs(5)).toEqual([1, 2, 3, 4, 5]);
  const ks = selectKs(101);
  expect(ks.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  expect(ks.slice(-3)).toEqual([80, 96, 101]);
  const curve = expectComputed(computePassCurve([{ task: "a", n: 101, c: 7 }], { resamples: 10 }));
  expect(curve.points.map((point) => point.k)).toEqual(ks);
  expect(curve.points.at(-1)?.passAtK.value).toBe(1);
});

describe("differences", () => {
  test("few tasks that differ: Agresti and Min's interval, half a pair more in each cell", () => {
    const [n, won, lost] = [20, 4, 1];
    const first = Array.from({ length: n }, (_, i) => ({ task: String(i), n: 1, c: i < won ? 1 : 0 }));
    const second = Array.from({ length: n }, (_, i) => ({ task: String(i), n: 1, c: i === won ? 1 : 0 }));
    const band = expectComputed(computePassDifference(first, second, { resamples: 200 })).points[0]?.passAtK
      .band;
    const [b, c] = [(won + 0.5) / (n + 2), (lost + 0.5) / (n + 2)];
    // 2.0930 is the 0.975 quantile of t with 19 degrees of freedom.
    const half = 2.093024 * Math.sqrt((b + c - (b - c) ** 2) / (n + 2));
    expect(band).toMatchObject({ kind: "computed", method: "agresti-min" });
    expect(band).toHaveProperty("low", expect.closeTo(b - c - half, 6));
    expect(band).toHaveProperty("high", expect.closeTo(b - c + half, 6));
  });

  test("are taken over common tasks and up to the attempts both sides have", () => {
    const curve = expectComputed(
      computePassDifference(
        [
          { task: "a", n: 5, c: 5 },
          { task: "b", n: 2, c: 1 },
          { task: "x", n: 9, c: 9 },
        ],
        [
          { task: "b", n: 4, c: 1 },
          { task: "a", n: 3, c: 0 },
        ],
      ),
    );
    expect(curve.nTasks).toBe(2);
    expect(curve.points.map((point) => point.nTasks)).toEqual([2, 2, 1]);
    expect(curve.points[0]?.passAtK.value).toBeCloseTo((1 + (0.5 - 0.25)) / 2, 14);
  });

  test("pairing narrows the band when tasks are alike on both sides", () => {
    const first = Array.from({ length: 40 }, (_, i) => ({ task: String(i), n: 5, c: i % 6 }));
    const second = first.map((task) => ({ ...task, c: Math.max(0, task.c - (Number(task.task) % 2)) }));
    const width = (curve: PassCurve) => {
      const band = curve.points[0]?.passAtK.band;
      return band?.kind === "computed" ? band.high - band.low : Number.NaN;
    };
    const paired = width(expectComputed(computePassDifference(first, second)));
    expect(paired).toBeLessThan(width(expectComputed(computePassCurve(first))) / 2);
  });

  test("no difference on any task bounds both directions; no common task is said", () => {
    const tasks = Array.from({ length: 12 }, (_, i) => ({ task: String(i), n: 2, c: i % 3 }));
    const band = expectComputed(computePassDifference(tasks, tasks)).points[0]?.passAtK.band;
    const reach = 1 - 0.05 ** (1 / 12);
    expect(band).toEqual({ kind: "computed", low: -reach, high: reach, method: "exact-bound" });
    expect(computePassDifference(tasks, [{ task: "z", n: 1, c: 1 }])).toEqual({
      kind: "unavailable",
      reason: "no-common-tasks",
    });
  });
});

test("xoshiro128** gives the published sequence", () => {
  const random = createXoshiro128([1, 2, 3, 4]);
  const drawn = Array.from({ length: 10 }, random.nextUint32);
  expect(drawn).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ]);
  expect(createRandomSource(1).nextUint32()).not.toBe(createRandomSource(2).nextUint32());
});
