import { expect, it } from "vitest";

import type { BreakdownDimension } from "@/lib/core/domain/breakdown";
import type { TestCase, TestReport } from "@/lib/core/domain/trial-file";

import { compareDimensions, compareTests } from "./compare-verifiers";

function makeReport(statuses: Readonly<Record<string, TestCase["status"]>>): TestReport {
  const tests = Object.entries(statuses).map(([name, status]) => ({
    name: name.replace(/~.*/, ""),
    status,
    durationMs: null,
    message: null,
    trace: null,
  }));
  const nFailed = tests.filter(({ status }) => status === "failed").length;
  return {
    file: "verifier/ctrf.json",
    step: null,
    form: "ctrf",
    tool: null,
    isCounted: true,
    tests,
    nTests: tests.length,
    nPassed: tests.length - nFailed,
    nFailed,
  };
}

it("compares tests by name, differing ones first, a repeated name by occurrence", () => {
  const a = makeReport({ both: "passed", won: "failed", lost: "passed", gone: "passed", bad: "failed" });
  const b = makeReport({ won: "passed", lost: "failed", both: "passed", bad: "failed", made: "skipped" });
  const { rows, nDiffering, part } = compareTests([a], [b], 0);
  expect(rows.map(({ name, a: one, b: other }) => [name, one?.status, other?.status])).toEqual([
    ["lost", "passed", "failed"],
    ["won", "failed", "passed"],
    ["gone", "passed", undefined],
    ["made", undefined, "skipped"],
    ["bad", "failed", "failed"],
    ["both", "passed", "passed"],
  ]);
  expect([nDiffering, part.total]).toEqual([4, 6]);
  expect(compareTests([a], [], 0)).toMatchObject({ nDiffering: null, part: { total: 5 } });
  const twice = compareTests(
    [makeReport({ "x~1": "passed", "x~2": "failed" })],
    [makeReport({ "x~1": "passed", "x~2": "passed" })],
    0,
  );
  expect([twice.nDiffering, twice.part.total]).toEqual([1, 2]);
});

it("tells a dimension that a trial does not name from one without a score, and compares scores as written", () => {
  const make = (
    name: string,
    scoreText: string | null,
    maxScore: number | null = null,
  ): BreakdownDimension => ({
    name,
    score: scoreText === null ? null : Number(scoreText),
    scoreText,
    maxScore,
    normalised: null,
    clamped: false,
    weight: null,
    evidence: null,
    method: null,
    warnings: [],
    criteria: [],
    nCriteria: 0,
    nMet: null,
    children: [],
    nChildren: 0,
    rawJson: null,
  });
  const source = (dimensions: readonly BreakdownDimension[]) => [
    { file: "verifier/details.json", step: null, dimensions, statedReward: null },
  ];
  const { rows, nDiffering } = compareDimensions(
    source([
      make("style", "0.5"),
      make("depth", null),
      make("tests", "1"),
      make("scale", "1", 2),
      make("mine", "0"),
    ]),
    source([make("style", "0.5"), make("depth", "0"), make("tests", "0.25"), make("scale", "1", 4)]),
  );
  expect(rows.map(({ name, relation }) => `${name} ${relation}`)).toEqual([
    "depth differs",
    "tests differs",
    "scale differs",
    "mine only-a",
    "style same",
  ]);
  expect(compareDimensions(source([make("style", "0.5")]), []).nDiffering).toBeNull();
  expect([rows[0]?.a?.scoreText, rows[3]?.b, nDiffering]).toEqual([null, null, 4]);
});
