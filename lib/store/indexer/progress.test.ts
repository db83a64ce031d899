import { describe, expect, it } from "vitest";

import { computePace } from "./progress.ts";

describe("the pace of reading", () => {
  it("is trials a second, with the seconds that the rest takes rounded up", () => {
    expect(computePace(300, 1000, 6000)).toEqual({ rate: 50, secondsLeft: 14 });
  });

  it("promises no few seconds, since what was read is still to be written", () => {
    expect(computePace(990, 1000, 4000)).toMatchObject({ secondsLeft: null });
    expect(computePace(1000, 1000, 4000)).toEqual({ rate: 250, secondsLeft: null });
  });

  it("is unknown before anything was read", () => {
    for (const [nRead, elapsedMs] of [
      [0, 5000],
      [3, 0],
    ] as const) {
      expect(computePace(nRead, 10, elapsedMs)).toEqual({ rate: null, secondsLeft: null });
    }
  });
});
