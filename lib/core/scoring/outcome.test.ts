import { describe, expect, it } from "vitest";

import { deriveOutcome, deriveOutcomeFromStats } from "./outcome";
import type { PyValue } from "./python/value";

const derive = (text: string): ReturnType<typeof deriveOutcome> =>
  deriveOutcome(new TextEncoder().encode(text));
const withStats = (stats: string): string => `{"n_total_trials": 4, "stats": ${stats}}`;

describe("deriveOutcome", () => {
  it("prints the line of a finished job", () => {
    const outcome = derive(
      withStats(
        '{"n_completed_trials": 4, "evals": {"a": {"metrics": [{"mean": 0.5, "x": 9}, {"b": 1, "c": "0"}]}, "b": {}}}',
      ),
    );
    expect(outcome).toEqual({
      line: 'BASE_BENCHMARK_RESULT={"reason_code": null, "resolved": 2, "score": 0.5, "status": "completed", "total": 4}',
      status: "completed",
      score: 0.5,
      resolved: 2n,
      total: 4n,
      reasonCode: null,
    });
  });

  it("takes the total from the counters when the file has none, and fails on an errored trial", () => {
    expect(derive('{"stats": {"n_completed_trials": "3", "n_errored_trials": 2.9}}')).toMatchObject({
      status: "failed",
      score: 0,
      resolved: 0n,
      total: 5n,
      reasonCode: null,
    });
    expect(
      derive('{"n_total_trials": [], "stats": {"n_completed_trials": {}, "n_errored_trials": ""}}'),
    ).toMatchObject({
      status: "completed",
      total: 0n,
    });
  });

  it("tells a missing file from a malformed one", () => {
    expect(deriveOutcome(null)).toMatchObject({ status: "failed", reasonCode: "harbor_result_missing" });
    for (const text of [
      "",
      "[]",
      withStats("null"),
      withStats('{"evals": []}'),
      withStats('{"evals": {"a": 1}}'),
    ]) {
      expect(derive(text)).toMatchObject({
        status: "failed",
        total: 0n,
        reasonCode: "harbor_result_malformed",
      });
    }
  });

  it.each([
    ["null", true],
    ['"mean"', true],
    ["1", true],
    ["[[]]", true],
    ['[{"mean": null}]', true],
    ['[{"mean": NaN}]', true],
    ['""', false],
    ["{}", false],
    ["[{}]", false],
  ])("metrics %s are malformed: %s", (metrics, isMalformed) => {
    const outcome = derive(withStats(`{"evals": {"a": {"metrics": ${metrics}}}}`));
    expect(outcome.reasonCode).toBe(isMalformed ? "harbor_result_malformed" : null);
  });

  it("sums as the named Python does", () => {
    const text = withStats('{"evals": {"a": {"metrics": [{"mean": 0.1}, {"mean": 0.2}, {"mean": 0.3}]}}}');
    expect(derive(text).score).toBe(0.19999999999999998);
    expect(deriveOutcome(new TextEncoder().encode(text), "sequential").score).toBe(0.20000000000000004);
  });
});

describe("deriveOutcomeFromStats", () => {
  const stats = { nTotalTrials: 3n, nCompletedTrials: 3n, nErroredTrials: 0n };
  const metric = (value: PyValue): Map<string, PyValue> => new Map([["mean", value]]);

  it("gives the line that the same figures give in a file", () => {
    const outcome = deriveOutcomeFromStats({ ...stats, metrics: [metric(0.5), metric(1n)] });
    const file =
      '{"n_total_trials": 3, "stats": {"evals": {"a": {"metrics": [{"mean": 0.5}, {"mean": 1}]}}}}';
    expect(outcome).toEqual(derive(file));
    expect(
      deriveOutcomeFromStats({ ...stats, metrics: [0.1, 0.2, 0.3].map(metric) }, "sequential").score,
    ).toBe(0.20000000000000004);
  });

  it("is malformed when the figures make no number", () => {
    expect(deriveOutcomeFromStats({ ...stats, metrics: [metric(NaN)] }).reasonCode).toBe(
      "harbor_result_malformed",
    );
  });
});
