import { describe, expect, it } from "vitest";

import { keyParam, listParam, numberParam, oneOf, pageParam, someOf, textParam } from "./params";

describe("values of an address", () => {
  it("reads a name that stands there never, once or several times", () => {
    expect([undefined, "a", ["a", "b"]].map((value) => listParam.parse(value))).toEqual([
      [],
      ["a"],
      ["a", "b"],
    ]);
    expect([undefined, "", "a", ["a", "b"]].map((value) => keyParam.parse(value))).toEqual([
      null,
      null,
      "a",
      "b",
    ]);
  });

  it("cuts texts, and takes no text for a number", () => {
    expect(textParam.parse(`  ${"x".repeat(300)} `)).toHaveLength(200);
    expect(["", " ", "abc", "1e999", "0", "-0.5"].map((value) => numberParam.parse(value))).toEqual([
      null,
      null,
      null,
      null,
      0,
      -0.5,
    ]);
    expect([undefined, "0", "-1", "1.5", "x", "7"].map((value) => pageParam.parse(value))).toEqual([
      1, 1, 1, 1, 1, 7,
    ]);
  });

  it("keeps to the known values, in the known order", () => {
    const known = ["a", "b", "c"] as const;
    expect(someOf(known).parse(["c", "x", "a", "a"])).toEqual(["a", "c"]);
    expect([undefined, "x", "b"].map((value) => oneOf(known, null).parse(value))).toEqual([null, null, "b"]);
    expect(oneOf(known, "a").parse("__proto__")).toBe("a");
  });
});
