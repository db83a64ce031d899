import { expect, it } from "vitest";

import { DeflatedValues } from "./deflated-values";

const MANY = 5_000;

function fill(text: string) {
  const batches = [new DeflatedValues<{ readonly at: number; readonly text: string }>()];
  const places = Array.from({ length: MANY }, (_, at) => {
    if (batches.at(-1)?.isFull === true) batches.push(new DeflatedValues());
    const batch = batches.at(-1);
    return { batch, place: batch?.add({ at, text }) ?? -1 };
  });
  return { batches, places };
}

it("returns every value, in any order, from full batches and the last one", () => {
  const { batches, places } = fill("a");
  expect(batches.length).toBeGreaterThan(2);
  const found = places.toReversed().map(({ batch, place }) => batch?.read(place).at);
  expect(found).toEqual(Array.from(places.keys()).toReversed());
});

it("ends a batch earlier if its values are long", () => {
  expect(fill("a".repeat(10_000)).batches.length).toBeGreaterThan(fill("a").batches.length);
});
