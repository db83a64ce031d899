import { expect, test, vi } from "vitest";

import { oncePer } from "./once-per";

test("computes a value once per object, null and undefined too", () => {
  const compute = vi.fn((list: readonly number[]) => list[0]);
  const first = oncePer(compute);
  const [one, empty] = [[1], []];
  expect([first(one), first(empty), first(one), first(empty)]).toEqual([1, undefined, 1, undefined]);
  expect(compute).toHaveBeenCalledTimes(2);
});
