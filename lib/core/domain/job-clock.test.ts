import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ClockTime } from "./clock-time";
import { deriveJobClock, type JobTimes, placeTime, placeTimeInTrial, type TrialTimes } from "./job-clock";

const HOUR = 3_600_000;
const DAY = Date.UTC(2026, 5, 25);

/** Seconds of one day in UTC, and the same moment on a wall clock without its zone. */
const utc = (second: number): ClockTime => ({
  text: `${second}Z`,
  epochMs: DAY + second * 1000,
  zoned: true,
});
const naive = (second: number, offsetHours: number): ClockTime => ({
  text: String(second),
  epochMs: DAY + second * 1000 + offsetHours * HOUR,
  zoned: false,
});
const job = (startedAt: ClockTime | null, finishedAt: ClockTime | null, lockedAt?: ClockTime): JobTimes => ({
  startedAt,
  finishedAt,
  lockedAt: lockedAt ?? null,
});
const trial = (from: ClockTime | null, to: ClockTime | null, ...exceptionTimes: ClockTime[]): TrialTimes => ({
  startedAt: from,
  finishedAt: to,
  exceptionTimes,
});

describe("deriveJobClock", () => {
  const twoTrials = [trial(utc(3), utc(400)), trial(utc(5), utc(900))];

  it.each<[string, JobTimes, readonly TrialTimes[], number]>([
    ["both ends, west", job(naive(0, -7), naive(901, -7)), twoTrials, -7],
    ["both ends, half an hour", job(naive(0, 5.5), naive(900, 5.5)), twoTrials, 5.5],
    ["both ends, three quarters", job(naive(0, 5.75), naive(900, 5.75)), twoTrials, 5.75],
    ["a clock in UTC", job(naive(0, 0), naive(900, 0)), twoTrials, 0],
    ["the farthest east", job(naive(0, 14), naive(900, 14)), twoTrials, 14],
    ["the farthest west", job(naive(0, -12), naive(900, -12)), twoTrials, -12],
    ["a cut-off job: its start alone", job(naive(0, -4), null), twoTrials, -4],
    ["a running job without a result: its lock", job(naive(0, 2), null, utc(0.4)), [], 2],
    [
      "a resumed job of old Harbor, whose start is that of the last run",
      job(naive(5000, 8), naive(6000, 8)),
      [trial(utc(3), utc(900)), trial(utc(5002), utc(6000))],
      8,
    ],
    ["a slow start: its end", job(naive(-400, 1), naive(900, 1)), twoTrials, 1],
    [
      "a lock beside trials of an earlier job",
      job(naive(0, -5), null, utc(0)),
      [trial(utc(-9000), utc(-8000))],
      -5,
    ],
    [
      "a resumed job with nothing left to run: its exception",
      job(naive(5000, 5.5), naive(5000, 5.5)),
      [trial(utc(3), utc(9), naive(7, 5.5))],
      5.5,
    ],
  ])("finds the offset by %s", (_, times, trials, hours) => {
    expect(deriveJobClock(times, trials)).toEqual({
      startOffsetMs: hours * HOUR,
      endOffsetMs: hours * HOUR,
    });
  });

  it("follows a change of clocks while the job ran", () => {
    const long = [trial(utc(1), utc(7 * 3600))];
    expect(deriveJobClock(job(naive(0, 1), naive(7 * 3600, 2)), long)).toEqual({
      startOffsetMs: HOUR,
      endOffsetMs: 2 * HOUR,
    });
  });

  it.each<[string, JobTimes, readonly TrialTimes[]]>([
    ["without trials", job(naive(0, 2), naive(900, 2)), []],
    ["when trials are naive too", job(naive(0, 2), naive(900, 2)), [trial(naive(3, 2), naive(900, 2))]],
    ["when the job states its zone", job(utc(0), utc(900)), twoTrials],
    ["when the ends contradict each other", job(naive(0, 2), naive(900, 5)), twoTrials],
    ["beyond the zones in use", job(naive(0, 15), naive(900, 15)), twoTrials],
    ["between quarters of an hour", job(naive(0, 2.1), naive(900, 2.1)), twoTrials],
    ["when the job would start amid a trial", job(naive(200, 2), naive(900, 2)), twoTrials],
    ["when the job would end before its trials", job(naive(0, 2), naive(100, 2)), twoTrials],
    [
      "when an exception would lie outside its trial",
      job(naive(0, 2), naive(900, 2)),
      [trial(utc(3), utc(900), naive(60, -7))],
    ],
    ["when exceptions leave a choice", job(null, null), [trial(utc(0), utc(2 * 3600), naive(3600, 2))]],
    [
      "when a later run found every trial done",
      job(naive(1500, 2), naive(1500, 2)),
      [trial(utc(3), utc(600))],
    ],
  ])("knows nothing %s", (_, times, trials) => {
    expect(deriveJobClock(times, trials)).toEqual({ startOffsetMs: null, endOffsetMs: null });
  });

  it("finds any offset in use, for trials of any duration", () => {
    const runs = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 5000 })), { minLength: 1 });
    fc.assert(
      fc.property(
        fc.integer({ min: -48, max: 56 }),
        runs,
        fc.nat(59),
        fc.nat(59),
        (quarters, times, a, b) => {
          const trials = times.map(([from, length]) => trial(utc(from), utc(from + length)));
          const first = Math.min(...times.map(([from]) => from));
          const last = Math.max(...times.map(([from, length]) => from + length));
          const hours = quarters / 4;
          const { startOffsetMs, endOffsetMs } = deriveJobClock(
            job(naive(first - a, hours), naive(last + b, hours)),
            trials,
          );
          return startOffsetMs === hours * HOUR && endOffsetMs === hours * HOUR;
        },
      ),
    );
  });
});

describe("placing times", () => {
  const clock = { startOffsetMs: HOUR, endOffsetMs: 2 * HOUR };

  it("makes an instant of a naive time and leaves all others alone", () => {
    expect(placeTime(naive(60, 2), 2 * HOUR)).toEqual({ text: "60", epochMs: utc(60).epochMs, zoned: true });
    expect(placeTime(naive(60, 2), null)).toEqual(naive(60, 2));
    expect(placeTime(utc(60), 2 * HOUR)).toEqual(utc(60));
    expect(placeTime(null, HOUR)).toBeNull();
  });

  it("takes the offset that puts the time into its trial", () => {
    const within = { startedAt: utc(0), finishedAt: utc(600) };
    expect(placeTimeInTrial(naive(60, 1), within, clock)?.epochMs).toBe(utc(60).epochMs);
    expect(placeTimeInTrial(naive(60, 2), within, clock)?.epochMs).toBe(utc(60).epochMs);
    expect(placeTimeInTrial(naive(60, 5), within, clock)?.zoned).toBe(false);
    const either = { startedAt: utc(-2 * 3600), finishedAt: utc(2 * 3600) };
    expect(placeTimeInTrial(naive(60, 1), either, clock)?.zoned).toBe(false);
  });
});
