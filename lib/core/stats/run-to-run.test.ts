import { expect, it } from "vitest";

import { computeRunBounds, computeRunToRun } from "./run-to-run";

const RULE = { missing: "zero" } as const;

/** A row of values is a run, a column a task. */
function asRuns(rows: readonly (readonly (number | null)[])[]) {
  return rows.map((row) => row.map((value, at) => ({ task: `task-${String(at)}`, values: [value] })));
}

it("finds no component where runs differ less than chance inside tasks makes them", () => {
  // NumPy for the sums of squares, scipy.stats.f.sf for p.
  const found = computeRunToRun(
    asRuns([
      [1, 0, 1, 1, 0, 0.5],
      [1, 0, 0, 1, 0, 0.25],
      [0, 0, 1, 1, 1, 1],
    ]),
    RULE,
  );
  if (found.kind === "unavailable") throw new Error(found.reason);
  expect(found).toMatchObject({ component: 0, nRuns: 3, nTasks: 6, isRate: true });
  expect(found.spread).toBeCloseTo(0.15023130314433286, 12);
  expect(found.expected).toBeCloseTo(0.18352262954621032, 12);
  expect(found.p).toBeCloseTo(0.5332062673935589, 10);
});

it("finds what runs have of their own, and widens a difference by it", () => {
  const found = computeRunToRun(
    asRuns([
      [0.5, 0, 0.5, 0.5, 0, 0.25],
      [0.7, 0.2, 0.2, 0.7, 0.2, 0.325],
      [0.4, 0.4, 0.9, 0.9, 0.9, 0.9],
    ]),
    RULE,
  );
  if (found.kind === "unavailable") throw new Error(found.reason);
  expect(found.component).toBeCloseTo(0.213437474581095, 12);
  expect(found.p).toBeCloseTo(0.016157082430170673, 10);
  // The same variances through Welch and Satterthwaite in NumPy, scipy.stats.t.ppf for the limits.
  const calm = { ...found, component: 0 };
  const bounds = computeRunBounds(0.1, { standardError: 0.04, df: 5, level: 0.95 }, [found, calm]);
  if (bounds.kind === "unavailable") throw new Error(bounds.reason);
  expect(bounds.df).toBeCloseTo(2.4328635164569836, 10);
  expect(bounds.low).toBeCloseTo(-0.37239690208995746, 8);
  expect(bounds.high).toBeCloseTo(0.5723969020899575, 8);
});

it("counts attempts of a run by their mean, and tasks that every run has alone", () => {
  const runs = [
    [
      { task: "a", values: [1, 0] },
      { task: "b", values: [1, null] },
      { task: "c", values: [1] },
    ],
    [
      { task: "b", values: [1] },
      { task: "a", values: [0, 0, 0] },
    ],
  ];
  expect(computeRunToRun(runs, RULE)).toMatchObject({ means: [0.5, 0.5], nTasks: 2, component: 0 });
  expect(computeRunToRun(runs, { missing: "exclude" })).toMatchObject({ means: [0.75, 0.5] });
});

it("says why it knows nothing", () => {
  const one = asRuns([[1, 0]]);
  expect(computeRunToRun(one, RULE)).toEqual({ kind: "unavailable", reason: "one-run" });
  expect(computeRunToRun([...one, []], RULE)).toEqual({ kind: "unavailable", reason: "no-common-tasks" });
  expect(computeRunToRun(asRuns([[1], [0]]), RULE)).toEqual({ kind: "unavailable", reason: "one-task" });
  expect(
    computeRunToRun(
      asRuns([
        [1, Infinity],
        [0, 1],
      ]),
      RULE,
    ),
  ).toEqual({
    kind: "unavailable",
    reason: "not-finite",
  });
  expect(
    computeRunToRun(
      asRuns([
        [1, 0],
        [1, 0],
      ]),
      RULE,
    ),
  ).toMatchObject({ p: null, component: 0 });
  expect(
    computeRunBounds(0.1, { standardError: 0.04, df: 5, level: 0.95 }, [
      { kind: "unavailable", reason: "one-run" },
    ]),
  ).toEqual({ kind: "unavailable", reason: "one-run" });
});
