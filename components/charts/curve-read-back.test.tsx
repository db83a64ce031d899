import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, describe, expect, test } from "vitest";

import { type CurveChart, type CurveInput, prepareCurveChart } from "@/lib/core/charts/curve-chart";
import { formatCurvesCsv } from "@/lib/core/charts/curve-csv";
import { PLOT_HEIGHT } from "@/lib/core/charts/curve-layout";
import type { CurveValue, PassCurve } from "@/lib/core/stats";
import { planRuns } from "@/lib/testing/plan-runs";
import {
  type DrawnCurves,
  findDifferences,
  type ReadCurves,
  readCurves,
  readCurvesCsv,
} from "@/lib/testing/read-curves";

import {
  type DrawnElement,
  type DrawnPlace,
  findByClass,
  parseMarkup,
  placeElements,
} from "./drawn-svg.fixture";
import { CurvePlot } from "./plot";

/** A tenth of a pixel: finer than any screen, and coarser than the decimals of a place. */
const TOLERANCE = 0.1;

let nRead = 0;
afterAll(() => {
  process.stdout.write(`${nRead.toLocaleString("en-US")} marks and ends of intervals read back\n`);
});

/** What a plot is drawn of, from nothing but its markup. */
function collect(chart: CurveChart, width: number): DrawnCurves {
  const plot = parseMarkup(renderToStaticMarkup(<CurvePlot chart={chart} labels={[]} />));
  const marks = placeElements(plot, { width, height: PLOT_HEIGHT });
  const placesOf = (element: DrawnElement) => marks.get(element)?.places ?? [];
  const placeOf = (element: DrawnElement): DrawnPlace => placesOf(element)[0] ?? { x: NaN, y: NaN };
  const lines = findByClass(plot, "plot-grid");
  const groups = findByClass(plot, "curve-series");
  const nSeries = findByClass(plot, "curve-line").length;
  return {
    // A number is at its line.
    yTicks: findByClass(plot, "plot-y-tick").map((tick, index) => {
      const pixel = placesOf(lines[index] ?? tick)[0]?.y ?? NaN;
      expect(placeOf(tick).y - 4).toBeCloseTo(pixel, 6);
      return { text: tick.text, pixel };
    }),
    xTicks: findByClass(plot, "plot-x-tick").map((tick) => ({ text: tick.text, pixel: placeOf(tick).x })),
    series: Array.from({ length: nSeries }, (_, index) => {
      // The lines of all series come before their marks.
      const own = groups.filter((__, at) => at % nSeries === index);
      const find = (name: string) => own.flatMap((group) => findByClass(group, name));
      return {
        points: find("curve-point")
          .flatMap((element) => findByClass(element, "agent-shape"))
          .map((shape) => marks.get(shape)?.toPixels({ x: 6, y: 6 }) ?? { x: NaN, y: NaN }),
        line: find("curve-line").flatMap(placesOf),
        intervals: [...find("curve-band"), ...find("curve-whisker")].map(placesOf),
        recorded: find("curve-recorded").map(placeOf),
      };
    }),
  };
}

/** The rows of a measure in the CSV file, by curve. */
function readTable(inputs: readonly CurveInput[], measure: string) {
  const rules = { key: "reward", threshold: 1, missing: "zero", rule: "recorded", tasks: "own" };
  return inputs.map((input) =>
    readCurvesCsv(formatCurvesCsv([{ ...input, job: "j", group: "g", versus: null }], rules)).filter(
      (row) => row.measure === measure,
    ),
  );
}

function expectEqual(read: ReadCurves, inputs: readonly CurveInput[], measure: string): void {
  nRead += read.nRead;
  const differences = findDifferences(read, readTable(inputs, measure));
  if (differences.length > 0) expect(differences).toEqual([]);
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

const frame = { id: "c", title: "pass@k", note: "", chosenK: null } as const;
const anyWidth = fc.integer({ min: 90, max: 900 });
const anyMeasure = fc.constantFrom("passAtK" as const, "passHatK" as const);
const plan = planRuns({ short: 30, long: 1500 });

describe("the chart equals the table", () => {
  test("levels: every mark, both ends of every interval, every ring", () => {
    const isOn = ([k, value]: readonly [number, number], maxK: number) =>
      k >= 1 && k <= maxK && value >= 0 && value <= 1;
    fc.assert(
      fc.property(anyGroups(0, 6), anyMeasure, anyWidth, (inputs, measure, width) => {
        const chart = prepareCurveChart(inputs, { ...frame, measure });
        const maxK = Math.max(
          ...inputs.flatMap(({ curve }) => (curve.kind === "computed" ? curve.points.map(({ k }) => k) : [])),
        );
        const read = readCurves(collect(chart, width), false, TOLERANCE);
        expectEqual(read, inputs, measure === "passAtK" ? "pass@k" : "pass^k");
        read.series.forEach(({ recorded }, index) => {
          // Harbor records pass@k alone.
          const rings = measure === "passAtK" ? (inputs[index]?.recorded ?? []) : [];
          const stated = [...rings].filter((entry) => isOn(entry, maxK));
          expect(recorded.map(({ k }) => k)).toEqual(stated.map(([k]) => k));
          recorded.forEach(({ value }, at) =>
            expect(Math.abs(value - (stated[at]?.[1] ?? NaN))).toBeLessThan(read.tolerance),
          );
        });
      }),
      plan,
    );
  });
});
