import { expect, test } from "vitest";

import { findSharedPrefix } from "./shared-prefix";

test.each([
  [["terminal-bench/one-b", "terminal-bench/one-c"], "terminal-bench/"],
  [["bench__retail-0", "bench__retail-11"], "bench__"],
  [["terminal-bench/a-bcd", "terminal-bench/a-cde"], "terminal-bench/a-"],
  [["terminal-bench/one", "terminal-bench/one"], ""],
  [["build-cython-ext", "build-pmars"], "build-"],
  [["task", "task-2"], ""],
  [["a-1", "a-2"], ""],
  [["same", "other"], ""],
  [[], ""],
])("%j share %j", (names, prefix) => expect(findSharedPrefix(names)).toBe(prefix));
