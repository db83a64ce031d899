import { expect, it, vi } from "vitest";

import { createCache, createGenerationCache, createJobCache } from "./cache";

it("keeps recently used values, and no failure", async () => {
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

it("recomputes a job's value if its state changed, at any limit", async () => {
  const store = {};
  const keep = createJobCache<{ readonly id: number }>(6, () => 1);
  let read: number[] = [];
  const ask = (jobs: Readonly<Record<number, string>>) => {
    read = [];
    const states = new Map(Object.entries(jobs).map(([id, state]) => [Number(id), state]));
    return keep(store, states, (ids) => {
      read.push(...ids);
      return Promise.resolve(new Map(ids.map((id) => [id, { id }])));
    });
  };
  expect(await ask({ 1: "a", 2: "a", 3: "a" })).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(read).toEqual([1, 2, 3]);
  expect(await ask({ 1: "a", 2: "b" })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(read).toEqual([2]);
  // A job that was gone is another one.
  await ask({ 1: "a", 2: "b", 3: "a" });
  expect(read).toEqual([3]);
  // More than there is room for: all are there, and some are made again next time.
  const five = { 1: "c", 2: "c", 3: "c", 4: "c", 5: "c" };
  expect((await ask(five)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  await ask(five);
  expect(read).toEqual([1, 2]);
  await expect(keep({}, new Map([[1, "a"]]), () => Promise.reject(new Error("locked")))).rejects.toThrow(
    "locked",
  );
});

it("drops values that are unused since their last access", async () => {
  vi.useFakeTimers();
  try {
    const keep = createCache<{ n: number }>(2, 1_000);
    let n = 0;
    const ask = async () => (await keep("a", () => Promise.resolve({ n: ++n }))).n;
    expect(await ask()).toBe(1);
    for (const ms of [900, 900, 900]) {
      vi.advanceTimersByTime(ms);
      expect(await ask()).toBe(1);
    }
    vi.advanceTimersByTime(100);
    // It is removed, not only expired.
    expect(vi.getTimerCount()).toBe(1);
    for (const ms of [1_000, 100]) vi.advanceTimersByTime(ms);
    expect(vi.getTimerCount()).toBe(0);
    expect(await ask()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
