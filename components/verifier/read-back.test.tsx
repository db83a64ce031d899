import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import {
  type DrawnElement,
  findByClass,
  parseMarkup,
  placeElements,
} from "@/components/charts/drawn-svg.fixture";
import { PlaneFigure } from "@/components/charts/plane-figure";
import { preparePlanChart } from "@/lib/core/charts/plan-chart";
import { planLabels } from "@/lib/core/stats";

import { ScorePlot } from "./verifier-parts";

/** Plots place to thousandths of their width. */
const DIGITS = 2;
const HEIGHT = 20;

/** A plot as wide as it says that it is. */
function read(element: ReactElement) {
  const markup = renderToStaticMarkup(element);
  const width = Number(/<svg[^>]* width="(\d+)"/.exec(markup)?.[1]);
  const root = parseMarkup(markup);
  const marks = placeElements(root, { width, height: HEIGHT });
  const places = (one: DrawnElement) => marks.get(one)?.places ?? [];
  return { root, marks, places, width };
}

const CASES = [
  { observed: 0.561, value: 0.6, low: 0.539, high: 0.661 },
  { observed: 0, value: 0, low: 0, high: 0.12 },
  { observed: 1, value: 0.97, low: 0.8, high: 1 },
];

test.each(CASES)("both scores and the interval are drawn at their values: $value", (drawn) => {
  const agent = { agent: "orca", model: null, identity: 1 };
  const { root, marks, places, width } = read(
    <ScorePlot row={{ agent, drawn: { ...drawn, summary: "" } }} />,
  );
  const [corrected, recorded] = findByClass(root, "agent-shape").map(
    (shape) => marks.get(shape)?.toPixels({ x: 6, y: 6 }).x,
  );
  expect((corrected ?? -1) / width).toBeCloseTo(drawn.value, DIGITS);
  expect((recorded ?? -1) / width).toBeCloseTo(drawn.observed, DIGITS);
  const caps = findByClass(root, "strip-cap").map((cap) => (places(cap)[0]?.x ?? -1) / width);
  expect(Math.min(...caps)).toBeCloseTo(drawn.low, DIGITS);
  expect(Math.max(...caps)).toBeCloseTo(drawn.high, DIGITS);
});

test("a score that is refused is not drawn", () => {
  const { root } = read(<ScorePlot row={{ agent: null, drawn: null }} />);
  expect(findByClass(root, "agent-shape")).toEqual([]);
});

test("the planner's curve has every half width at its height, and says those that it names", () => {
  const labels = { bothPassed: 18, onlyVerifierPassed: 3, onlyHumanPassed: 5, bothFailed: 19 };
  const budgets = Array.from({ length: 61 }, (_, n) => n);
  const plan = planLabels([{ agent: "a", nPassed: 552, nFailed: 132, labels }], {
    isAcrossAgents: false,
    budgets,
    next: 20,
  });
  if (plan.kind === "unavailable") throw new Error("no plan");
  const chart = preparePlanChart(plan);
  if (chart === null) throw new Error("no chart");
  const markup = renderToStaticMarkup(<PlaneFigure chart={chart} />);
  const figure = parseMarkup(markup);
  const [svg] = findByClass(figure, "plot");
  if (svg === undefined) throw new Error("nothing is drawn");
  const marks = placeElements({ ...figure, children: [svg] }, { width: 364, height: 240 });
  const find = (name: string) => findByClass(svg, name).map((one) => [one, marks.get(one)?.places] as const);
  const drawn = find("plane-series").flatMap(([, places]) => places ?? []);
  // The axis by its two outer numbers.
  const ticks = find("plot-y-tick").map(([{ text }, places]) => ({
    y: (places?.[0]?.y ?? NaN) - 4,
    value: Number(text),
  }));
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined) throw new Error("no axis");
  const readBack = (y: number) =>
    first.value + ((y - first.y) / (last.y - first.y)) * (last.value - first.value);
  expect(drawn).toHaveLength(61);
  for (const [at, { halfWidth }] of plan.points.entries())
    expect(readBack(drawn[at]?.y ?? -1)).toBeCloseTo((halfWidth ?? -1) * 100, 1);
  const after = plan.points[20]?.halfWidth ?? -1;
  expect(markup).toContain(`${(after * 100).toFixed(1)} points after 20 more labels`);
  expect(markup).toContain(`>${(after * 100).toFixed(1)}</text>`);
});
