import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { computeParetoFrontier, computeSurvival } from "./cost-and-time";
import reference from "./reference/resampling.json";

describe("Pareto frontier", () => {
  test("keeps what nothing beats, names who beats the rest, and sets the unknown apart", () => {
    const points = [
      { name: "dear", cost: 9, value: 0.9 },
      { name: "cheap", cost: 1, value: 0.4 },
      { name: "beaten", cost: 5, value: 0.4 },
      { name: "free", cost: 0, value: 0.1 },
      { name: "no cost", cost: null, value: 1 },
      { name: "twin", cost: 9, value: 0.9 },
    ];
    expect(computeParetoFrontier(points)).toEqual({
      frontier: ["free", "cheap", "dear", "twin"],
      dominated: [{ name: "beaten", by: "cheap" }],
      unknown: ["no cost"],
    });
  });

  test("every point is in one list, and values rise with cost along the frontier", () => {
    const point = fc.record({
      cost: fc.option(fc.integer({ min: 0, max: 9 })),
      value: fc.option(fc.integer({ min: 0, max: 9 })),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 12 }), (given) => {
        const points = given.map((entry, index) => ({ name: String(index), ...entry }));
        const { frontier, dominated, unknown } = computeParetoFrontier(points);
        expect([...frontier, ...dominated.map(({ name }) => name), ...unknown].toSorted()).toEqual(
          points.map(({ name }) => name).toSorted(),
        );
        const along = frontier.map((name) => points[Number(name)]?.value ?? -1);
        expect(along).toEqual(along.toSorted((a, b) => a - b));
        for (const { by } of dominated) expect(frontier).toContain(by);
      }),
    );
  });
});

describe("durations that were cut short", () => {
  const ran = (seconds: number) => ({ seconds, isCensored: false });
  const stopped = (seconds: number) => ({ seconds, isCensored: true });

  test("the curve is statsmodels's", () => {
    expect(reference.survivals.length).toBeGreaterThan(50);
    for (const { seconds, ended, times, shares } of reference.survivals) {
      const found = computeSurvival(
        seconds.map((value, index) => ({ seconds: value, isCensored: ended[index] === false })),
      );
      if (found.kind === "unavailable") throw new Error(found.reason);
      const curve = found.steps.map((step) => step.seconds);
      expect(curve).toEqual(times.filter((_, index) => shares[index] !== (shares[index - 1] ?? 1)));
      for (const step of found.steps) {
        expect(step.share).toBeCloseTo(shares[times.indexOf(step.seconds)] ?? Number.NaN, 12);
      }
    }
  });

  test("a quantile that stopping hides is a lower bound, never the limit as if it were a duration", () => {
    expect(computeSurvival([ran(10), ran(20), stopped(60), stopped(60), null])).toMatchObject({
      median: { seconds: 20, isLowerBound: false },
      p90: { seconds: 60, isLowerBound: true },
      n: 4,
      nCensored: 2,
      nUnknown: 1,
    });
    expect(computeSurvival([stopped(5), stopped(9)])).toMatchObject({
      median: { seconds: 9, isLowerBound: true },
    });
    expect(computeSurvival([null])).toEqual({ kind: "unavailable", reason: "no-known-values" });
  });

  test("one stopped early moves the median up, as it would have run on", () => {
    const median = (durations: Parameters<typeof computeSurvival>[0]) => {
      const found = computeSurvival(durations);
      return found.kind === "computed" ? found.median.seconds : null;
    };
    expect(median([ran(1), ran(2), ran(3), ran(4)])).toBe(2);
    expect(median([stopped(1), ran(2), ran(3), ran(4)])).toBe(3);
  });
});
