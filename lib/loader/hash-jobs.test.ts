import { expect, it } from "vitest";

import { hashResults } from "./hash-jobs";

const trial = (rewards: readonly (readonly [string, number | bigint])[] | null, folder = "job/one") => ({
  folder,
  state: "finished" as const,
  rewards: rewards && new Map(rewards),
});

it("tells results apart by trial, key, value and kind of number, whatever the order of the trials", () => {
  const readings = [
    [trial(null)],
    [trial([])],
    [trial([["reward", 1]])],
    [trial([["reward", 1n]])],
    [trial([["reward", 0]])],
    [trial([["speed", 1]])],
    [trial([["reward", 1]], "job/two")],
  ];
  expect(new Set(readings.map(hashResults)).size).toBe(readings.length);
  const [one, two] = [trial([["reward", 1]]), trial(null, "job/two")];
  expect(hashResults([one, two])).toBe(hashResults([two, one]));
});
