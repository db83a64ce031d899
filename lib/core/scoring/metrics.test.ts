import { describe, expect, it } from "vitest";

import { aggregateRewards } from "./metrics";
import type { PyNumber } from "./python/value";

const rewards = (...values: readonly PyNumber[]): Map<string, PyNumber>[] =>
  values.map((value) => new Map([["reward", value]]));

describe("aggregateRewards", () => {
  it("is keyed by the metric for one reward key, None and an empty dict counting 0", () => {
    const value = aggregateRewards("mean", [...rewards(1n, 1n), null, new Map()]);
    expect(value).toEqual({ ok: true, value: new Map([["mean", 0.5]]) });
  });

  it("is keyed by reward key for several, in code point order, missing keys counting 0", () => {
    const trials = [
      new Map<string, PyNumber>([
        ["speed", 0.5],
        ["Z", 1n],
      ]),
      new Map<string, PyNumber>([["a", true]]),
      null,
    ];
    const sum = aggregateRewards("sum", trials);
    expect(sum.ok && [...sum.value]).toEqual([
      ["Z", 1n],
      ["a", 1n],
      ["speed", 0.5],
    ]);
    const max = aggregateRewards("max", trials);
    expect(max.ok && [...max.value.values()]).toEqual([1n, true, 0.5]);
  });

  it("keeps the first of equals and lets NaN's place decide", () => {
    const max = (...values: readonly PyNumber[]): unknown => aggregateRewards("max", rewards(...values));
    expect(max(1n, 1)).toEqual({ ok: true, value: new Map([["max", 1n]]) });
    expect(max(1, 1n)).toEqual({ ok: true, value: new Map([["max", 1]]) });
    expect(max(NaN, 1)).toEqual({ ok: true, value: new Map([["max", NaN]]) });
    expect(max(1, NaN)).toEqual({ ok: true, value: new Map([["max", 1]]) });
    expect(aggregateRewards("min", rewards(2n, 0.5, -1n))).toEqual({
      ok: true,
      value: new Map([["min", -1n]]),
    });
  });

  it("says what Harbor raises", () => {
    expect(aggregateRewards("mean", [])).toEqual({ ok: false, error: { name: "ZeroDivisionError" } });
    expect(aggregateRewards("max", [])).toEqual({ ok: false, error: { name: "ValueError" } });
    expect(aggregateRewards("min", [])).toEqual({ ok: false, error: { name: "ValueError" } });
    expect(aggregateRewards("sum", [])).toEqual({ ok: true, value: new Map([["sum", 0n]]) });
    expect(aggregateRewards("mean", rewards(10n ** 400n))).toEqual({
      ok: false,
      error: { name: "OverflowError" },
    });
  });

  it("sums as the named Python does", () => {
    const thirds = rewards(0.1, 0.2, 0.3);
    expect(aggregateRewards("mean", thirds)).toEqual({
      ok: true,
      value: new Map([["mean", 0.19999999999999998]]),
    });
    expect(aggregateRewards("mean", thirds, "sequential")).toEqual({
      ok: true,
      value: new Map([["mean", 0.20000000000000004]]),
    });
  });
});
