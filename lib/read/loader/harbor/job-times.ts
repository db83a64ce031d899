import type { ClockTime } from "@/lib/core/domain/clock-time";
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
