import { describe, expect, it } from "vitest";

import { MAX_DEPTH, parsePythonJson } from "./json-parse";

function nest(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

describe("parsePythonJson", () => {
  it("keeps int and float apart", () => {
    expect(parsePythonJson("[1, 1.0, -0, -0.0, 1e2, 9007199254740993]")).toEqual([
      1n,
      1,
      0n,
      -0,
      100,
      9007199254740993n,
    ]);
  });

  it("keeps a repeated key in its first place with its last value", () => {
    expect(parsePythonJson('{"b": 1, "a": 2, "b": 3, "10": 4, "__proto__": 5}')).toEqual(
      new Map([
        ["b", 3n],
        ["a", 2n],
        ["10", 4n],
        ["__proto__", 5n],
      ]),
    );
  });

  it("reads escapes, quotes behind backslashes and lone surrogates", () => {
    expect(
      parsePythonJson(
        String.raw`["\\", "a\"b", "\\\"", "\ud800", "\ud83d\ude00", "long enough to be copied\n"]`,
      ),
    ).toEqual(["\\", 'a"b', '\\"', "\ud800", "\u{1f600}", "long enough to be copied\n"]);
  });

  it.each([
    ["", "Expecting value"],
    ["[1,]", "Expecting value"],
    ["[1 2]", "Expecting ',' delimiter"],
    ['{"a" 1}', "Expecting ':' delimiter"],
    ['{"a": 1 "b": 2}', "Expecting ',' delimiter"],
    ["{1: 2}", "Expecting property name"],
    ["-", "Expecting value"],
    ["-NaN", "Expecting value"],
    ["1 1", "Extra data"],
    ["01", "Extra data"],
    ["1.", "Extra data"],
    ["0x1", "Extra data"],
    [".5", "Expecting value"],
    ["--1", "Expecting value"],
    ["1e+", "Extra data"],
    ['"abc', "Unterminated string"],
    ['"abc\\"', "Unterminated string"],
    ['"a\tb"', "Invalid escape or control character"],
    ['"\\x"', "Invalid escape or control character"],
    ["\ufeff1", "Unexpected UTF-8 BOM"],
  ])("rejects %j", (text, message) => {
    expect(() => parsePythonJson(text)).toThrow(
      expect.objectContaining({
        name: "JSONDecodeError",
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  it("stops at the depth limit instead of running out of stack", () => {
    expect(() => parsePythonJson(nest(MAX_DEPTH + 1))).not.toThrow();
    expect(() => parsePythonJson(nest(MAX_DEPTH + 2))).toThrow(
      expect.objectContaining({ name: "RecursionError" }),
    );
    expect(() => parsePythonJson("[".repeat(2_000_000))).toThrow(
      expect.objectContaining({ name: "RecursionError" }),
    );
  });

  it("refuses ints that Python refuses to convert", () => {
    expect(parsePythonJson(`-${"9".repeat(4300)}`)).toBe(-(10n ** 4300n - 1n));
    expect(() => parsePythonJson("9".repeat(4301))).toThrow(expect.objectContaining({ name: "ValueError" }));
  });
});
