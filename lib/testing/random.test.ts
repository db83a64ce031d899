import { describe, expect, it } from "vitest";

import { Random } from "./random";

describe("Random", () => {
  it("repeats itself for the same label and does not for another", () => {
    const words = (label: string): number[] =>
      Array.from({ length: 8 }, () => 0).map(
        (
          (rng) => () =>
            rng.word()
        )(new Random(label)),
      );
    expect(words("a/1")).toEqual(words("a/1"));
    expect(words("a/1")).not.toEqual(words("a/2"));
  });

  it("forks by name, regardless of earlier draws", () => {
    const fresh = new Random("x").fork("y");
    const used = new Random("x");
    used.uuid();
    expect(used.fork("y").uuid()).toBe(fresh.uuid());
  });

  it("spreads evenly enough for samples", () => {
    const rng = new Random("spread");
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 20_000; i += 1) {
      const place = rng.int(0, 9);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(1850);
    expect(Math.max(...counts)).toBeLessThan(2150);
  });

  it("makes ids of the form Harbor uses", () => {
    const rng = new Random("ids");
    expect(rng.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(rng.shortId()).toMatch(/^[2-9A-HJ-NP-Za-km-z]{7}$/);
  });

  it("keeps order in a sample and every item in a shuffle", () => {
    const rng = new Random("lists");
    const items = [1, 2, 3, 4, 5, 6, 7];
    const chosen = rng.sample(items, 4);
    expect(chosen).toEqual([...chosen].sort((x, y) => x - y));
    expect(rng.shuffle(items).sort((x, y) => x - y)).toEqual(items);
  });
});
