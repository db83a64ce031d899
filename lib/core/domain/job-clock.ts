import type { ClockInterval, ClockTime } from "./clock-time";

export interface JobTimes extends ClockInterval {
  /** `created_at` of lock.json, which Harbor writes in UTC right after it notes `started_at`. */
  readonly lockedAt: ClockTime | null;
}

export interface TrialTimes extends ClockInterval {
  /** `occurred_at` of its exceptions and those of its steps, all raised between its start and end. */
  readonly exceptionTimes: readonly ClockTime[];
}

/** Milliseconds east of UTC of the job's naive times, at both ends; both null if unknown. */
interface JobClock {
  readonly startOffsetMs: number | null;
  readonly endOffsetMs: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** All zones in use are whole quarters of an hour from UTC. */
const QUARTER_MS = 15 * MINUTE_MS;
const MIN_OFFSET_MS = -12 * HOUR_MS;
const MAX_OFFSET_MS = 14 * HOUR_MS;
/** Two times that Harbor takes one after the other are at most this far apart; real jobs stay below 8 seconds. */
const TOLERANCE_MS = MINUTE_MS;
/** Rounding to milliseconds and clock corrections can reverse times by this much. */
const SLACK_MS = 1000;
/** Daylight saving time changes. */
const CLOCK_CHANGES_MS: readonly number[] = [HOUR_MS, HOUR_MS / 2];

const UNKNOWN: JobClock = { startOffsetMs: null, endOffsetMs: null };

/**
 * Derives the offset of a job's naive times from UTC, by pairs with UTC times of the same moments in its trials and lock: its
 * start with the lock or first trial, and both ends. Both pairs must agree, within a minute of a quarter of an hour, or differ by
 * one clock change. Without pairs, exceptions decide if only one offset puts each into its trial.
 * @returns unknown if pairs contradict each other or give an impossible offset
 * @see harbor 0.13.1 src/harbor/job.py, `Job.run`: naive `datetime.now()`; src/harbor/trial/trial.py: `timezone.utc`
 */
export function deriveJobClock(job: JobTimes, trials: readonly TrialTimes[]): JobClock {
  const spans = trials.flatMap(toSpan);
  const start = toNaiveMs(job.startedAt);
  const end = toNaiveMs(job.finishedAt);
  const firstStart = spans.reduce<number | null>((least, { from }) => Math.min(least ?? from, from), null);
  const lastEnd = spans.reduce<number | null>((most, { to }) => Math.max(most ?? to, to), null);
  const lockedMs = job.lockedAt?.zoned === true ? job.lockedAt.epochMs : null;

  const atStart = findOffset(start, before(lockedMs)) ?? findOffset(start, before(firstStart));
  const closing = findOffset(end, after(lastEnd));
  // A resumed job that finds every trial done starts and ends at any time after them.
  const ranTrials = start === null || spans.some(({ from }) => from >= start - (closing ?? 0) - SLACK_MS);
  const atEnd = ranTrials ? closing : undefined;

  const found = combine(atStart, atEnd) ?? fromOnly(findOffsetsByExceptions(trials));
  if (found === null) return UNKNOWN;
  return isPossible(found, { start, end, lastEnd }, spans, trials) ? found : UNKNOWN;
}

/** Returns the instant of a naive time if its clock's offset, milliseconds east of UTC, is known; else the time unchanged. */
export function placeTime(time: ClockTime | null, offsetMs: number | null): ClockTime | null {
  if (time === null || time.zoned || offsetMs === null) return time;
  return { text: time.text, epochMs: time.epochMs - offsetMs, zoned: true };
}

/** Like {@link placeTime}, with the offset that puts the time into its trial; unchanged if the trial's own times are naive. */
export function placeTimeInTrial(
  time: ClockTime | null,
  trial: ClockInterval,
  clock: JobClock,
): ClockTime | null {
  const [span] = toSpan(trial);
  if (time === null || time.zoned || span === undefined) return time;
  const fitting = listOffsets(clock).filter((offsetMs) => isWithin(time.epochMs - offsetMs, span));
  return fitting.length === 1 ? placeTime(time, fitting[0] ?? null) : time;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function toSpan({ startedAt, finishedAt }: ClockInterval): Span[] {
  if (startedAt?.zoned !== true) return [];
  const to = finishedAt?.zoned === true ? finishedAt.epochMs : startedAt.epochMs;
  return [{ from: startedAt.epochMs, to }];
}

function toNaiveMs(time: ClockTime | null): number | null {
  return time === null || time.zoned ? null : time.epochMs;
}

function before(instantMs: number | null): Span | null {
  return instantMs === null ? null : { from: instantMs - TOLERANCE_MS, to: instantMs + SLACK_MS };
}

function after(instantMs: number | null): Span | null {
  return instantMs === null ? null : { from: instantMs - SLACK_MS, to: instantMs + TOLERANCE_MS };
}

/** Returns the offset that puts a naive time into a span shorter than a quarter of an hour. */
function findOffset(naiveMs: number | null, span: Span | null): number | undefined {
  if (naiveMs === null || span === null) return undefined;
  const offsetMs = Math.floor((naiveMs - span.from) / QUARTER_MS) * QUARTER_MS;
  return naiveMs - offsetMs <= span.to && isInUse(offsetMs) ? offsetMs : undefined;
}

function isInUse(offsetMs: number): boolean {
  return offsetMs >= MIN_OFFSET_MS && offsetMs <= MAX_OFFSET_MS;
}

function combine(atStart: number | undefined, atEnd: number | undefined): JobClock | null {
  const startOffsetMs = atStart ?? atEnd;
  const endOffsetMs = atEnd ?? atStart;
  if (startOffsetMs === undefined || endOffsetMs === undefined) return null;
  const changeMs = Math.abs(startOffsetMs - endOffsetMs);
  return changeMs === 0 || CLOCK_CHANGES_MS.includes(changeMs) ? { startOffsetMs, endOffsetMs } : UNKNOWN;
}

function fromOnly([offsetMs, ...others]: readonly number[]): JobClock | null {
  if (offsetMs === undefined || others.length > 0) return null;
  return { startOffsetMs: offsetMs, endOffsetMs: offsetMs };
}

function findOffsetsByExceptions(trials: readonly TrialTimes[]): number[] {
  const windows = listExceptionWindows(trials);
  if (windows.length === 0) return [];
  const offsets: number[] = [];
  for (let offsetMs = MIN_OFFSET_MS; offsetMs <= MAX_OFFSET_MS; offsetMs += QUARTER_MS) {
    if (windows.every(({ naiveMs, span }) => isWithin(naiveMs - offsetMs, span))) offsets.push(offsetMs);
  }
  return offsets;
}

function listExceptionWindows(
  trials: readonly TrialTimes[],
): { readonly naiveMs: number; readonly span: Span }[] {
  return trials.flatMap((trial) => {
    const [span] = trial.finishedAt === null ? [] : toSpan(trial);
    if (span === undefined) return [];
    return trial.exceptionTimes.flatMap((time) => (time.zoned ? [] : [{ naiveMs: time.epochMs, span }]));
  });
}

function isPossible(
  clock: JobClock,
  { start, end, lastEnd }: { start: number | null; end: number | null; lastEnd: number | null },
  spans: readonly Span[],
  trials: readonly TrialTimes[],
): boolean {
  const offsets = listOffsets(clock);
  const endMs = end === null ? null : end - (clock.endOffsetMs ?? 0);
  const startMs = start === null ? null : start - (clock.startOffsetMs ?? 0);
  if (endMs !== null && lastEnd !== null && endMs < lastEnd - SLACK_MS) return false;
  if (startMs !== null && endMs !== null && endMs < startMs) return false;
  if (startMs !== null && spans.some(({ from, to }) => from < startMs - SLACK_MS && to > startMs + SLACK_MS))
    return false;
  return listExceptionWindows(trials).every(({ naiveMs, span }) =>
    offsets.some((offsetMs) => isWithin(naiveMs - offsetMs, span)),
  );
}

function listOffsets({ startOffsetMs, endOffsetMs }: JobClock): number[] {
  return [...new Set([startOffsetMs, endOffsetMs])].filter((offsetMs) => offsetMs !== null);
}

function isWithin(instantMs: number, { from, to }: Span): boolean {
  return instantMs >= from - SLACK_MS && instantMs <= to + SLACK_MS;
}
