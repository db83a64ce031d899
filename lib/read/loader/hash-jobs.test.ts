import { expect, it } from "vitest";

import { hashResults } from "./hash-jobs";

const trial = (rewards: readonly (readonly [string, number | bigint])[] | null, key = "one") => ({
  key,
  state: "finished" as const,
  rewards: rewards && new Map(rewards),
});

it("distinguishes results by trial, key and value, for any order of trials and rewards", () => {
  const readings = [
    [trial(null)],
    [trial([["reward", 1]])],
    [trial([["reward", 0]])],
    [trial([["reward", Number.NaN]])],
    [trial([["speed", 1]])],
    [trial([["reward", 1]], "two")],
  ];
  expect(new Set(readings.map(hashResults)).size).toBe(readings.length);
  const [one, two] = [trial([["reward", 1]]), trial(null, "two")];
  expect(hashResults([one, two])).toBe(hashResults([two, one]));
  const pair = [
    ["reward", 1],
    ["speed", 2n],
  ] as const;
  expect(hashResults([trial(pair)])).toBe(hashResults([trial(pair.toReversed())]));
});

it("knows a reading that a database kept: without what it cannot hold, and with one kind of number", () => {
  const read = trial([["a\0b\ud800", 1n]], "c\0");
  expect(hashResults([read])).toBe(hashResults([trial([["a\ufffdb\ufffd", 1]], "c\ufffd")]));
});
