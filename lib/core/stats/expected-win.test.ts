import { describe, expect, it } from "vitest";

import { computeExpectedWin } from "./expected-win";
import { computeJeffreysInterval } from "./rate-interval";
import reference from "./reference/wins.json";

describe("expected win", () => {
  it.each(reference.cases)("agrees with draws of each basis: $total trials", (drawn) => {
    const bases = drawn.bases.map(([nTrials = 0, n = 0, reward = 0]) => ({ nTrials, n, reward }));
    const win = computeExpectedWin(bases, drawn.recorded, drawn.total);
    if (win.kind === "unavailable") throw new Error(win.reason);
    const size = bases.reduce((sum, { nTrials }) => sum + nTrials, 0) / drawn.total;
    const apart = ([a, b]: [number, number]) => Math.abs(a - b) / size;
    expect(apart([win.expected, drawn.mean])).toBeLessThan(0.002);
    expect(apart([win.low, drawn.low])).toBeLessThan(0.04);
    expect(apart([win.high, drawn.high])).toBeLessThan(0.04);
  });

  it("is Jeffreys's interval of the one basis, in parts of the mean", () => {
    const win = computeExpectedWin([{ nTrials: 10, n: 20, reward: 13 }], 0, 200);
    const rate = computeJeffreysInterval(13, 20);
    if (win.kind === "unavailable" || rate.kind === "unavailable") throw new Error("unavailable");
    expect(win.low).toBeCloseTo((rate.low * 10) / 200, 9);
    expect(win.high).toBeCloseTo((rate.high * 10) / 200, 9);
    expect(win.most).toBe(10 / 200);
  });

  it("counts what the trials have already, and may be a loss", () => {
    const win = computeExpectedWin([{ nTrials: 2, n: 10, reward: 0 }], 1.5, 10);
    if (win.kind === "unavailable") throw new Error(win.reason);
    expect(win.most).toBeCloseTo(0.05);
    expect(win.expected).toBeLessThan(0);
  });

  it("is not known without an attempt to go by", () => {
    expect(computeExpectedWin([], 0, 10)).toEqual({ kind: "unavailable", reason: "no-values" });
    expect(computeExpectedWin([{ nTrials: 1, n: 0, reward: 0 }], 0, 10).kind).toBe("unavailable");
  });
});
