import { expect, test } from "vitest";

import { findSharedPrefix } from "./shared-prefix";

test.each([
  [["terminal-bench/a-b", "terminal-bench/a-c"], "terminal-bench/a-"],
  [["terminal-bench/one", "terminal-bench/one"], ""],
  [["build-cython-ext", "build-pmars"], "build-"],
  [["task", "task-2"], ""],
  [["a-1", "a-2"], ""],
  [["same", "other"], ""],
  [[], ""],
])("%j share %j", (names, prefix) => expect(findSharedPrefix(names)).toBe(prefix));
