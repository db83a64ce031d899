import { expect, test } from "vitest";

import { computeDimensionOverview, computeLossShares } from "./dimensions";
import { expectClose } from "./expect-close.fixture";
import reference from "./reference/dimensions.json";

const nameTasks = (tasks: readonly (readonly (number | null)[])[]) =>
  tasks.map((values, index) => ({ task: String(index), values }));

const DIMENSIONS = reference.dimensions.map(({ groups, ...rest }) => ({
  ...rest,
  groups: groups.map(nameTasks),
}));

test("pooled means and paired differences are NumPy's and SciPy's, worst first", () => {
  const standings = computeDimensionOverview(DIMENSIONS, { missing: "exclude", pair: [0, 1] });
  expect(standings).toHaveLength(4);
  for (const { dimension, groups, difference, nTasks } of standings) {
    expect(nTasks).toBe(dimension.groups[0]?.length);
    for (const [at, expected] of dimension.expected.entries()) {
      const found = groups[at];
      if (found?.kind !== "computed" || found.bounds.kind !== "computed") throw new Error("no interval");
      expect(found.bounds.method).toBe("cluster-t");
      expect(found.n).toBe(expected.n);
      expectClose(found.mean, expected.mean, "mean");
      expectClose(found.bounds.low, expected.low, "low");
      expectClose(found.bounds.high, expected.high, "high");
    }
    if (difference?.kind !== "computed" || difference.bounds.kind !== "computed") throw new Error("no pair");
    expectClose(difference.difference, dimension.pair.difference, "difference");
    // As distances, since an end near 0 has few digits of its own.
    const { pair } = dimension;
    expect(difference.difference - difference.bounds.low).toBeCloseTo(pair.difference - pair.low, 8);
    expect(difference.bounds.high - difference.difference).toBeCloseTo(pair.high - pair.difference, 8);
  }
  const order = reference.dimensions
    .map(({ name, expected }) => ({ name, mean: expected.reduce((sum, { mean }) => sum + mean, 0) / 3 }))
    .sort((a, b) => a.mean - b.mean);
  expect(standings.map(({ dimension }) => dimension.name)).toEqual(order.map(({ name }) => name));
});

test("without a pair there is no difference, and dimensions without values come last", () => {
  const silent = { name: "silent", groups: [nameTasks([[null, null]]), []] };
  const known = { name: "known", groups: [nameTasks([[1], [1]]), []] };
  const [first, last] = computeDimensionOverview([silent, known], { missing: "exclude", pair: null });
  expect(first).toMatchObject({ dimension: known, mean: 1, nTasks: 2, difference: null });
  expect(last).toMatchObject({ dimension: silent, mean: null, nTasks: 0 });
  expect(last?.groups.map(({ kind }) => kind)).toEqual(["unavailable", "unavailable"]);
});

test("shares of what was lost are NumPy's, and sum to 1", () => {
  const { trials, expected } = reference.losses;
  const shares = computeLossShares(trials);
  for (const [name, share] of Object.entries(expected)) expectClose(shares?.get(name) ?? null, share, name);
  expectClose(
    [...(shares?.values() ?? [])].reduce((sum, share) => sum + share, 0),
    1,
    "sum",
  );
});

test("no shares of loss where nothing was lost or weights are not weights", () => {
  expect(computeLossShares([])).toBeNull();
  expect(computeLossShares([[{ name: "a", share: 1, weight: 1 }]])).toBeNull();
  expect(computeLossShares([[{ name: "a", share: 0, weight: 0 }]])).toBeNull();
  expect(
    computeLossShares([
      [
        { name: "a", share: 0, weight: 3 },
        { name: "b", share: 0, weight: -1 },
      ],
    ]),
  ).toBeNull();
});
