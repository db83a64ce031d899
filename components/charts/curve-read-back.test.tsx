import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, describe, expect, test } from "vitest";

import { type CurveChart, type CurveInput, prepareDifferenceChart } from "@/lib/charts/curve-chart";
import { prepareLevelChart, selectDifferenceScale } from "@/lib/charts/curve-chart";
import { formatCurvesCsv } from "@/lib/charts/curve-csv";
import { formatCurvesSvg } from "@/lib/charts/curve-svg";
import type { CurveValue, PassCurve } from "@/lib/stats";
import { planRuns } from "@/lib/testing/plan-runs";

import { CurveFigure } from "./curve-figure";
import {
  type DrawnElement,
  type DrawnPlace,
  findByClass,
  parseMarkup,
  placeElements,
} from "./drawn-svg.fixture";
import { PRINT_FORMS } from "./print-forms";

/** A tenth of a pixel: finer than any screen, and coarser than the decimals of a place. */
const TOLERANCE = 0.1;

/** A value with its interval, as read from a drawing or from a table, in the units of the axis. */
interface Reading {
  readonly k: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

interface ReadSeries {
  readonly points: readonly Reading[];
  readonly recorded: readonly { readonly k: number; readonly value: number }[];
}

let nRead = 0;
afterAll(() => {
  process.stdout.write(`${nRead.toLocaleString("en-US")} marks and ends of intervals read back\n`);
});

/** Pixels to values and back by what is written at two ticks; every other tick must agree. */
function readAxis(ticks: readonly { readonly label: number; readonly pixel: number }[]) {
  const sorted = ticks.toSorted((a, b) => a.label - b.label);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const step = (last.pixel - first.pixel) / (last.label - first.label);
  for (const { label, pixel } of sorted) {
    expect(Math.abs(first.pixel + (label - first.label) * step - pixel)).toBeLessThan(TOLERANCE);
  }
  return {
    toValue: (pixel: number) => first.label + (pixel - first.pixel) / step,
    tolerance: Math.abs(TOLERANCE / step),
  };
}

function readTick(text: string, kind: CurveChart["kind"]): number {
  const number = Number(text.replace("−", "-"));
  return kind === "difference" ? number / 100 : number;
}

/** What a panel shows, from nothing but its markup. */
function readPanel(plot: DrawnElement, kind: CurveChart["kind"], size: { width: number; height: number }) {
  const marks = placeElements({ ...plot, children: [plot] }, size);
  const placesOf = (element: DrawnElement) => marks.get(element)?.places ?? [];
  const placeOf = (element: DrawnElement): DrawnPlace => placesOf(element)[0] ?? { x: NaN, y: NaN };
  const lines = [...findByClass(plot, "curve-grid"), ...findByClass(plot, "curve-axis")].map(
    (line) => placeOf(line).y,
  );
  const yTicks = findByClass(plot, "curve-y-tick").map((tick) => {
    // The number stands at its line.
    const { y } = placeOf(tick);
    const line = lines.find((one) => Math.abs(one + 4 - y) < TOLERANCE);
    expect(line).toBeDefined();
    return { label: readTick(tick.text, kind), pixel: line ?? NaN };
  });
  const xTicks = findByClass(plot, "curve-x-tick").map((tick) => ({
    label: Number(tick.text),
    pixel: placeOf(tick).x,
  }));
  const y = readAxis(yTicks);
  const x = readAxis(xTicks);
  if (y === null) throw new Error("no axis to read values at");
  const toK = (pixel: number) => {
    // A single k is no scale: groups stand beside one another there.
    if (x === null) return xTicks[0]?.label ?? NaN;
    const k = Math.round(x.toValue(pixel));
    expect(Math.abs(x.toValue(pixel) - k)).toBeLessThan(x.tolerance);
    return k;
  };
  const groups = findByClass(plot, "curve-series");
  const nSeries = findByClass(plot, "curve-line").length;
  const series = Array.from({ length: nSeries }, (_, index): ReadSeries => {
    // The page draws the lines of all series and then their marks.
    const own =
      groups.length === nSeries ? groups.slice(index, index + 1) : [groups[index], groups[index + nSeries]];
    const find = (name: string) =>
      own.flatMap((group) => (group === undefined ? [] : findByClass(group, name)));
    const intervals = [...find("curve-band"), ...find("curve-whisker")].flatMap((element) => {
      const corners = placesOf(element);
      const half = corners.length / 2;
      return corners.slice(0, half).map((corner, at) => {
        const other = corners[corners.length - 1 - at] ?? corner;
        expect(Math.abs(corner.x - other.x)).toBeLessThan(TOLERANCE);
        const ends = [y.toValue(corner.y), y.toValue(other.y)].toSorted((a, b) => a - b);
        return { k: toK(corner.x), low: ends[0] ?? NaN, high: ends[1] ?? NaN };
      });
    });
    const points = find("curve-point").map((element) => {
      const glyph = element.name === "g" ? element : findByClass(element, "group-shape")[0];
      const { x: px, y: py } = marks.get(glyph ?? element)?.toPixels({ x: 6, y: 6 }) ?? { x: NaN, y: NaN };
      const at = intervals.filter(({ k }) => k === toK(px));
      expect(at.length).toBeLessThanOrEqual(1);
      nRead += 1 + 2 * at.length;
      return { k: toK(px), value: y.toValue(py), low: at[0]?.low ?? null, high: at[0]?.high ?? null };
    });
    // Every interval belongs to a mark, and the line passes through all of them.
    expect(points.filter(({ low }) => low !== null)).toHaveLength(intervals.length);
    const corners = find("curve-line").flatMap(placesOf);
    expect(corners.map((corner) => toK(corner.x))).toEqual(points.map(({ k }) => k));
    corners.forEach((corner, at) => {
      expect(Math.abs(y.toValue(corner.y) - (points[at]?.value ?? NaN))).toBeLessThan(y.tolerance);
    });
    const recorded = find("curve-recorded").map((element) => ({
      k: toK(placeOf(element).x),
      value: y.toValue(placeOf(element).y),
    }));
    nRead += recorded.length;
    return { points, recorded };
  });
  return { series, tolerance: y.tolerance };
}

/** The rows of a measure in the CSV file, by curve. */
function readTable(inputs: readonly CurveInput[], measure: string): readonly (readonly Reading[])[] {
  const rules = { key: "reward", threshold: 1, missing: "zero", tasks: "own" };
  return inputs.map((input) => {
    const rows = formatCurvesCsv([{ ...input, job: "j", group: "g", versus: null }], rules)
      .trim()
      .split("\r\n")
      .map((row) => row.split(","));
    const column = (name: string) => rows[0]?.indexOf(name) ?? -1;
    const number = (text: string | undefined) => (text === "" || text === undefined ? null : Number(text));
    return rows
      .slice(1)
      .filter((row) => row[column("measure")] === measure)
      .map((row) => ({
        k: Number(row[column("k")]),
        value: Number(row[column("value")]),
        low: number(row[column("low")]),
        high: number(row[column("high")]),
      }));
  });
}

function expectEqual(
  read: ReturnType<typeof readPanel>,
  inputs: readonly CurveInput[],
  measure: string,
): void {
  const expected = readTable(inputs, measure).filter((rows) => rows.length > 0);
  expect(read.series.map(({ points }) => points.length)).toEqual(expected.map((rows) => rows.length));
  const near = (a: number | null, b: number | null) =>
    a === null || b === null ? a === b : Math.abs(a - b) <= read.tolerance;
  read.series.forEach(({ points }, index) => {
    points.forEach((point, at) => {
      const row = expected[index]?.[at] ?? { k: NaN, value: NaN, low: null, high: null };
      const isEqual =
        point.k === row.k &&
        near(point.value, row.value) &&
        near(point.low, row.low) &&
        near(point.high, row.high);
      if (!isEqual) expect(point).toEqual(row);
    });
  });
}

const limit = (value: number, low: number) => Math.min(1, Math.max(low, value));
const unknown = { kind: "unavailable", reason: "one-task" } as const;

/** Values all over the scale and at its ends, with intervals of any width, of none, and missing ones. */
function anyValue(low: -1 | 0): fc.Arbitrary<CurveValue> {
  const value = fc.oneof(
    fc.constantFrom(low, 0, 1, low / 2, 0.5),
    fc.double({ min: low, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 0.004, noNaN: true }),
  );
  const reach = fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 2, noNaN: true }),
    fc.double({ min: 0, max: 1e-3, noNaN: true }),
  );
  return fc
    .record({ value, below: reach, above: reach, isKnown: fc.integer({ min: 0, max: 4 }) })
    .map(({ value: at, below, above, isKnown }): CurveValue => ({
      value: at,
      band:
        isKnown === 0
          ? unknown
          : {
              kind: "computed",
              low: limit(at - below, low),
              high: limit(at + above, low),
              method: "percentile-bootstrap",
            },
    }));
}

function anyCurve(low: -1 | 0): fc.Arbitrary<PassCurve> {
  const ks = fc.oneof(
    fc.constant([1]),
    fc.integer({ min: 2, max: 16 }).map((count) => Array.from({ length: count }, (_, index) => index + 1)),
    fc.constant([1, 2, 3, 4, 6, 8, 12, 17, 32]),
  );
  return ks
    .chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.array(fc.tuple(anyValue(low), anyValue(low)), { minLength: all.length, maxLength: all.length }),
      ),
    )
    .map(([all, values]) => ({
      kind: "computed",
      estimand: "new-tasks",
      nTasks: 9,
      points: all.map((k, index) => {
        const [passAtK, passHatK] = values[index] ?? [
          { value: 0, band: unknown },
          { value: 0, band: unknown },
        ];
        return { k, nTasks: 9, passAtK, passHatK };
      }),
      level: 0.95,
      nComparisons: 1,
      resamples: 1,
      seed: 1,
      generator: "none",
    }));
}

const anyRecorded = fc
  .array(fc.tuple(fc.integer({ min: -1, max: 40 }), fc.double({ min: -0.5, max: 1.5, noNaN: true })), {
    maxLength: 4,
  })
  .map((entries) => new Map(entries));

const anyGroups = (low: -1 | 0, most: number) =>
  fc
    .array(fc.tuple(anyCurve(low), anyRecorded, fc.integer({ min: 0, max: 6 }), fc.nat(5)), {
      minLength: 1,
      maxLength: most,
    })
    .map((all) =>
      all.map(([curve, recorded, identity, variant], index): CurveInput => ({
        group: {
          id: `g${index}`,
          label: `agent-${"x".repeat(index * 9)} of job ${index}`,
          identity,
          variant,
        },
        curve,
        recorded: low === 0 ? recorded : new Map(),
      })),
    );

/** A chart as the page and as the file draw it. */
function readBoth(chart: CurveChart, width: number, room: number) {
  const page = parseMarkup(renderToStaticMarkup(<CurveFigure chart={chart} room={room} />));
  const file = parseMarkup(formatCurvesSvg([chart], { title: "t", caption: "c" }, PRINT_FORMS));
  const [svg] = findByClass(page, "curve-svg");
  const [plot] = findByClass(file, "curve-plot");
  if (svg === undefined || plot === undefined) throw new Error("nothing is drawn");
  return [
    readPanel(svg, chart.kind, { width, height: 188 }),
    readPanel(plot, chart.kind, { width: 1, height: 1 }),
  ];
}

const words = { id: "c", title: "pass@k", note: "" };
const anySize = fc.record({
  width: fc.integer({ min: 90, max: 900 }),
  room: fc.integer({ min: 0, max: 220 }),
});
const plan = planRuns({ short: 60, long: 1500 });

describe("what is drawn is what the table says", () => {
  test("levels: every mark, both ends of every interval, every ring", () => {
    const isOn = ([k, value]: readonly [number, number], maxK: number) =>
      k >= 1 && k <= maxK && value >= 0 && value <= 1;
    fc.assert(
      fc.property(
        anyGroups(0, 6),
        fc.constantFrom("passAtK", "passHatK"),
        anySize,
        (inputs, measure, { width, room }) => {
          const chart = prepareLevelChart(inputs, measure, null, words);
          const maxK = Math.max(
            ...inputs.flatMap(({ curve }) =>
              curve.kind === "computed" ? curve.points.map(({ k }) => k) : [],
            ),
          );
          for (const read of readBoth(chart, width, room)) {
            expectEqual(read, inputs, measure === "passAtK" ? "pass@k" : "pass^k");
            read.series.forEach(({ recorded }, index) => {
              const stated = [...(inputs[index]?.recorded ?? [])].filter((entry) => isOn(entry, maxK));
              expect(recorded.map(({ k }) => k)).toEqual(stated.map(([k]) => k));
              recorded.forEach(({ value }, at) =>
                expect(Math.abs(value - (stated[at]?.[1] ?? NaN))).toBeLessThan(read.tolerance),
              );
            });
          }
        },
      ),
      plan,
    );
  });

  test("differences: the same over an axis of any width around 0", () => {
    fc.assert(
      fc.property(
        anyGroups(-1, 1),
        fc.constantFrom("passAtK", "passHatK"),
        anySize,
        (inputs, measure, { width, room }) => {
          const scale = selectDifferenceScale(inputs.map(({ curve }) => curve));
          const chart = prepareDifferenceChart(inputs, measure, null, words, scale);
          for (const read of readBoth(chart, width, room)) {
            expectEqual(read, inputs, measure === "passAtK" ? "pass@k" : "pass^k");
          }
        },
      ),
      plan,
    );
  });
});
