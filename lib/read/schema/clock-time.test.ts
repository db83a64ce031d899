import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseClockTime, parseInterval } from "./clock-time";

describe("parseClockTime", () => {
  it.each([
    ["2026-07-17T17:51:28.877433Z", Date.UTC(2026, 6, 17, 17, 51, 28, 877), true],
    ["2026-07-17T12:43:03.385199", Date.UTC(2026, 6, 17, 12, 43, 3, 385), false],
    ["2026-07-17 12:43:03", Date.UTC(2026, 6, 17, 12, 43, 3), false],
    ["2026-07-17T12:43", Date.UTC(2026, 6, 17, 12, 43), false],
    ["2026-07-17T12:43:03.5+05:30", Date.UTC(2026, 6, 17, 7, 13, 3, 500), true],
    ["2026-07-17T12:43:03-0800", Date.UTC(2026, 6, 17, 20, 43, 3), true],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29), true],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000, true],
  ])("reads %s", (text, epochMs, zoned) => {
    expect(parseClockTime(text)).toEqual({ text, epochMs, zoned });
  });

  it.each([
    "",
    "yesterday",
    "2026-07-17",
    "2026-02-30T00:00:00",
    "2026-07-17T12:43:03+24:00",
    "2026-07-17T12:43:03+05:60",
    "0000-01-01T00:00:00Z",
    "2026-13-01T00:00:00",
    "2026-07-17T24:00:00",
    "2026-07-17T12:60:00",
    "2026-07-17T12:43:03 PST",
    "1e400-07-17T12:43:03",
    "2026-07-17T12:43:0",
    "２０26-07-17T12:43:03",
  ])("refuses %j", (text) => {
    expect(parseClockTime(text)).toBeNull();
  });

  it("agrees with Date on every instant that Date writes", () => {
    const instants = fc.date({
      min: new Date("1970-01-01"),
      max: new Date("2200-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (date) => parseClockTime(date.toISOString())?.epochMs === date.getTime()),
    );
  });
});

describe("parseInterval", () => {
  it("tells a block without times from no block", () => {
    expect(parseInterval(null)).toBeNull();
    expect(parseInterval({ started_at: null, finished_at: "soon" })).toEqual({
      startedAt: null,
      finishedAt: null,
    });
  });
});
