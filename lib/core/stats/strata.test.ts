import { describe, expect, test } from "vitest";

import { correctByStratum, correctByVerdict } from "./corrected-score";
import { expectClose, expectComputed } from "./expect-close.fixture";
import reference from "./reference/strata.json";
import { type Confusion, type VerifierLabel, computeVerifierAccuracy } from "./verifier-accuracy";

function readCells([
  bothPassed = 0,
  onlyVerifierPassed = 0,
  onlyHumanPassed = 0,
  bothFailed = 0,
]: readonly number[]): Confusion {
  return { bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed };
}

/** Labels of each agent: both, only verifier, only human, neither. */
function listLabels(agents: readonly (readonly number[])[]): VerifierLabel[] {
  return agents.flatMap((cells, agent) =>
    cells.flatMap((n, cell) =>
      Array.from({ length: n }, () => ({
        stratum: String(agent),
        verifier: cell < 2,
        human: cell % 2 === 0,
      })),
    ),
  );
}

const readAgent = (
  agent: string,
  [nPassed = 0, nFailed = 0]: readonly number[],
  labels: readonly number[],
) => ({
  agent,
  nPassed,
  nFailed,
  labels: readCells(labels),
});

describe("corrected score by agent and verdict", () => {
  test("NumPy's sum of strata, with the limits of statsmodels, for 60 groups of agents", () => {
    expect(reference.corrections).toHaveLength(60);
    for (const { agents, ...expected } of reference.corrections) {
      const given = agents.map(({ sizes, labels }, index) => readAgent(String(index), sizes, labels));
      const found = correctByStratum(given, { isAcrossAgents: false });
      const all = expectComputed(found.all);
      expectClose(all.corrected, expected.corrected, "corrected");
      expect(all.low).toBeCloseTo(expected.low, 12);
      expect(all.high).toBeCloseTo(expected.high, 12);
      expect(all.standardError).toBeCloseTo(expected.standardError, 12);
      expect(all).toMatchObject({ method: "by-agent-and-verdict", estimand: "same-trials" });
      const scores = found.agents.map(({ score }) => expectComputed(score));
      const weighed = scores.reduce((sum, { corrected, nTrials }) => sum + corrected * nTrials, 0);
      expectClose(weighed / all.nTrials, all.corrected, "sum of the agents, weighted by trials");
      given.forEach((one, index) =>
        expect(scores[index]).toEqual(correctByVerdict({ verdicts: one, ownLabels: one.labels })),
      );
    }
  });

  const orca = readAgent("orca", [200, 100], [18, 2, 3, 17]);
  const finch = readAgent("finch", [60, 40], [9, 1, 1, 1]);

  test("an agent with too few labels is refused, and says what it needs", () => {
    const found = correctByStratum([orca, finch], { isAcrossAgents: false });
    const needs = [{ agent: "finch", verdict: "failed", nLabelled: 2, nMore: 3 }] as const;
    const refused = { kind: "unavailable", reason: "too-few-labels", needs };
    expect(found.agents).toMatchObject([{ agent: "orca", score: { kind: "computed" } }, { agent: "finch" }]);
    expect(found.agents[1]?.score).toEqual(refused);
    expect(found.all).toEqual(refused);
  });

  test("drawn across agents, labels represent all agents together, not a single one", () => {
    const found = correctByStratum([orca, finch], { isAcrossAgents: true });
    expect(found.agents[1]?.score).toMatchObject({ reason: "too-few-labels" });
    // 260 of 400 passed; 27 of their 30 labels are right. Of the others, 4 of 22 are wrong.
    const all = expectComputed(found.all);
    expectClose(all.corrected, 0.65 * (27 / 30) + 0.35 * (4 / 22), "corrected");
    expect(all).toMatchObject({ method: "by-verdict", nLabels: 52, nTrials: 400 });
  });

  test("too few of all together: what is needed is needed of any agent", () => {
    const thin = [readAgent("orca", [200, 100], [9, 0, 1, 1]), readAgent("finch", [60, 40], [2, 0, 1, 1])];
    const { all } = correctByStratum(thin, { isAcrossAgents: true });
    expect(all).toMatchObject({ needs: [{ agent: null, verdict: "failed", nLabelled: 4, nMore: 1 }] });
  });

  test("a verdict that no trial has needs nothing, one with three trials needs three labels", () => {
    const all = readAgent("always", [50, 0], [9, 1, 0, 0]);
    const three = readAgent("three", [50, 3], [9, 1, 1, 1]);
    const found = correctByStratum([all, three, readAgent("none", [0, 0], [])], { isAcrossAgents: false });
    expect(found.agents.map(({ score }) => score)).toMatchObject([
      { corrected: 0.9 },
      { needs: [{ agent: "three", verdict: "failed", nMore: 1 }] },
      { kind: "unavailable", reason: "no-values" },
    ]);
    expect(correctByStratum([], { isAcrossAgents: true }).all).toEqual({
      kind: "unavailable",
      reason: "no-values",
    });
  });
});

const RATES = [
  "truePositiveRate",
  "trueNegativeRate",
  "positivePredictiveValue",
  "negativePredictiveValue",
] as const;

describe("accuracy of labels drawn by stratum", () => {
  test("scikit-learn's weighted rates, and limits linearised label by label, for 40 draws", () => {
    expect(reference.accuracies).toHaveLength(40);
    for (const { own, outside, population, weights, rates, limits } of reference.accuracies) {
      const found = expectComputed(
        computeVerifierAccuracy(listLabels(own), {
          design: "by-stratum",
          population: population.map(([nPassed = 0, nFailed = 0], agent) => ({
            stratum: String(agent),
            nPassed,
            nFailed,
          })),
          outside: listLabels(outside),
        }),
      );
      RATES.forEach((name, index) => {
        const { rate, low, high, method } = expectComputed(found[name]);
        const [least = Number.NaN, most = Number.NaN] = limits[index] ?? [];
        expectClose(rate, rates[index] ?? Number.NaN, name);
        expect(low).toBeCloseTo(Math.min(rate, least), 10);
        expect(high).toBeCloseTo(Math.max(rate, most), 10);
        expect(method).toBe("logit-by-stratum");
      });
      [found.bothPassed, found.onlyVerifierPassed, found.onlyHumanPassed, found.bothFailed].forEach(
        ({ weight }, index) => expectClose(weight, weights[index] ?? Number.NaN, "weight"),
      );
    }
  });

  test("one stratum is a draw by verdict", () => {
    const labels = listLabels([[45, 5, 4, 16]]);
    const verdicts = { nPassed: 300, nFailed: 100 };
    const one = expectComputed(
      computeVerifierAccuracy(labels, { design: "by-stratum", population: [{ stratum: "0", ...verdicts }] }),
    );
    const plain = expectComputed(
      computeVerifierAccuracy(labels, { design: "by-verdict", population: verdicts }),
    );
    for (const name of RATES.slice(0, 2)) {
      const [a, b] = [expectComputed(one[name]), expectComputed(plain[name])];
      expectClose(a.rate, b.rate, name);
      expectClose(a.low, b.low, name);
      expectClose(a.high, b.high, name);
    }
    for (const name of RATES.slice(2))
      expect(one[name]).toMatchObject({ rate: expectComputed(plain[name]).rate });
  });

  test("a stratum without labels takes from every rate that it belongs to, and no other", () => {
    const found = expectComputed(
      computeVerifierAccuracy(
        listLabels([
          [8, 2, 1, 9],
          [6, 0, 0, 0],
        ]),
        {
          design: "by-stratum",
          population: [
            { stratum: "0", nPassed: 50, nFailed: 50 },
            { stratum: "1", nPassed: 30, nFailed: 1 },
          ],
        },
      ),
    );
    const refused = { kind: "unavailable", reason: "too-few-labels" };
    expect(RATES.map((name) => found[name])).toMatchObject([refused, refused, { n: 16 }, refused]);
    // 50 x 0.8 + 30 of 80
    expectClose(expectComputed(found.positivePredictiveValue).rate, 70 / 80, "PPV");
    expect(found).toMatchObject({ onlyHumanPassed: { count: 1, weight: null }, bothPassed: { weight: 70 } });
  });

  test("rates that are not known are needed for every figure", () => {
    const needed = { kind: "unavailable", reason: "weights-needed" };
    const labels = listLabels([[8, 2, 1, 9]]);
    for (const population of [null, [{ stratum: "other", nPassed: 50, nFailed: 50 }]]) {
      const found = expectComputed(computeVerifierAccuracy(labels, { design: "by-stratum", population }));
      expect(RATES.map((name) => found[name])).toEqual([needed, needed, needed, needed]);
      expect(found.bothPassed).toEqual({ count: 8, weight: null });
    }
  });

  test("no error among the labels is not certainty", () => {
    const found = expectComputed(
      computeVerifierAccuracy(
        listLabels([
          [20, 0, 0, 20],
          [20, 0, 0, 20],
        ]),
        {
          design: "by-stratum",
          population: [
            { stratum: "0", nPassed: 300, nFailed: 100 },
            { stratum: "1", nPassed: 100, nFailed: 300 },
          ],
        },
      ),
    );
    for (const name of RATES) {
      const { rate, low, high } = expectComputed(found[name]);
      expect([rate, high]).toEqual([1, 1]);
      expect(low).toBeLessThan(0.95);
    }
  });
});
