import type { ClockTime, Moment } from "@/lib/core/domain/clock-time";
import type { JobState, RecordedStats } from "@/lib/core/domain/job";
import { deriveJobClock, placeTime, placeTimeInTrial } from "@/lib/core/domain/job-clock";
import type { Trial } from "@/lib/core/domain/trial";
import { listExceptions } from "@/lib/core/domain/trial-failure";
import { parseClockTime } from "@/lib/read/schema/clock-time";

import type { JobFiles } from "../discover/job-files";
import type { TrialReading } from "./trial-files";

type Timed = Pick<Trial, "exception" | "steps">;

export function placeTimes<Files extends Pick<JobFiles, "time" | "updatedAt" | "lock">>(
  files: Files,
  readings: readonly TrialReading[],
): { readonly files: Files; readonly readings: readonly TrialReading[] } {
  const { startedAt, finishedAt } = files.time;
  const clock = deriveJobClock(
    { startedAt, finishedAt, lockedAt: parseClockTime(files.lock?.created_at) },
    readings.map(({ record }) => ({ ...record.time, exceptionTimes: listExceptionTimes(record) })),
  );
  if (clock.startOffsetMs === null) return { files, readings };
  return {
    files: {
      ...files,
      time: {
        startedAt: placeTime(startedAt, clock.startOffsetMs),
        finishedAt: placeTime(finishedAt, clock.endOffsetMs),
      },
      updatedAt: placeTime(files.updatedAt, clock.endOffsetMs),
    },
    readings: readings.map((reading) => {
      const place = (time: ClockTime | null) => placeTimeInTrial(time, reading.record.time, clock);
      const isNaive = listExceptionTimes(reading.record).some((time) => !time.zoned);
      return isNaive
        ? { ...reading, record: { ...reading.record, ...mapExceptionTimes(reading.record, place) } }
        : reading;
    }),
  };
}

function listExceptionTimes(trial: Timed): ClockTime[] {
  return listExceptions(trial).flatMap(({ occurredAt }) => occurredAt ?? []);
}

function mapExceptionTimes(
  { exception, steps }: Timed,
  map: (time: ClockTime | null) => ClockTime | null,
): Timed {
  const mapOne = (one: Trial["exception"]) => one && { ...one, occurredAt: map(one.occurredAt) };
  return {
    exception: mapOne(exception),
    steps: steps?.map((step) => ({ ...step, exception: mapOne(step.exception) })) ?? null,
  };
}

export function pickTime(
  times: readonly ClockTime[],
  isBetter: (a: number, b: number) => boolean,
): ClockTime | null {
  return times.reduce<ClockTime | null>(
    (best, time) => (best === null || isBetter(time.epochMs, best.epochMs) ? time : best),
    null,
  );
}

const MINUTE_MS = 60_000;
/** Harbor rewrites result.json when a trial starts or ends, so a quiet job is over or in a very long trial. */
const QUIET_MS = 30 * MINUTE_MS;
/** Longest time that a job may claim running trials: the longest agent timeouts are hours. */
const BELIEVED_MS = 24 * 60 * MINUTE_MS;
/** Largest offset from UTC of a time without a zone. */
const ZONE_MS = 14 * 60 * MINUTE_MS;

/**
 * Returns the state of a job with a result.json, and how long it holds without changes on disk. Without `finished_at` it is
 * `running` while result.json and its times are fresh (30 minutes), or for a day while it counts running trials; then
 * `interrupted`.
 */
export function computeJobState(
  signs: {
    readonly finishedAt: Moment | null;
    readonly stated: readonly (Moment | null)[];
    readonly writtenAtMs: number;
    readonly recorded: RecordedStats | null;
  },
  nowMs: number,
): { state: JobState; holdsUntilMs: number } {
  if (signs.finishedAt !== null) return { state: "finished", holdsUntilMs: Infinity };
  const hasRunning = (signs.recorded?.counters.get("n_running_trials") ?? 0n) > 0n;
  const stated = signs.stated.filter((time) => time !== null);
  // Not Math.max(...stated): a large job exceeds the argument limit.
  const statedAtMs = stated.reduce(
    (latest, time) => Math.max(latest, time.epochMs + (time.zoned ? 0 : ZONE_MS)),
    -Infinity,
  );
  // Copying a job renews file times but not the times inside, so both must be fresh. While trials are running, either is
  // enough, because a single trial may be silent for hours.
  const quietSinceMs = stated.length === 0 ? signs.writtenAtMs : Math.min(signs.writtenAtMs, statedAtMs);
  const untilMs = hasRunning
    ? Math.max(signs.writtenAtMs, statedAtMs) + BELIEVED_MS
    : quietSinceMs + QUIET_MS;
  return nowMs <= untilMs
    ? { state: "running", holdsUntilMs: untilMs }
    : { state: "interrupted", holdsUntilMs: Infinity };
}
