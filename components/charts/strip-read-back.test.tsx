import fc from "fast-check";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, test } from "vitest";

import { rateColumn, RatePlot, selectRateEnd } from "@/components/errors/rates";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { prepareDifferenceAxis } from "@/lib/core/charts/difference-axis";
import { prepareDistribution } from "@/lib/core/charts/distribution-plot";
import type { PairedComparison, RateInterval } from "@/lib/core/stats";
import { planRuns } from "@/lib/testing/plan-runs";

import { DistributionFigure } from "./distribution-figure";
import { type DrawnElement, findByClass, parseMarkup, placeElements } from "./drawn-svg.fixture";
import { DifferenceMark, DifferenceScale } from "./strips";

/** Strips place to tenths of a pixel. */
const TOLERANCE = 0.1;
/** A plot in a column is so much wider than its scale. */
const INSETS = 15;
const SCALE_WIDTH = 134 - INSETS;
const plan = planRuns({ short: 40, long: 3000 });

let nRead = 0;
afterAll(() => {
  process.stdout.write(`${nRead.toLocaleString("en-US")} marks and ends of intervals read back\n`);
});

/** All elements of a drawing with the places of their corners, across. */
function read(element: ReactElement, width: number) {
  const root = parseMarkup(renderToStaticMarkup(element));
  const marks = placeElements(root, { width, height: 20 });
  const across = (one: DrawnElement | undefined) =>
    one === undefined ? [] : (marks.get(one)?.places ?? []).map(({ x }) => x);
  const find = (name: string) => findByClass(root, name).map(across);
  const named = (name: string) => [...marks.keys()].filter((one) => one.name === name);
  return { root, marks, across, find, named };
}

/** Checks a position on an axis with two known values, and counts it. */
function expectAt(
  pixel: number | undefined,
  value: number,
  from: readonly [number, number],
  to: readonly [number, number],
) {
  const [low, lowPixel] = from;
  const [high, highPixel] = to;
  const expected = lowPixel + ((value - low) / (high - low)) * (highPixel - lowPixel);
  nRead += 1;
  if (pixel === undefined || !(Math.abs(pixel - expected) <= TOLERANCE)) expect(pixel).toBe(expected);
}

/** Positions of marks. */
function findMarks({ root, marks }: ReturnType<typeof read>) {
  return findByClass(root, "agent-shape").map((shape) => marks.get(shape)?.toPixels({ x: 6, y: 6 }));
}

/** Both ends, which have caps, and the marker, on a scale as wide as the drawing; values beyond it end in an arrow. */
function expectStrip(
  drawn: ReturnType<typeof read>,
  { value, low, high }: { value: number; low: number | null; high: number | null },
  end: number,
  width: number,
): void {
  const { root, marks, find } = drawn;
  const place = (pixel: number | undefined, at: number) => expectAt(pixel, at, [0, 0], [end, width]);
  const isOn = (one: number) => one >= 0 && one <= end;
  const [dot] = findMarks(drawn);
  if (isOn(value)) place(dot?.x, value);
  else {
    expect(dot).toBeUndefined();
    const [arrow] = findByClass(root, "strip-beyond");
    const origin = arrow === undefined ? undefined : marks.get(arrow)?.toPixels({ x: 0, y: 0 });
    expect(origin?.x).toBe(value < 0 ? 0 : width);
  }
  const [interval] = find("strip-interval");
  const caps = find("strip-cap");
  if (low === null || high === null) {
    expect([interval, ...caps]).toEqual([undefined]);
    return;
  }
  const ends = low === high ? [low] : [low, high];
  expect(caps).toHaveLength(ends.filter(isOn).length);
  ends.filter(isOn).forEach((one, index) => caps[index]?.forEach((pixel) => place(pixel, one)));
  const cut = (one: number) => Math.min(end, Math.max(0, one));
  place(interval?.[0], cut(low));
  place(interval?.[1], cut(high));
}

const anyInterval = (least: number, most: number) =>
  fc
    .tuple(
      fc.oneof(fc.constantFrom(0, 0.5, 1, least, most), fc.double({ min: least, max: most, noNaN: true })),
      fc.oneof(fc.constant(0), fc.double({ min: 0, max: most - least, noNaN: true })),
      fc.oneof(fc.constant(0), fc.double({ min: 0, max: most - least, noNaN: true })),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([value, below, above, known]) => ({
      value,
      low: known === 0 ? null : Math.max(least, value - below),
      high: known === 0 ? null : Math.min(most, value + above),
    }));
const anyWidth = fc.integer({ min: 60, max: 320 });

test("a mean with its interval and reach, on the scale and beyond it", () => {
  fc.assert(
    fc.property(
      anyInterval(-2, 3),
      anyWidth,
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      (interval, width, [from, to]) => {
        // To hundredths, so that no value is beyond the scale by less than can be drawn.
        const hundredths = (value: number) => Math.round(value * 100) / 100;
        const mark = {
          value: hundredths(interval.value),
          low: interval.low === null ? null : hundredths(interval.low),
          high: interval.high === null ? null : hundredths(interval.high),
        };
        const drawn = read(
          <IntervalPlot
            mark={{ ...mark, identity: 2, reach: { from, to } }}
            width={width + INSETS}
            title=""
          />,
          width,
        );
        expectStrip(drawn, mark, 1, width);
        const [start, stop] = drawn.find("interval-reach")[0] ?? [];
        expectAt(start, from, [0, 0], [1, width]);
        expectAt(stop, to, [0, 0], [1, width]);
      },
    ),
    plan,
  );
});

test("rates share a scale from 0 to the number at its end", () => {
  const anyRate = fc
    .tuple(anyInterval(0, 1), fc.constantFrom(0.004, 0.03, 0.4, 1))
    .filter(([{ low }]) => low !== null)
    .map(([{ value, low, high }, size]): RateInterval => {
      const known = {
        kind: "computed",
        estimand: "new-rows",
        count: 1,
        n: 2,
        level: 0.95,
        method: "wilson",
      } as const;
      return { ...known, rate: value * size, low: (low ?? 0) * size, high: (high ?? 0) * size };
    });
  fc.assert(
    fc.property(fc.array(anyRate, { minLength: 1, maxLength: 4 }), anyWidth, (rates, width) => {
      const end = selectRateEnd(rates);
      const heading = parseMarkup(
        renderToStaticMarkup(rateColumn({ end, width, rateOf: () => null }).header),
      );
      const labels = findByClass(heading, "interval-scale").flatMap(({ children }) =>
        children.map(({ text }) => Number(text) / 100),
      );
      expect(labels).toEqual([
        0,
        labels[2] === undefined ? NaN : expect.closeTo(labels[2] / 2, 6),
        expect.closeTo(end, 6),
      ]);
      for (const rate of rates) {
        const drawn = read(<RatePlot rate={rate} end={end} width={width + INSETS} />, width);
        expectStrip(drawn, { value: rate.rate, low: rate.low, high: rate.high }, labels[2] ?? NaN, width);
      }
    }),
    plan,
  );
});

test("a histogram's bars are between the edges of their bins, as high as their share, above the mean's interval", () => {
  const counts = fc
    .array(fc.nat(30), { minLength: 10, maxLength: 10 })
    .filter((all) => all.some((count) => count > 0));
  fc.assert(
    fc.property(anyInterval(0, 1), counts, (mark, all) => {
      const n = all.reduce((sum, count) => sum + count, 0);
      const tallest = Math.max(...all) / n;
      const bounds = mark.low === null ? null : { low: mark.low, high: mark.high };
      const ends = { nFloor: 0, nCeiling: 0 };
      const input = { mean: mark.value, bounds, n, counts: all, ends } as unknown as Parameters<
        typeof prepareDistribution
      >[0];
      const plot = prepareDistribution(input, tallest);
      const drawn = read(<DistributionFigure plot={plot} identity={1} hrefOf={() => "/"} />, SCALE_WIDTH);
      expectStrip(drawn, mark, 1, SCALE_WIDTH);
      const [bars] = findByClass(drawn.root, "distribution-bars");
      const corners = (bars === undefined ? undefined : drawn.marks.get(bars)?.places) ?? [];
      const shown = all.flatMap((count, bin) => (count === 0 ? [] : [{ count, bin }]));
      expect(corners).toHaveLength(shown.length * 4);
      shown.forEach(({ count, bin }, index) => {
        const [left, top, right] = [
          corners[index * 4]?.x,
          corners[index * 4 + 1]?.y,
          corners[index * 4 + 2]?.x,
        ];
        // Half a pixel at either side divides a bar from the next one.
        expectAt((left ?? NaN) - 0.5, bin / 10, [0, 0], [1, SCALE_WIDTH]);
        expectAt((right ?? NaN) + 0.5, (bin + 1) / 10, [0, 0], [1, SCALE_WIDTH]);
        const height = (count / Math.max(...all)) * 26;
        expect(Math.abs(26 - (top ?? NaN) - Math.max(1.5, height))).toBeLessThanOrEqual(TOLERANCE);
      });
    }),
    plan,
  );
});

/** Ticks of a difference: numbers and their positions, which must be on one scale. */
function readTicks({ named, marks }: ReturnType<typeof read>) {
  const ticks = named("text").map((tick) => ({
    value: Number(tick.text.replace("−", "-")),
    pixel: marks.get(tick)?.places[0]?.x ?? NaN,
  }));
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error("no scale");
  for (const { value, pixel } of ticks) {
    expectAt(pixel, value, [first.value, first.pixel], [last.value, last.pixel]);
  }
  return [
    [first.value, first.pixel],
    [last.value, last.pixel],
  ] as const;
}

test("paired differences: value, interval and undetectable range", () => {
  const unknown = { kind: "unavailable", reason: "one-task" } as const;
  const anyPair = fc
    .tuple(
      anyInterval(-1, 1),
      fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      fc.constantFrom(1, 0.3, 0.01, 0.0004),
      fc.boolean(),
    )
    .map(([{ value, low, high }, reach, size, isRate]) => {
      // In another unit than points a difference may be of any size.
      const factor = isRate ? size : size * 1000;
      return {
        kind: "computed",
        isRate,
        difference: value * factor,
        bounds:
          low === null || high === null
            ? unknown
            : { kind: "computed", low: low * factor, high: high * factor },
        detectable: reach === null ? unknown : { kind: "computed", difference: reach * factor },
      } as unknown as PairedComparison;
    });
  const expectPlot = (
    pair: PairedComparison,
    drawn: ReturnType<typeof read>,
    ticks: ReturnType<typeof readTicks>,
  ) => {
    const unit = pair.isRate ? 100 : 1;
    const place = (pixel: number | undefined, value: number) => expectAt(pixel, value * unit, ...ticks);
    place(findMarks(drawn)[0]?.x, pair.difference);
    const [line] = drawn.find("strip-interval");
    const [first = [], second = first] = drawn.find("strip-cap");
    if (pair.bounds.kind === "unavailable") expect(line).toBeUndefined();
    else {
      const { low, high } = pair.bounds;
      [line?.[0], ...first].forEach((pixel) => place(pixel, low));
      [line?.[1], ...second].forEach((pixel) => place(pixel, high));
    }
    const [blind = []] = drawn.find("strip-blind");
    if (pair.detectable.kind === "unavailable") expect(blind).toEqual([]);
    else {
      place(blind[0], -pair.detectable.difference);
      place(blind[1], pair.detectable.difference);
    }
    const [zero = []] = drawn.find("strip-zero");
    place(zero[0], 0);
  };
  fc.assert(
    fc.property(
      fc.array(anyPair, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 90, max: 700 }),
      (all, width) => {
        const [first] = all;
        if (first === undefined) return;
        const pairs = all.map((pair) => ({ ...pair, isRate: first.isRate }));
        const axes = pairs.map((pair) => prepareDifferenceAxis(pair, pairs));
        const ticks = readTicks(read(<DifferenceScale ticks={axes[0]?.ticks ?? []} />, width));
        axes.forEach((axis, index) => {
          const pair = pairs[index] ?? first;
          expectPlot(pair, read(<DifferenceMark axis={axis} isClear={index % 2 === 0} />, width), ticks);
        });
      },
    ),
    plan,
  );
});
