import { expect, test } from "vitest";

import { prepareSpendingCharts, type SpendingPoint } from "./spending-chart";

function point(
  name: string,
  score: number,
  spent: number | null,
  more: Partial<SpendingPoint> = {},
): SpendingPoint {
  return {
    group: { id: name, label: name, identity: 1, variant: 0 },
    name,
    score: { value: score, low: score - 0.1, high: score + 0.1 },
    spent: spent === null ? null : { value: spent, low: spent * 0.9, high: spent * 1.1 },
    isDominated: false,
    curve: [],
    title: name,
    ...more,
  };
}

test("both axes begin at 0, and a point is at its values", () => {
  const [chart] = prepareSpendingCharts([point("a", 0.5, 1), point("b", 0.75, 4)], "cost", []);
  expect([chart?.xTicks[0]?.value, chart?.yTicks[0]?.value, chart?.yTicks.at(-1)?.value]).toEqual([0, 0, 1]);
  const end = chart?.xTicks.at(-1)?.value ?? Number.NaN;
  expect(chart?.points.map(({ x, y }) => [x.at, y.at])).toEqual([
    [1 / end, 0.5],
    [4 / end, 0.75],
  ]);
  expect(chart?.points[1]?.y.line).toEqual({ from: 0.65, to: 0.85 });
});

test("a cost below 0, which no attempt has, is drawn inside the axes as recorded", () => {
  const [chart] = prepareSpendingCharts([point("a", 0.5, -1), point("b", 0.75, 4)], "cost", []);
  expect(chart?.xTicks[0]?.value).toBeLessThanOrEqual(-1);
  for (const { x } of chart?.points ?? []) {
    expect(x.at).toBeGreaterThanOrEqual(0);
    expect(x.at).toBeLessThanOrEqual(1);
  }
});

test("the line of the best leaves beaten groups out, and unknown ones have no place", () => {
  const groups = [
    point("dear", 0.9, 4),
    point("beaten", 0.3, 3, { isDominated: true }),
    point("cheap", 0.4, 1),
    point("?", 1, null),
  ];
  const [chart] = prepareSpendingCharts(groups, "cost", []);
  expect(chart?.points.map(({ name, isFaint }) => [name, isFaint])).toEqual([
    ["dear", false],
    ["beaten", true],
    ["cheap", false],
  ]);
  const [line] = chart?.lines ?? [];
  expect(line?.kind).toBe("steps");
  expect(line?.corners.map(({ up }) => up)).toEqual([0.4, 0.9]);
});

test("a sweep connects its groups in the order of effort", () => {
  const groups = [point("high", 0.9, 4), point("low", 0.4, 1), point("medium", 0.6, 2)];
  const lines = prepareSpendingCharts(groups, "cost", [[1, 2, 0]])[0]?.lines ?? [];
  const sweep = lines.find(({ kind }) => kind === "sweep");
  expect(sweep?.corners.map(({ up }) => up)).toEqual([0.4, 0.6, 0.9]);
});

test("a budget of k attempts is k times the mean of one", () => {
  const curve = [1, 2, 4].map((k) => ({ k, value: k / 4 }));
  const [, budget] = prepareSpendingCharts([point("a", 0.25, 60_000, { curve })], "time", []);
  const end = budget?.xTicks.at(-1)?.value ?? Number.NaN;
  // Minutes.
  expect(budget?.xTitle).toContain("minutes");
  expect(budget?.points.map(({ x }) => x.at * end)).toEqual([1, 2, 4]);
});

test("nothing is drawn if no file records what an attempt spends", () => {
  expect(prepareSpendingCharts([point("a", 1, null)], "tokens", [])).toEqual([]);
});

/** Boxes of all names in pixels of the plot, generously. */
function listBoxes(chart: ReturnType<typeof prepareSpendingCharts>[number] | undefined) {
  return (chart?.points ?? []).flatMap(({ name, x, y, label }) => {
    if (label === null) return [];
    const width = name.length * 6;
    const start = x.at * 420 + label.dx;
    const left = label.anchor === "start" ? start : start - (label.anchor === "end" ? width : width / 2);
    return [{ left, right: left + width, base: (1 - y.at) * 240 + label.dy }];
  });
}

function countMeetings(boxes: ReturnType<typeof listBoxes>): number {
  const meet = (a: (typeof boxes)[number], b: (typeof boxes)[number]) =>
    Math.abs(a.base - b.base) < 11 && a.left < b.right && b.left < a.right;
  return boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => meet(a, b))).length;
}

test("names never lie on one another, nor outside the plot", () => {
  const groups = Array.from({ length: 24 }, (_, at) =>
    point(`group number ${at}`, 0.5 + at / 500, 1 + at / 100),
  );
  const boxes = listBoxes(prepareSpendingCharts(groups, "cost", [])[0]);
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.length).toBeLessThan(12);
  expect(countMeetings(boxes)).toBe(0);
  const alone = prepareSpendingCharts(groups.slice(0, 1), "cost", [])[0]?.points ?? [];
  expect(alone.map(({ label }) => label?.anchor)).toEqual(["end"]);
});

test("every line of a budget has its name once, also where lines end at the edge close to one another", () => {
  const groups = Array.from({ length: 6 }, (_, at) =>
    point(`agent ${at}`, 0.5, 1 + at / 50, {
      curve: [1, 2, 3].map((k) => ({ k, value: 0.4 + k / 10 + at / 25 })),
    }),
  );
  const [, budget] = prepareSpendingCharts(groups, "cost", []);
  const named = budget?.points.flatMap(({ name, label }) => (label === null ? [] : [name])) ?? [];
  expect(named.toSorted()).toEqual(groups.map(({ name }) => name));
  expect(countMeetings(listBoxes(budget))).toBe(0);
});

test("a name stays off the lines of others where another place is free", () => {
  const flat = (name: string, value: number) =>
    point(name, value, 1, { curve: [1, 4].map((k) => ({ k, value })) });
  // The upper line runs where the name of the lower one would be placed first.
  const [, budget] = prepareSpendingCharts([flat("under", 0.5), flat("over", 0.54)], "cost", []);
  const under = budget?.points.find(({ name, label }) => name === "under" && label !== null);
  expect(under?.label?.dy).toBeGreaterThan(0);
});
