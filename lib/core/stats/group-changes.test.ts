import { expect, test } from "vitest";

import { computeGroupChanges } from "./group-changes";

const pair = (group: string, task: string, before: number, after: number) => ({ group, task, before, after });

test("groups are ranked before and after, over the same trials, the best after first", () => {
  const changes = computeGroupChanges([
    pair("orca", "a", 1, 0.25),
    pair("orca", "b", 0.5, 0.25),
    pair("lamp", "a", 0.5, 0.5),
    pair("lamp", "b", 0, 0.5),
    pair("tern", "a", 0, 0),
  ]);
  expect(
    changes.map(({ group, before, after, difference, rankBefore, rankAfter, n, nChanged }) => [
      group,
      before.mean,
      after.mean,
      difference,
      rankBefore,
      rankAfter,
      n,
      nChanged,
    ]),
  ).toEqual([
    ["lamp", 0.25, 0.5, 0.25, 2, 1, 2, 1],
    ["orca", 0.75, 0.25, -0.5, 1, 2, 2, 2],
    ["tern", 0, 0, 0, 3, 3, 1, 0],
  ]);
});

test("equal means share a rank, also when they were added in another order", () => {
  const changes = computeGroupChanges([
    pair("a", "x", 1, 0.1),
    pair("a", "y", 1, 0.2),
    pair("a", "z", 1, 0.3),
    pair("b", "x", 1, 0.3),
    pair("b", "y", 1, 0.2),
    pair("b", "z", 1, 0.1),
    pair("c", "x", 0, 0),
  ]);
  expect(changes.map(({ group, rankBefore, rankAfter }) => [group, rankBefore, rankAfter])).toEqual([
    ["a", 1, 1],
    ["b", 1, 1],
    ["c", 3, 3],
  ]);
});

test("intervals count tasks, not trials; no pair is no group", () => {
  const [group] = computeGroupChanges([
    pair("a", "x", 0, 1),
    pair("a", "x", 0, 1),
    pair("a", "y", 0.5, 0),
    pair("a", "y", 0.5, 0),
  ]);
  expect(group?.before).toMatchObject({
    mean: 0.25,
    nTasks: 2,
    n: 4,
    bounds: { method: "cluster-t", df: 1 },
  });
  expect(computeGroupChanges([])).toEqual([]);
});
