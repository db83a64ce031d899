import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { planRuns } from "../../testing/plan-runs";
import { correctByStratum } from "./corrected-score";
import { expectClose, expectComputed } from "./expect-close.fixture";
import { type PlannedAgent, planLabels } from "./label-plan";
import { createRandomSource } from "./random";

const agent = (
  name: string,
  [nPassed, nFailed]: readonly [number, number],
  [bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed]: readonly [number, number, number, number],
  open?: readonly [number, number],
): PlannedAgent => ({
  agent: name,
  nPassed,
  nFailed,
  labels: { bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed },
  ...(open === undefined ? {} : { open: { nPassed: open[0], nFailed: open[1] } }),
});

/** The four agents of a queue of 20 trials of each agent and verdict, some of them reviewed. */
const QUEUE = [
  agent("orca", [480, 216], [18, 1, 3, 13], [1, 4]),
  agent("lamp", [330, 216], [16, 0, 1, 8], [4, 11]),
  agent("tern", [160, 244], [8, 1, 3, 10], [11, 7]),
  agent("finch", [112, 192], [8, 1, 1, 9], [11, 10]),
];
const budgets = Array.from({ length: 70 }, (_, n) => n);

function expectHalf(found: ReturnType<typeof correctByStratum>["all"]): number {
  const { low, high } = expectComputed(found);
  return "low" in found ? (high - low) / 2 : Number.NaN;
}

describe("the rest of a queue", () => {
  const plan = expectComputed(planLabels(QUEUE, { budgets, next: 20, isAcrossAgents: false }));

  test("now is half of the interval that is drawn, and the first point", () => {
    const half = expectHalf(correctByStratum(QUEUE, { isAcrossAgents: false }).all);
    expectClose(plan.halfWidthNow, half, "now");
    expect(plan.points[0]).toEqual({ nLabels: 0, halfWidth: half, halfWidthAnyOrder: half });
  });

  test("at most as many labels as the queue has, all of them equal in any order", () => {
    expect(plan.nOpen).toBe(59);
    expect(plan.points.map(({ nLabels }) => nLabels)).toEqual(budgets.slice(0, 60));
    const last = plan.points.at(-1);
    expect(last?.halfWidth).toBeCloseTo(last?.halfWidthAnyOrder ?? Number.NaN, 12);
    const all = expectComputed(planLabels(QUEUE, { budgets: [], next: 100, isAcrossAgents: false }));
    expect(all).toMatchObject({ nNext: 59, next: QUEUE.map(({ agent, open }) => ({ agent, ...open })) });
  });

  test("the interval shrinks with every label, faster than in any order", () => {
    plan.points.forEach(({ halfWidth, halfWidthAnyOrder }, index) => {
      expect(halfWidth ?? Number.NaN).toBeLessThanOrEqual((halfWidthAnyOrder ?? Number.NaN) + 1e-12);
      if (index > 0) expect(halfWidth ?? Number.NaN).toBeLessThan(plan.points[index - 1]?.halfWidth ?? 0);
    });
    expect(plan.next.reduce((sum, { nPassed, nFailed }) => sum + nPassed + nFailed, 0)).toBe(20);
    // Most doubt is where the most trials have the fewest labels of one mind: not where lamp was always right.
    expect(plan.next.map(({ nFailed }) => nFailed).reduce((a, b) => a + b)).toBeGreaterThan(10);
  });

  test("what is expected is what labels that are drawn come to on average", () => {
    const random = createRandomSource(7);
    const drawPasses = (n: number, rate: number) =>
      Array.from({ length: n }, () => random.nextUint32() / 2 ** 32 < rate).filter(Boolean).length;
    const { numRuns } = planRuns({ short: 400, long: 10_000 });
    let sum = 0;
    for (let run = 0; run < numRuns; run++) {
      const later = QUEUE.map((one, index) => {
        const { labels } = one;
        const { nPassed = 0, nFailed = 0 } = plan.next[index] ?? {};
        const ofPassed = labels.bothPassed + labels.onlyVerifierPassed;
        const ofFailed = labels.onlyHumanPassed + labels.bothFailed;
        const a = drawPasses(nPassed, (labels.bothPassed + 0.5) / (ofPassed + 1));
        const b = drawPasses(nFailed, (labels.onlyHumanPassed + 0.5) / (ofFailed + 1));
        return {
          ...one,
          labels: {
            bothPassed: labels.bothPassed + a,
            onlyVerifierPassed: labels.onlyVerifierPassed + nPassed - a,
            onlyHumanPassed: labels.onlyHumanPassed + b,
            bothFailed: labels.bothFailed + nFailed - b,
          },
        };
      });
      sum += expectHalf(correctByStratum(later, { isAcrossAgents: false }).all) / numRuns;
    }
    const expected = plan.points.find(({ nLabels }) => nLabels === 20)?.halfWidth ?? Number.NaN;
    expect(Math.abs(sum / expected - 1)).toBeLessThan(0.03);
  });
});

test("a verdict with too few labels comes first; until then there is no interval", () => {
  const thin = [agent("a", [100, 50], [20, 10, 5, 5]), agent("b", [100, 50], [3, 0, 0, 0])];
  const plan = expectComputed(planLabels(thin, { budgets: [0, 6, 7, 500], next: 7, isAcrossAgents: false }));
  expect(plan.next).toEqual([
    { agent: "a", nPassed: 0, nFailed: 0 },
    { agent: "b", nPassed: 2, nFailed: 5 },
  ]);
  expect(plan.points.map(({ halfWidth }) => halfWidth !== null)).toEqual([false, false, true]);
  expect(plan).toMatchObject({ halfWidthNow: null, nOpen: 257, nNext: 7 });
});

test("labels drawn across agents have an interval now, and keep it in any order alone", () => {
  const thin = [agent("a", [100, 50], [20, 10, 5, 5]), agent("b", [100, 50], [3, 0, 0, 0])];
  const plan = expectComputed(planLabels(thin, { budgets: [0, 1, 7], next: 1, isAcrossAgents: true }));
  const half = expectHalf(correctByStratum(thin, { isAcrossAgents: true }).all);
  expect(plan.halfWidthNow).toBe(half);
  const [now, one, seven] = plan.points;
  expect(now).toMatchObject({ halfWidth: half, halfWidthAnyOrder: half });
  expect(one?.halfWidth).toBeNull();
  expect(one?.halfWidthAnyOrder).toBeLessThan(half);
  expect(seven?.halfWidth).not.toBeNull();
});

test("without trials there is nothing to plan; with every trial labelled nothing is left", () => {
  const options = { budgets: [0, 5], next: 20, isAcrossAgents: false };
  expect(planLabels([], options)).toEqual({ kind: "unavailable", reason: "no-values" });
  expect(planLabels([agent("a", [0, 0], [0, 0, 0, 0])], options)).toMatchObject({ reason: "no-values" });
  const done = planLabels([agent("a", [10, 5], [8, 2, 1, 4])], options);
  expect(done).toMatchObject({ nOpen: 0, nNext: 0, points: [{ nLabels: 0 }], halfWidthNow: 0 });
});

/** With nearly all labelled, both are within a point, and single trials decide between them. */
const HALF_A_POINT = 0.005;

test("labels where they tell most are never much behind any order, and steps do not change the plan", () => {
  const cell = fc.integer({ min: 0, max: 30 });
  const one = fc
    .tuple(cell, cell, cell, cell, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }))
    .filter(([a, b, c, d]) => a + b >= 5 && c + d >= 5)
    .map(([a, b, c, d, m, n]) => agent("x", [a + b + m, c + d + n], [a, b, c, d]));
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (agents) => {
      const options = { next: 0, isAcrossAgents: false };
      const all = expectComputed(planLabels(agents, { ...options, budgets: [0, 3, 10, 25, 60] }));
      for (const { nLabels, halfWidth, halfWidthAnyOrder } of all.points) {
        const anyOrder = halfWidthAnyOrder ?? Number.NaN;
        expect(halfWidth ?? Number.NaN).toBeLessThanOrEqual(1.1 * anyOrder + HALF_A_POINT);
        const alone = expectComputed(planLabels(agents, { ...options, budgets: [nLabels] })).points[0];
        expect(alone?.halfWidth).toBeCloseTo(halfWidth ?? Number.NaN, 6);
      }
    }),
    planRuns({ short: 100, long: 3_000 }),
  );
});
