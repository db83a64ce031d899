import { describe, expect, it } from "vitest";

import { eligibleK, passAtKByEvals, passAtKForTask, type PassAtKTrial } from "./pass-at-k";
import type { PyValue } from "./python/value";

const attempts = (taskName: string, ...values: readonly PyValue[]): PassAtKTrial[] =>
  values.map((value) => ({
    taskName,
    agent: "codex",
    model: null,
    source: null,
    rewards: value === null ? null : new Map([["reward", value]]),
  }));

describe("passAtKForTask", () => {
  it("multiplies in ascending order", () => {
    expect(passAtKForTask(5, 1, 2)).toBe(0.3999999999999999);
    expect(passAtKForTask(4, 2, 3)).toBe(1);
    expect(passAtKForTask(5, 0, 2)).toBe(0);
  });
});

describe("eligibleK", () => {
  it("never holds 1", () => {
    expect(eligibleK(1)).toEqual([]);
    expect(eligibleK(20)).toEqual([2, 4, 5, 8, 10, 15, 16, 20]);
  });
});

describe("passAtKByEvals", () => {
  it("averages tasks, counting trials without rewards as failed", () => {
    const trials = [...attempts("a", 1n, null), ...attempts("b", 0, false, 1)];
    expect(passAtKByEvals(trials)).toEqual(
      new Map([["codex__adhoc", new Map([[2, (1 + passAtKForTask(3, 1, 2)) / 2]])]]),
    );
  });

  it.each([[0.5], [2n], ["1"], [NaN], [[]]])("leaves the group out for the reward %s", (odd) => {
    expect(passAtKByEvals(attempts("a", 1n, 1n, odd))).toEqual(new Map());
  });

  it("leaves the group out for other than one key, and for rewards that are no object", () => {
    const [first, second] = attempts("a", 1n, 1n);
    const withRewards = (rewards: PyValue): PassAtKTrial[] =>
      first && second ? [first, second, { ...first, rewards }] : [];
    expect(withRewards(null)).toHaveLength(3);
    expect(passAtKByEvals(withRewards(new Map()))).toEqual(new Map());
    expect(passAtKByEvals(withRewards([1n]))).toEqual(new Map());
  });

  it("keeps groups apart and leaves out those with a single attempt", () => {
    const other = attempts("a", 1n).map((trial) => ({ ...trial, model: "gpt" }));
    expect([...passAtKByEvals([...other, ...attempts("a", 1n, 1n)]).keys()]).toEqual(["codex__adhoc"]);
    expect(passAtKByEvals([])).toEqual(new Map());
  });
});
