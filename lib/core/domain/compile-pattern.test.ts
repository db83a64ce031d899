import { setFlagsFromString } from "node:v8";

import { expect, it, onTestFinished } from "vitest";

import { compilePattern } from "./run-in-time";

it("ignores case where all of a pattern asks for it, also in a process that has compiled many patterns", () => {
  // V8 does this for new patterns after it compiled many.
  setFlagsFromString("--no-regexp-optimization");
  onTestFinished(() => setFlagsFromString("--regexp-optimization"));
  const test = (source: string, text: string, flags = "m") => compilePattern(source, flags).test(text);
  expect(test("(?i:this session|that one)", "This session")).toBe(true);
  expect(test("(?i:this session|that one)", "THAT ONE", "im")).toBe(true);
  expect(test("(?i:this)|(?:that)", "That")).toBe(false);
  expect(test("(?i:this)|(that)", "that")).toBe(true);
  expect(() => compilePattern("(?i:this", "m")).toThrow(SyntaxError);
});
