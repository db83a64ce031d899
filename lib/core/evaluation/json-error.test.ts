import { expect, it } from "vitest";

import { parseEvaluationResult } from "./index";

// CPython 3.11's message for each text.
it.each([
  ["", "Expecting value: line 1 column 1 (char 0)"],
  ["\ufeff{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"],
  ["  \n", "Expecting value: line 2 column 1 (char 3)"],
  ["\n\n[1,\n2,,]", "Expecting value: line 4 column 3 (char 8)"],
  ['{"reward": 1.0}garbage', "Extra data: line 1 column 16 (char 15)"],
  ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
  ["{'a': 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
  ["[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"],
  ['{"😀": 1,,}', "Expecting property name enclosed in double quotes: line 1 column 9 (char 8)"],
  ['{"a": "abc', "Unterminated string starting at: line 1 column 7 (char 6)"],
  ['{"a\\"": "x\ny"}', "Invalid control character at: line 1 column 11 (char 10)"],
  ['{"a": "\\q"}', "Invalid \\escape: line 1 column 8 (char 7)"],
  ['{"a": "\\n\\u12"}', "Invalid \\uXXXX escape: line 1 column 11 (char 10)"],
])("%j: %s", (text, message) => {
  expect(parseEvaluationResult(text)).toEqual({
    ok: false,
    issues: [{ path: [], code: "JSONDecodeError", message }],
  });
});
