import { describe, expect, it } from "vitest";

import {
  describeRawTime,
  formatAge,
  formatDuration,
  formatInstant,
  formatTime,
  preparePageClock,
} from "./time";

const zoned = { text: "2026-11-14T09:12:03Z", epochMs: Date.UTC(2026, 10, 14, 9, 12, 3), zoned: true };

describe("times as text", () => {
  it("leaves out the current year and shows seconds where asked", () => {
    expect(formatTime(zoned, { zone: "UTC", year: 2026 })).toBe("14 Nov 09:12");
    expect(formatTime(zoned, { zone: "UTC", year: 2027 })).toBe("14 Nov 2026 09:12");
    expect(formatTime(zoned, { zone: "UTC", year: 2026 }, "second")).toBe("14 Nov 09:12:03");
    expect(formatTime(null, { zone: "UTC", year: 2026 })).toBe("\u2014");
  });

  // Expected values from GNU date: TZ=ZONE date -d @EPOCH.
  it.each([
    ["Europe/Berlin", "2026-03-29T00:59:59Z", "29 Mar 01:59"],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", "29 Mar 03:00"],
    ["Asia/Kathmandu", "2026-11-14T09:12:03Z", "14 Nov 14:57"],
    ["America/Los_Angeles", "2026-01-01T07:59:00Z", "31 Dec 2025 23:59"],
    ["Asia/Kolkata", "2026-11-14T20:00:00Z", "15 Nov 01:30"],
  ])("shows %s at %s as %s", (zone, text, words) => {
    const time = { text, epochMs: Date.parse(text), zoned: true };
    expect(formatTime(time, { zone, year: 2026 })).toBe(words);
  });

  it("never shifts a time whose zone is unknown", () => {
    const naive = { ...zoned, text: "2026-11-14T09:12:03", zoned: false };
    for (const zone of ["UTC", "Asia/Tokyo"]) {
      expect(formatTime(naive, { zone, year: 2026 })).toBe("14 Nov 09:12");
    }
    expect(describeRawTime(naive)).toContain("2026-11-14T09:12:03");
    expect(formatInstant(naive)).toBe("2026-11-14T09:12:03");
  });

  it("takes the zone of the reader, and UTC for what is none", () => {
    const now = Date.UTC(2026, 0, 1, 3);
    expect(preparePageClock("America/New_York", now)).toEqual({ zone: "America/New_York", year: 2025 });
    for (const zone of [undefined, "", "Mars/Olympus", "<script>", "x".repeat(10_000)]) {
      expect(preparePageClock(zone, now)).toEqual({ zone: "UTC", year: 2026 });
    }
  });

  it.each([
    ["2026-06-25T15:02:33.640248", -7, "2026-06-25T22:02:33.640248Z", "UTC-07:00"],
    ["2026-06-25T15:02:33.5", 5.75, "2026-06-25T09:17:33.5Z", "UTC+05:45"],
    ["2026-06-25T15:02:33", 0, "2026-06-25T15:02:33Z", "UTC+00:00"],
  ])("says what a file states and how it is meant: %s", (text, hours, instant, offset) => {
    const epochMs = Date.parse(`${text}Z`) - hours * 3_600_000;
    expect(formatInstant({ text, epochMs, zoned: true })).toBe(instant);
    expect(describeRawTime({ text, epochMs, zoned: true })).toContain(text);
    expect(describeRawTime({ text, epochMs, zoned: true })).toContain(offset);
  });

  it("leaves a time that states its zone as it is", () => {
    expect(describeRawTime(zoned)).toBe(zoned.text);
    expect(formatInstant(zoned)).toBe(zoned.text);
    const east = { text: "2026-11-14T11:12:03,25+02:00", epochMs: zoned.epochMs + 250, zoned: true };
    expect(formatInstant(east)).toBe("2026-11-14T09:12:03.25Z");
    expect(describeRawTime(east)).toBe(east.text);
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
