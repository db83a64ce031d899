import { describe, expect, it } from "vitest";

import { formatAge, formatDuration, formatTime, formatTimeWithClock } from "./time";

const zoned = { text: "2026-11-14T09:12:03Z", epochMs: Date.UTC(2026, 10, 14, 9, 12, 3), zoned: true };

describe("times as text", () => {
  it("names the clock and leaves out the current year", () => {
    expect(formatTime(zoned, 2026)).toBe("14 Nov 09:12");
    expect(formatTime(zoned, 2027)).toBe("14 Nov 2026 09:12");
    expect(formatTimeWithClock(zoned, 2026)).toBe("14 Nov 09:12 UTC");
    expect(formatTimeWithClock({ ...zoned, zoned: false }, 2026)).toBe("14 Nov 09:12 local");
    expect(formatTimeWithClock(null, 2026)).toBe("\u2014");
  });

  it.each([
    [null, "\u2014"],
    [400, "0.4 s"],
    [59_600, "1 m 00 s"],
    [229_000, "3 m 49 s"],
    [24_060_000, "6 h 41 m"],
    [200_000_000, "2 d 7 h"],
  ])("writes %s ms as %s", (durationMs, words) => expect(formatDuration(durationMs)).toBe(words));

  it("says how long ago", () => {
    expect([0, 12_000, 250_000, 7_300_000, 200_000_000].map(formatAge)).toEqual([
      "just now",
      "12 s ago",
      "4 m ago",
      "2 h ago",
      "2 d ago",
    ]);
  });
});
