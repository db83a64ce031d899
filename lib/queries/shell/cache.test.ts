import { expect, it } from "vitest";

import { createGenerationCache, createCache } from "./cache";

it("keeps what was asked for last, and no failure", async () => {
  const keep = createCache<{ n: number }>(2);
  let n = 0;
  const ask = async (key: string) => (await keep(key, () => Promise.resolve({ n: ++n }))).n;
  expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([1, 2, 1]);
  expect([await ask("c"), await ask("a"), await ask("b")]).toEqual([3, 1, 4]);
  const fail = () => keep("d", () => Promise.reject(new Error("gone")));
  expect((await Promise.allSettled([fail(), fail()])).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
  expect(await ask("d")).toBe(5);
  const loads = ["e", "f", "g", "e"].map(ask);
  expect(await Promise.all(loads)).toEqual([6, 7, 8, 9]);
});

it("keeps a value until the next generation of its store, and no failure", async () => {
  const keep = createGenerationCache(2);
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
