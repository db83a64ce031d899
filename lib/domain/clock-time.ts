/** A point in time as a file states it; two may be subtracted only when `zoned` is equal on both. */
export interface ClockTime {
  /** The text in the file, unchanged. */
  readonly text: string;
  /** Milliseconds since 1970-01-01; a time whose zone is unknown is read as if it were UTC. */
  readonly epochMs: number;
  /** Whether `epochMs` is an instant: the text carries a zone or offset, or the offset of its clock was found. */
  readonly zoned: boolean;
}

/** A point in time without the text that states it. */
export type Moment = Pick<ClockTime, "epochMs" | "zoned">;

/** A start and an end; either is null when the file does not state it. */
export interface ClockInterval<Time extends Moment = ClockTime> {
  readonly startedAt: Time | null;
  readonly finishedAt: Time | null;
}

/** Whole milliseconds from start to finish, or null when one is unknown, the clocks differ in kind, or time runs backwards. */
export function computeDurationMs(interval: ClockInterval<Moment> | null): number | null {
  if (!interval?.startedAt || !interval.finishedAt) return null;
  if (interval.startedAt.zoned !== interval.finishedAt.zoned) return null;
  const durationMs = interval.finishedAt.epochMs - interval.startedAt.epochMs;
  return durationMs < 0 ? null : durationMs;
}

/** Returns when an interval ended, ms since 1970-01-01: its start if the duration is unknown, null without a start. */
export function computeEndMs(interval: ClockInterval<Moment>): number | null {
  return interval.startedAt && interval.startedAt.epochMs + (computeDurationMs(interval) ?? 0);
}

/** Returns the time of an instant that Assay wrote itself. @param at - ISO 8601 in UTC */
export function readInstant(at: string): ClockTime {
  return { text: at, epochMs: Date.parse(at), zoned: true };
}
