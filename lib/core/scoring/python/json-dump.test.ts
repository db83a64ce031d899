import { expect, it } from "vitest";

import { dumpPythonJson } from "./json-dump";
import type { PyValue } from "./value";

it("writes what json.dumps writes", () => {
  const value: PyValue = new Map<string, PyValue>([
    ["é\u{1f600}\u007f", [null, true, false, 1n, 1, 1e16, 1e-5, -0]],
    ["Z", [NaN, Infinity, -Infinity, 'q"\\\n\r\t\f\b\u0001']],
    ["empty", [[], new Map()]],
  ]);
  expect(dumpPythonJson(value)).toBe(
    String.raw`{"\u00e9\ud83d\ude00\u007f": [null, true, false, 1, 1.0, 1e+16, 1e-05, -0.0], ` +
      String.raw`"Z": [NaN, Infinity, -Infinity, "q\"\\\n\r\t\f\b\u0001"], "empty": [[], {}]}`,
  );
});

it("sorts the keys of every object by code point when asked", () => {
  const inner = new Map<string, PyValue>([
    ["\u{1f600}", 1n],
    ["\uffff", 2n],
  ]);
  const value = new Map<string, PyValue>([
    ["b", inner],
    ["a", null],
  ]);
  expect(dumpPythonJson(value, { sortKeys: true })).toBe(
    String.raw`{"a": null, "b": {"\uffff": 2, "\ud83d\ude00": 1}}`,
  );
  expect(dumpPythonJson(value, { sortKeys: false })).toBe(
    String.raw`{"b": {"\ud83d\ude00": 1, "\uffff": 2}, "a": null}`,
  );
});
