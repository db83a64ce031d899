import { describe, expect, test } from "vitest";

import { computePairedComparison, computePassCurve } from "@/lib/core/stats";

import { assignVariants, nameGroups, nameGroupsInFull } from "./chart-group";
import { prepareCurveChart } from "./curve-chart";
import { LABEL_GAP_PX, PLOT_HEIGHT } from "./curve-layout";
import { prepareDifferenceAxis } from "./difference-axis";
import { formatPointTick, placeOn, selectKTicks, selectRoundValues } from "./ticks";

const frame = {
  id: "c",
  title: "pass@k",
  note: "",
  measure: "passAtK",
  chosenK: null,
} as const;
const group = (id: string, identity = 1) => ({ id, label: id, identity, variant: 0 });
const tasks = (c: readonly number[], n = 5) => c.map((passed, i) => ({ task: String(i), n, c: passed }));
const level = (counts: readonly (readonly number[])[], n = 5) =>
  prepareCurveChart(
    counts.map((c, i) => ({
      group: group(`g${String(i)}`, i + 1),
      curve: computePassCurve(tasks(c, n), { resamples: 200 }),
      recorded: new Map(
        i === 0
          ? [
              [2, 0.5],
              [9, 1],
            ]
          : [],
      ),
    })),
    { ...frame, chosenK: 2 },
  );

describe("names and forms of groups", () => {
  test("names grow only as far as they must", () => {
    const base = { agent: "orca", model: "m", job: "a", key: "k", setup: "" };
    expect(nameGroups([base, { ...base, agent: "lamp" }])).toEqual(["orca", "lamp"]);
    expect(nameGroups([base, { ...base, model: "n" }])).toEqual(["orca m", "orca n"]);
    expect(nameGroups([base, { ...base, job: "b" }])).toEqual(["a", "b"]);
    expect(nameGroups([base, { ...base, job: "b" }, { ...base, agent: "lamp" }])).toEqual([
      "orca in a",
      "orca in b",
      "lamp",
    ]);
    expect(nameGroups([base, { ...base, key: "l" }])).toEqual(["a: k", "a: l"]);
    expect(
      nameGroups([
        { ...base, setup: "low" },
        { ...base, setup: "high" },
      ]),
    ).toEqual(["orca low", "orca high"]);
    const lamp = { ...base, agent: "lamp" };
    expect(nameGroups([base, lamp, { ...base, model: "n" }])).toEqual(["orca m", "lamp", "orca n"]);
  });

  test("models name the groups if names would not fit", () => {
    const long = ["claude-opus-4.8", "claude-haiku-4.5", "gpt-5.5"];
    const groups = long.map((model) => ({ agent: "claude-code", model, job: model, key: model, setup: "" }));
    expect(nameGroups(groups)).toEqual(long);
  });

  test("long names omit shared parts, are never cut, and are in full next to it", () => {
    const of = (...jobs: readonly string[]) =>
      jobs.map((job) => ({ agent: "orca", model: "m", job, key: "k", setup: "" }));
    const jobs = of("nightly-harness-2026-11-baseline", "nightly-harness-2026-11-final-r45");
    expect(nameGroups(jobs)).toEqual(
      ["11-baseline", "11-final-r45"].map((name) => expect.stringMatching(name) as string),
    );
    expect(nameGroupsInFull(jobs)).toEqual(jobs.map(({ job }) => job));
    const [whole] = nameGroups(
      of("nightly-harness-2026-of-a-rather-long-kind", "nightly-harness-2026-short"),
    );
    expect(whole).toMatch(/of-a-rather-long-kind$/u);
    // Numbers alone say nothing, and short names stay as they are.
    expect(nameGroups(of("nightly-harness-2026-11-run-1", "nightly-harness-2026-11-run-2"))).toEqual(
      ["run-1", "run-2"].map((name) => expect.stringMatching(name) as string),
    );
    expect(nameGroups(of("release-1", "release-2"))).toEqual(["release-1", "release-2"]);
  });

  test("groups of one identity get forms of their own", () => {
    const groups = [1, 2, 1, 1, 2].map((identity, at) => ({ id: "edcba".charAt(at), identity }));
    const variants = assignVariants(groups);
    expect(variants).toEqual([2, 1, 1, 0, 0]);
    // Another baseline, or any other order, leaves each its own.
    expect(assignVariants(groups.toReversed())).toEqual(variants.toReversed());
  });
});

describe("ticks", () => {
  test("round values span the range with few steps", () => {
    expect(selectRoundValues(-0.12, 0.42, 4)).toEqual([-0.2, 0, 0.2, 0.4, 0.6000000000000001]);
    expect(selectRoundValues(0, 0.09, 4).map(formatPointTick)).toEqual(["0", "+2.5", "+5", "+7.5", "+10"]);
    for (const [low, high] of [
      [-1, 1],
      [-0.003, 0.001],
      [0, 37],
      [-0.31, -0.0001],
    ] as const) {
      const values = selectRoundValues(low, high, 5);
      expect(values.length).toBeLessThanOrEqual(6);
      expect(values[0]).toBeLessThanOrEqual(low + 1e-9);
      expect(values.at(-1)).toBeGreaterThanOrEqual(high - 1e-9);
    }
  });

  test("points carry a sign and no noise", () => {
    expect([-0.1, 0, -0, 0.1 + 0.2].map(formatPointTick)).toEqual(["−10", "0", "0", "+30"]);
  });

  test("many k keep both ends", () => {
    const ks = Array.from({ length: 16 }, (_, i) => i + 1);
    expect(selectKTicks([1, 2, 3])).toEqual([1, 2, 3]);
    expect(selectKTicks(ks)).toEqual([1, 4, 7, 10, 13, 16]);
    expect(placeOn(3, { low: 3, high: 3 })).toBe(0.5);
  });
});

describe("curves", () => {
  test("points are at their values; Harbor's values too, none beyond the axis", () => {
    const chart = level([[5, 0, 2, 3]]);
    const series = chart.series[0];
    expect(series?.points.map((point) => point.at)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(series?.points[0]?.top).toBeCloseTo(1 - 0.5, 12);
    expect(series?.recorded).toEqual([{ k: 2, value: 0.5, at: 0.25, top: 0.5 }]);
    expect(chart.chosen).toEqual({ k: 2, at: 0.25 });
    expect(chart.summary).toContain("g0: 0.500 at k 1");
  });

  test("one attempt a task is a single point in the middle without a line to nowhere", () => {
    const chart = level([[1, 0, 1]], 1);
    expect(chart.series[0]?.points.map((point) => point.at)).toEqual([0.5]);
    expect(chart.series[0]?.runs.map((run) => run.length)).toEqual([1]);
    expect(chart.xTicks.map((tick) => tick.label)).toEqual(["1"]);
  });

  test("where no band can be given the band stops instead of closing to nothing", () => {
    const uneven = [
      { task: "a", n: 4, c: 2 },
      { task: "b", n: 2, c: 1 },
      { task: "c", n: 2, c: 0 },
    ];
    const chart = prepareCurveChart(
      [{ group: group("g"), curve: computePassCurve(uneven, { resamples: 100 }), recorded: new Map() }],
      frame,
    );
    expect(chart.series[0]?.points.map((point) => point.band !== null)).toEqual([true, true, false, false]);
    expect(chart.series[0]?.points.map((point) => point.nTasks)).toEqual([3, 3, 1, 1]);
    expect(chart.series[0]?.runs.map((run) => run.length)).toEqual([2]);
  });

  test("labels of six equal curves do not overlap and stay in the plot", () => {
    const tops = level([
      [5, 5],
      [5, 5],
      [5, 5],
      [5, 5],
      [5, 5],
      [5, 5],
    ]).endLabels.map((label) => label.top);
    tops
      .slice(1)
      .forEach((top, i) => expect((top - (tops[i] ?? 0)) * PLOT_HEIGHT).toBeGreaterThan(LABEL_GAP_PX - 0.01));
    expect(Math.max(...tops)).toBeLessThanOrEqual(1);
    const low = level([
      [0, 0],
      [0, 0],
      [0, 0],
    ]).endLabels.map((label) => label.top);
    expect(Math.max(...low)).toBe(1);
  });

  test("a curve that ends early says at which k its label is", () => {
    const input = (id: string, n: number) => ({
      group: group(id),
      curve: computePassCurve(tasks([1, 0, 2], n), { resamples: 50 }),
      recorded: new Map<number, number>(),
    });
    const chart = prepareCurveChart([input("a", 3), input("b", 2)], frame);
    expect(chart.endLabels.find(({ group: { id } }) => id === "b")?.value).toMatch(/ at 2$/);
    expect(chart.endLabels.find(({ group: { id } }) => id === "a")?.value).not.toContain("at");
  });

  test("a group without tasks has no series and the others stay", () => {
    const curve = computePassCurve([]);
    const chart = prepareCurveChart([{ group: group("g"), curve, recorded: new Map() }], frame);
    expect(chart.series).toEqual([]);
    expect(chart.yTicks).toHaveLength(5);
  });
});

test("the axis under a verdict holds the interval, 0 and what cannot be detected", () => {
  const values = (c: readonly number[]) =>
    c.map((passed, i) => ({
      task: String(i),
      values: Array.from({ length: 5 }, (_, a) => (a < passed ? 1 : 0)),
    }));
  const comparison = computePairedComparison(values([5, 4, 5, 3, 4, 2]), values([2, 3, 3, 3, 1, 1]), {
    missing: "zero",
  });
  if (comparison.kind === "unavailable") throw new Error(comparison.reason);
  const axis = prepareDifferenceAxis(comparison);
  const { at, beyond, line } = axis.interval;
  expect(beyond).toBeNull();
  const places = [
    at,
    line?.from ?? -1,
    line?.to ?? -1,
    axis.undetectable?.low ?? -1,
    axis.undetectable?.high ?? -1,
  ];
  for (const place of places) {
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThanOrEqual(1);
  }
  expect(axis.ticks.some((tick) => tick.label === "0")).toBe(true);
});
