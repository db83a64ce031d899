import { expect, it } from "vitest";

import { keepForGeneration, keepLatest } from "./keep-latest";

it("keeps what was asked for last, and no failure", async () => {
  const keep = keepLatest<number>(2);
  let n = 0;
  const next = () => Promise.resolve(++n);
  expect([await keep("a", next), await keep("b", next), await keep("a", next)]).toEqual([1, 2, 1]);
  expect([await keep("c", next), await keep("a", next), await keep("b", next)]).toEqual([3, 1, 4]);
  await expect(keep("d", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await keep("d", next)).toBe(5);
});

it("keeps a value until the next generation of its store, and no failure", async () => {
  const keep = keepForGeneration(2);
  const [one, other] = [{}, {}];
  let n = 0;
  const ask = (store: object, generation: number, name = "count") =>
    keep({ store, generation }, name, () => Promise.resolve(++n));
  expect([await ask(one, 1), await ask(one, 1), await ask(other, 1), await ask(one, 1)]).toEqual([
    1, 1, 2, 1,
  ]);
  expect([await ask(one, 2), await ask(one, 2)]).toEqual([3, 3]);
  const fail = () => keep({ store: one, generation: 2 }, "broken", () => Promise.reject(new Error("locked")));
  await expect(fail()).rejects.toThrow("locked");
  expect(await ask(one, 2, "broken")).toBe(4);
});
