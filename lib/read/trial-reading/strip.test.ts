import fc from "fast-check";
import { expect, test } from "vitest";

import type { StepUsage, TrajectoryStep } from "@/lib/core/domain/trajectory";

import { NO_TRAJECTORY } from "./steps";
import { prepareStrip } from "./strip";

const NONE = { found: new Set<number>(), current: null, rows: NO_TRAJECTORY.steps };

function makeStep(index: number, usage: StepUsage | null, durationMs: number | null): TrajectoryStep {
  return {
    key: String(index + 1),
    index,
    statedId: null,
    lane: "main",
    depth: 0,
    phase: null,
    file: "agent/trajectory.json",
    source: "agent",
    at: null,
    durationMs,
    reasoning: null,
    message: [],
    calls: [],
    results: [],
    usage,
    marks: [],
    copied: false,
  };
}

const amount = fc.option(fc.nat(1_000_000));
const steps = fc
  .array(fc.record({ inputTokens: amount, outputTokens: amount, durationMs: amount }), {
    minLength: 1,
    maxLength: 900,
  })
  .map((all) =>
    all.map(({ inputTokens, outputTokens, durationMs }, at) =>
      makeStep(at, { inputTokens, outputTokens, costUsd: null }, durationMs),
    ),
  );

test("columns hold every step once and in order, and add up to what the steps state", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { columns, ...whole } = prepareStrip(all, NONE);
      expect(columns.length).toBe(Math.min(360, all.length));
      let at = 0;
      for (const { key, nSteps } of columns) {
        expect(key).toBe(all[at]?.key);
        at += nSteps;
      }
      expect(at).toBe(all.length);
      const add = (amounts: readonly (number | null)[]) => {
        const known = amounts.filter((one) => one !== null);
        return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
      };
      expect(add(columns.map((one) => one.outputTokens))).toBe(whole.outputTokens);
      expect(add(all.map(({ usage }) => usage?.outputTokens ?? null))).toBe(whole.outputTokens);
      expect(add(all.map(({ durationMs }) => durationMs))).toBe(whole.durationMs);
      const contexts = all.flatMap(({ usage }) => usage?.inputTokens ?? []);
      expect(whole.contextTokens).toBe(contexts.length === 0 ? null : Math.max(...contexts));
    }),
    { numRuns: 60 },
  );
});

test("the column of a step is the one that holds it, however many steps share one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (n, nth) => {
      const all = Array.from({ length: n }, (_, at) => makeStep(at, null, null));
      const index = nth % n;
      const { columns, current } = prepareStrip(all, { ...NONE, current: all[index] ?? null });
      const before = columns.slice(0, current ?? 0).reduce((sum, { nSteps }) => sum + nSteps, 0);
      expect(before).toBeLessThanOrEqual(index);
      expect(index).toBeLessThan(before + (columns[current ?? 0]?.nSteps ?? 0));
    }),
    { numRuns: 60 },
  );
});
