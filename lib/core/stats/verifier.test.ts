import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  computeCorrectedScore,
  correctByCalibration,
  correctByVerdict,
  correctByVerdictOverTasks,
} from "./corrected-score";
import { expectClose, expectComputed } from "./expect-close.fixture";
import { allocateLabels } from "./label-plan";
import { computeMeanErrors } from "./mean-interval";
import reference from "./reference/verifier.json";
import {
  type Confusion,
  type VerifierLabel,
  computeVerifierAccuracy,
  countConfusion,
} from "./verifier-accuracy";

function listLabels([
  both = 0,
  onlyVerifier = 0,
  onlyHuman = 0,
  neither = 0,
]: readonly number[]): VerifierLabel[] {
  const repeat = (n: number, verifier: boolean, human: boolean) =>
    Array.from({ length: n }, () => ({ verifier, human }));
  return [
    ...repeat(both, true, true),
    ...repeat(onlyVerifier, true, false),
    ...repeat(onlyHuman, false, true),
    ...repeat(neither, false, false),
  ];
}

function readCells([
  bothPassed = 0,
  onlyVerifierPassed = 0,
  onlyHumanPassed = 0,
  bothFailed = 0,
]: readonly number[]): Confusion {
  return { bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed };
}

describe("accuracy", () => {
  test("scikit-learn's weighted recall and precision for 60 queues", () => {
    expect(reference.accuracies).toHaveLength(60);
    for (const { cells, population, weights, ...expected } of reference.accuracies) {
      const [nPassed = 0, nFailed = 0] = population;
      const labels = listLabels(cells);
      const found = expectComputed(
        computeVerifierAccuracy(labels, { design: "by-verdict", population: { nPassed, nFailed } }),
      );
      expectClose(expectComputed(found.truePositiveRate).rate, expected.tpr, "TPR");
      expectClose(expectComputed(found.trueNegativeRate).rate, expected.tnr, "TNR");
      expectClose(expectComputed(found.positivePredictiveValue).rate, expected.ppv, "PPV");
      expectClose(expectComputed(found.negativePredictiveValue).rate, expected.npv, "NPV");
      [found.bothPassed, found.onlyVerifierPassed, found.onlyHumanPassed, found.bothFailed].forEach(
        (cell, index) => expectClose(cell.weight, weights[index] ?? Number.NaN, "weight"),
      );
      for (const rate of [found.truePositiveRate, found.trueNegativeRate].map(expectComputed)) {
        expect(rate.method).toBe("logit-by-verdict");
        expect(rate.high - rate.low).toBeGreaterThan(0);
        expect(rate.low).toBeGreaterThanOrEqual(0);
        expect(rate.high).toBeLessThanOrEqual(1);
      }
      const random = expectComputed(computeVerifierAccuracy(labels, { design: "random" }));
      expectClose(expectComputed(random.truePositiveRate).rate, expected.tprUnweighted, "unweighted TPR");
    }
  });

  test("a queue of unknown rates gives predictive values and refuses true rates", () => {
    const labels = [...listLabels([8, 2, 1, 9]), { verifier: true, human: null }];
    const found = expectComputed(computeVerifierAccuracy(labels, { design: "by-verdict", population: null }));
    expect(found).toMatchObject({
      truePositiveRate: { kind: "unavailable", reason: "weights-needed" },
      trueNegativeRate: { kind: "unavailable", reason: "weights-needed" },
      positivePredictiveValue: { rate: 0.8, method: "wilson", n: 10 },
      bothPassed: { count: 8, weight: null },
      n: 20,
      nDeferred: 1,
    });
    const deferred = [{ verifier: true, human: null }];
    expect(computeVerifierAccuracy(deferred, { design: "random" })).toEqual({
      kind: "unavailable",
      reason: "no-values",
    });
  });

  test("renaming pass and fail swaps the rates", () => {
    const cells = fc
      .tuple(fc.nat(30), fc.nat(30), fc.nat(30), fc.nat(30))
      .filter((given) => given.some((n) => n > 0));
    fc.assert(
      fc.property(cells, (given) => {
        const labels = listLabels(given);
        const turned = labels.map(({ verifier, human }) => ({
          verifier: !verifier,
          human: human === null ? null : !human,
        }));
        const a = expectComputed(computeVerifierAccuracy(labels, { design: "random" }));
        const b = expectComputed(computeVerifierAccuracy(turned, { design: "random" }));
        expect(b.truePositiveRate).toEqual(a.trueNegativeRate);
        expect(b.positivePredictiveValue).toEqual(a.negativePredictiveValue);
      }),
    );
  });
});

describe("corrected score", () => {
  const verdicts = { nPassed: 300, nFailed: 100 };

  test("Newcombe's limits where half of the trials passed", () => {
    expect(reference.halves).toHaveLength(60);
    for (const { labels, corrected, low, high } of reference.halves) {
      const found = expectComputed(
        correctByVerdict({
          verdicts: { nPassed: 1e14, nFailed: 1e14 },
          ownLabels: readCells(labels),
        }),
      );
      expectClose(found.corrected, corrected, "corrected");
      expectClose(found.low, low, "low");
      expectClose(found.high, high, "high");
    }
  });

  test("Agresti and Coull's limits where the calibration is certain", () => {
    expect(reference.certain).toHaveLength(15);
    const many = 1e14;
    for (const { passed, n, tpr, tnr, low, high } of reference.certain) {
      const found = expectComputed(
        correctByCalibration({
          verdicts: { nPassed: passed, nFailed: n - passed },
          passRate: { variance: ((passed / n) * (1 - passed / n)) / n, nTasks: n },
          calibration: {
            bothPassed: tpr * many,
            onlyHumanPassed: (1 - tpr) * many,
            bothFailed: tnr * many,
            onlyVerifierPassed: (1 - tnr) * many,
          },
        }),
      );
      // A rate that had to be clipped keeps the width that it would have at the end of the scale.
      expect(found.high - found.low).toBeGreaterThan(0);
      if (found.isClipped) continue;
      expect(found.low).toBeCloseTo(Math.min(low, found.corrected), 9);
      expect(found.high).toBeCloseTo(Math.max(high, found.corrected), 9);
    }
  });

  test("by verdict: 90 % of the passed and 20 % of the failed are right passes", () => {
    const found = expectComputed(correctByVerdict({ verdicts, ownLabels: readCells([45, 5, 4, 16]) }));
    // 0.75 x 0.9 + 0.25 x 0.2, and the variance of two strata of 300 and 100 trials.
    expectClose(found.corrected, 0.725, "corrected");
    expectClose(found.shift, -0.025, "shift");
    expectClose(
      found.standardError,
      Math.sqrt(0.75 ** 2 * (0.09 / 50) * (250 / 299) + 0.25 ** 2 * (0.16 / 20) * (80 / 99)),
      "error",
    );
    expect(found).toMatchObject({ method: "by-verdict", estimand: "same-trials", nLabels: 70, nTrials: 400 });
    const all = { nPassed: 50, nFailed: 20 };
    const known = correctByVerdict({ verdicts: all, ownLabels: readCells([45, 5, 4, 16]) });
    const { low, high, standardError } = expectComputed(known);
    for (const limit of [low, high]) expectClose(limit, 0.7, "all labelled");
    expect(standardError).toBe(0);
  });

  test("no error among the labels is not certainty", () => {
    const found = expectComputed(correctByVerdict({ verdicts, ownLabels: readCells([20, 0, 0, 20]) }));
    expect(found.corrected).toBe(0.75);
    expect(found.low).toBeLessThan(0.65);
    expect(found.high).toBeGreaterThan(0.77);
  });

  test("own labels first, the calibration where they are too few, refusal where it cannot tell", () => {
    const few = readCells([2, 1, 0, 1]);
    const good = readCells([45, 10, 5, 40]);
    const guesser = readCells([26, 25, 25, 26]);
    const none = readCells([0, 0, 0, 0]);
    const choose = (labels: Confusion | null, calibration: Confusion | null) =>
      computeCorrectedScore({
        tasks: [{ task: "a", ...verdicts, labels: labels ?? none }],
        estimand: "same-trials",
        calibration,
      });
    expect(choose(good, guesser)).toMatchObject({ method: "by-verdict" });
    // (0.75 + 0.8 - 1) / (0.9 + 0.8 - 1)
    expect(choose(few, good)).toMatchObject({ method: "rogan-gladen", isClipped: false });
    expectClose(expectComputed(choose(null, good)).corrected, 0.55 / 0.7, "Rogan and Gladen");
    expect(choose(null, guesser)).toEqual({ kind: "unavailable", reason: "uninformative-verifier" });
    expect(choose(few, null)).toEqual({ kind: "unavailable", reason: "too-few-labels" });
    expect(choose(null, null)).toEqual({ kind: "unavailable", reason: "too-few-labels" });
    expect(choose(null, readCells([4, 0, 0, 50]))).toEqual({ kind: "unavailable", reason: "too-few-labels" });
    const clipped = correctByCalibration({
      verdicts: { nPassed: 1, nFailed: 99 },
      passRate: { variance: 0.0001, nTasks: 100 },
      calibration: good,
    });
    expect(clipped).toMatchObject({ corrected: 0, low: 0, isClipped: true });
  });

  test("new tasks: with every trial labelled, the error is that of the humans' own mean by task", () => {
    const cells = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5), fc.nat(5));
    fc.assert(
      fc.property(fc.array(cells, { minLength: 12, maxLength: 40 }), (tasks) => {
        const rows = tasks.map((four, index) => {
          const labels = readCells(four);
          return {
            task: String(index),
            nPassed: labels.bothPassed + labels.onlyVerifierPassed,
            nFailed: labels.bothFailed + labels.onlyHumanPassed,
            labels,
          };
        });
        const found = correctByVerdictOverTasks(rows);
        const humans = computeMeanErrors(
          rows.map(({ task, labels }) => ({
            task,
            values: [
              ...Array.from({ length: labels.bothPassed + labels.onlyHumanPassed }, () => 1),
              ...Array.from({ length: labels.bothFailed + labels.onlyVerifierPassed }, () => 0),
            ],
          })),
          { missing: "exclude" },
        );
        if (found.kind !== "computed" || humans.kind !== "computed") return;
        expect(found.corrected).toBeCloseTo(humans.mean, 12);
        expect(found.standardError).toBeGreaterThanOrEqual(humans.clustered - 1e-12);
        expect(found.estimand).toBe("new-tasks");
        const alone = correctByVerdict({
          verdicts: {
            nPassed: rows.reduce((sum, { nPassed }) => sum + nPassed, 0),
            nFailed: rows.reduce((sum, { nFailed }) => sum + nFailed, 0),
          },
          ownLabels: readCells(
            [0, 1, 2, 3].map((cell) => tasks.reduce((sum, four) => sum + (four[cell] ?? 0), 0)),
          ),
        });
        expect(alone.kind === "computed" ? alone.high - alone.low : 0).toBeLessThan(1e-9);
      }),
    );
  });

  test("new tasks: labels that go together by task count as fewer; one task says nothing of others", () => {
    const task = (name: number, isGood: boolean) => ({
      task: String(name),
      nPassed: 4,
      nFailed: 1,
      labels: readCells(isGood ? [2, 0, 1, 0] : [0, 2, 0, 1]),
    });
    const together = Array.from({ length: 20 }, (_, index) => task(index, index < 10));
    const found = expectComputed(correctByVerdictOverTasks(together));
    // Both rates are a half, and so is each task's own score, which is 0 or 1: the error of 20 such tasks.
    expectClose(found.corrected, 0.5, "corrected");
    expectClose(found.standardError, Math.sqrt(0.25 / 19), "error");
    expect(
      correctByVerdictOverTasks(
        Array.from({ length: 1 }, () => ({
          ...task(0, true),
          nPassed: 60,
          nFailed: 20,
          labels: readCells([30, 10, 5, 10]),
        })),
      ),
    ).toEqual({
      kind: "unavailable",
      reason: "one-task",
    });
  });

  test("a verifier that is hardly better than chance is refused, its rates smoothed or not", () => {
    const shaky = readCells([5, 175, 0, 25]);
    expect(
      correctByCalibration({
        verdicts: { nPassed: 90, nFailed: 10 },
        passRate: { variance: 0.001, nTasks: 100 },
        calibration: shaky,
      }),
    ).toEqual({ kind: "unavailable", reason: "uninformative-verifier" });
  });
});

describe("the next labels", () => {
  test("no other way of giving them leaves less variance", () => {
    const stratum = fc.integer({ min: 1, max: 40 }).chain((nTrials) =>
      fc.integer({ min: 1, max: nTrials }).chain((nLabelled) =>
        fc.record({
          nTrials: fc.constant(nTrials),
          nLabelled: fc.constant(nLabelled),
          nPassed: fc.integer({ min: 0, max: nLabelled }),
        }),
      ),
    );
    fc.assert(
      fc.property(stratum, stratum, fc.nat(12), (a, b, budget) => {
        const strata = [
          { name: "passed", ...a },
          { name: "failed", ...b },
        ];
        const found = expectComputed(allocateLabels(strata, budget));
        const total = a.nTrials + b.nTrials;
        const measure = (given: typeof a, next: number) => {
          const rate = (given.nPassed + 0.5) / (given.nLabelled + 1);
          const labels = given.nLabelled + next;
          const unknown = (given.nTrials - labels) / Math.max(1, given.nTrials - 1);
          return (((given.nTrials / total) ** 2 * rate * (1 - rate)) / labels) * unknown;
        };
        let best = Number.POSITIVE_INFINITY;
        for (let next = 0; next <= budget; next++) {
          if (a.nLabelled + next > a.nTrials) break;
          const rest = Math.min(budget - next, b.nTrials - b.nLabelled);
          best = Math.min(best, measure(a, next) + measure(b, rest));
        }
        expect((found.standardErrorAfter ?? Number.NaN) ** 2).toBeCloseTo(best, 12);
        const given = found.strata.reduce((sum, { next }) => sum + next, 0);
        expect(given + found.nLeftOver).toBe(budget);
      }),
    );
  });

  test("a verdict without a label comes first, and a larger doubtful one gets more", () => {
    const strata = [
      { name: "passed", nTrials: 300, nLabelled: 40, nPassed: 20 },
      { name: "failed", nTrials: 100, nLabelled: 0, nPassed: 0 },
    ];
    expect(allocateLabels(strata, 1)).toMatchObject({
      method: "neyman",
      strata: [{ next: 0 }, { next: 1 }],
      standardErrorNow: null,
    });
    const even = strata.map((stratum) => ({ ...stratum, nLabelled: 10, nPassed: 5 }));
    const [passed, failed] = expectComputed(allocateLabels(even, 60)).strata;
    expect([passed?.next, failed?.next]).toEqual([50, 10]);
    expect(allocateLabels([], 5)).toEqual({ kind: "unavailable", reason: "no-values" });
  });
});

test("labels are counted into four cells, deferrals into none", () => {
  expect(countConfusion([...listLabels([1, 2, 3, 4]), { verifier: true, human: null }])).toEqual({
    bothPassed: 1,
    onlyVerifierPassed: 2,
    onlyHumanPassed: 3,
    bothFailed: 4,
  });
});
