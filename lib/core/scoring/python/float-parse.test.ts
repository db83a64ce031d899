import { describe, expect, it } from "vitest";

import { parsePythonFloat, parsePythonInt, toPythonFloat, toPythonInt } from "./float-parse";

const raises = (name: string): unknown => expect.objectContaining({ name });

describe("parsePythonFloat", () => {
  it.each([
    [" \t1_0.5\r\n", 10.5],
    ["\u00a0\u2003-2", -2],
    ["\u0661\u0662.\uff15", 12.5],
    ["\u{1d7d8}", 0],
    ["iNFinity", Infinity],
    ["-inf", -Infinity],
    ["+NaN", NaN],
    ["1e400", Infinity],
    ["-0", -0],
    [".5", 0.5],
    ["5.", 5],
    ["9007199254740993", 9007199254740992],
  ])("reads %j", (text, expected) => {
    expect(parsePythonFloat(text)).toBe(expected);
  });

  it.each([
    "",
    " ",
    "1,0",
    "0x10",
    "1__0",
    "_1",
    "1_.5",
    "\u001c1",
    "1\u200b",
    "1\0",
    "1 0",
    "\u00b2",
    "nan_",
  ])("rejects %j", (text) => {
    expect(() => parsePythonFloat(text)).toThrow(raises("ValueError"));
  });
});

describe("parsePythonInt", () => {
  it("takes white space, sign, underscores and leading zeros", () => {
    expect(parsePythonInt(" -0_07\n")).toBe(-7n);
    expect(parsePythonInt("+\u0663")).toBe(3n);
    expect(parsePythonInt("9".repeat(4300))).toBe(10n ** 4300n - 1n);
  });

  it.each(["3.0", "", "1_", "+ 1", "9".repeat(4301), "1".padStart(4301, "0")])("rejects %s", (text) => {
    expect(() => parsePythonInt(text)).toThrow(raises("ValueError"));
  });
});

describe("toPythonFloat and toPythonInt", () => {
  it("convert what Python converts", () => {
    expect([1n, true, false, " 1 ", 1.5].map(toPythonFloat)).toEqual([1, 1, 0, 1, 1.5]);
    expect([1n, true, false, " 1 ", -1.9].map(toPythonInt)).toEqual([1n, 1n, 0n, 1n, -1n]);
  });

  it("raise what Python raises", () => {
    for (const convert of [toPythonFloat, toPythonInt]) {
      expect(() => convert(null)).toThrow(raises("TypeError"));
      expect(() => convert([])).toThrow(raises("TypeError"));
      expect(() => convert("x")).toThrow(raises("ValueError"));
    }
    expect(() => toPythonInt(NaN)).toThrow(raises("ValueError"));
    expect(() => toPythonInt(Infinity)).toThrow(raises("OverflowError"));
    expect(() => toPythonFloat(10n ** 400n)).toThrow(raises("OverflowError"));
  });
});

it("reads hostile text", () => {
  const hostile = [`x${" ".repeat(10_000)}x`, `${"1_".repeat(10_000)}x`, `${"1".repeat(10_000)}x`];
  for (const text of hostile) expect(() => parsePythonFloat(text)).toThrow(raises("ValueError"));
  expect(parsePythonFloat(`${"1_".repeat(10_000)}1`)).toBe(Infinity);
});
