import { describe, expect, it } from "vitest";

import { NO_STATS, type RecordedStats } from "@/lib/core/domain/job";
import { parseClockTime } from "@/lib/read/schema/clock-time";

import { computeJobState } from "./job-clock";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const MINUTE = 60_000;
const running: RecordedStats = {
  ...NO_STATS,
  nTotalTrials: 5n,
  counters: new Map([["n_running_trials", 2n]]),
};

function stateOf(over: Partial<Parameters<typeof computeJobState>[0]>, now = NOW) {
  const signs = { finishedAt: null, stated: [], writtenAtMs: NOW, recorded: null, ...over };
  return computeJobState(signs, now).state;
}

describe("computeJobState", () => {
  it("believes finished_at", () => {
    expect(stateOf({ finishedAt: parseClockTime("2020-01-01T00:00:00") })).toBe("finished");
  });

  it("calls an unfinished job running while it is fresh, and interrupted after that", () => {
    const stated = [parseClockTime("2026-05-01T11:50:00Z")];
    expect(stateOf({ stated })).toBe("running");
    expect(stateOf({ stated, writtenAtMs: NOW - 31 * MINUTE })).toBe("interrupted");
    const { holdsUntilMs } = computeJobState(
      { finishedAt: null, stated, writtenAtMs: NOW, recorded: null },
      NOW,
    );
    expect(stateOf({ stated }, holdsUntilMs)).toBe("running");
    expect(stateOf({ stated }, holdsUntilMs + 1)).toBe("interrupted");
  });

  it("is not taken in by a fresh copy of an old job", () => {
    expect(stateOf({ stated: [parseClockTime("2026-03-31T14:11:50")] })).toBe("interrupted");
  });

  it("looks at the times of any number of trials", () => {
    const stated = Array.from({ length: 200_000 }, () => parseClockTime("2026-05-01T11:50:00Z"));
    expect(stateOf({ stated })).toBe("running");
  });

  it("allows for a clock without a zone", () => {
    expect(stateOf({ stated: [parseClockTime("2026-05-01T04:55:00")] })).toBe("running");
  });

  it("believes running trials for a day", () => {
    const stated = [parseClockTime("2026-05-01T02:00:00Z")];
    expect(stateOf({ stated, recorded: running, writtenAtMs: NOW - 600 * MINUTE })).toBe("running");
    const old = [parseClockTime("2026-04-28T02:00:00Z")];
    expect(stateOf({ stated: old, recorded: running, writtenAtMs: NOW - 3000 * MINUTE })).toBe("interrupted");
  });
});
