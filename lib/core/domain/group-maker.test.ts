import { expect, it } from "vitest";

import { createGroupMaker } from "./group-maker";

it("makes of each group what it is made of alone, and of a whole one once for all lists", () => {
  const all = Array.from({ length: 12 }, (_, n) => n);
  const makes: number[] = [];
  const list = createGroupMaker(
    all,
    (n) => n % 3,
    (own, key) => {
      makes.push(key);
      return own.join();
    },
  );
  const filters = [
    () => true,
    (n: number) => n !== 4,
    (n: number) => n % 3 === 1,
    (n: number) => n > 8,
    () => false,
  ];
  for (const filter of filters) {
    const some = all.filter(filter);
    const expected = [...Map.groupBy(some, (n) => n % 3)].map(([key, own]) => [key, own.join()]);
    expect([...list(some)]).toEqual(expected);
  }
  // Whole once each; 1 without 4; then all three of what is above 8.
  expect(makes).toEqual([0, 1, 2, 1, 0, 1, 2]);
});
