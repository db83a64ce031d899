import { describe, expect, it } from "vitest";

import type { PyValue } from "./python/value";
import { validateRewards } from "./validate-rewards";

const one = (value: PyValue): Map<string, PyValue> => new Map([["a", value]]);

describe("validateRewards", () => {
  it.each<[PyValue, PyValue]>([
    [1n, 1n],
    [0.5, 0.5],
    [true, 1],
    [false, 0],
    [" 1 ", 1],
    ["1_0", 10],
    ["1_.5", 1.5],
    ["nan", NaN],
    ["-Infinity", -Infinity],
    ["+inf", Infinity],
    [" 1_0", 10n],
    ["-1_0 ", -10n],
    ["0_0 ", 0n],
    ["0-5", -5n],
  ])("keeps %s as %s", (value, expected) => {
    expect(validateRewards(one(value))).toEqual({ ok: true, rewards: one(expected) });
  });

  it("takes null and an empty object as they are", () => {
    expect(validateRewards(null)).toEqual({ ok: true, rewards: null });
    expect(validateRewards(new Map())).toEqual({ ok: true, rewards: new Map() });
  });

  it("names every value at fault", () => {
    const value = new Map<string, PyValue>([
      ["fine", 1n],
      ["text", "pass"],
      ["nothing", null],
      ["list", [1n]],
    ]);
    expect(validateRewards(value)).toEqual({
      ok: false,
      problems: [
        { type: "float_parsing", key: "text" },
        { type: "float_type", key: "nothing" },
        { type: "float_type", key: "list" },
      ],
    });
    expect(validateRewards([])).toEqual({ ok: false, problems: [{ type: "dict_type", key: null }] });
  });

  it.each(["", "1__0", " _1", "1__0 ", "-0-5", "00-00", "\uff11", "0x10"])("rejects %j", (text) => {
    expect(validateRewards(one(text))).toMatchObject({ ok: false });
  });
});

it("rejects hostile text", () => {
  const hostile = [`x${" ".repeat(10_000)}x`, `${"1".repeat(10_000)}x`, `${"0_".repeat(10_000)}x`];
  for (const text of hostile) expect(validateRewards(one(text))).toMatchObject({ ok: false });
});
