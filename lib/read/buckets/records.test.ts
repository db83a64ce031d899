import { expect, it } from "vitest";

import { rankObject } from "./records";

it.each([
  [".harbor/harbor.sqlite3", "record"],
  [".harbor/harbor.sqlite3-wal", "record"],
  [".harbor/files/rollouts/a/t__abcdefg/result.json", "record"],
  ["job/t__abcdefg/agent/harbor.sqlite3", "other"],
  ["job/t__abcdefg/trial.log", "other"],
])("%s is a %s", (path, rank) => {
  expect(rankObject(path, 1_000)).toBe(rank);
});
