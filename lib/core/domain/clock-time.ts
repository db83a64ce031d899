/** Two times may be subtracted only if `zoned` is equal on both. */
export interface ClockTime {
  readonly text: string;
  /** Milliseconds since 1970-01-01; a time of unknown zone is parsed as UTC. */
  readonly epochMs: number;
  /** True if `epochMs` is an instant: the text has a zone or offset, or the offset of its clock was found. */
  readonly zoned: boolean;
}

export type Moment = Pick<ClockTime, "epochMs" | "zoned">;

export interface ClockInterval {
  readonly startedAt: ClockTime | null;
  readonly finishedAt: ClockTime | null;
}

/** Returns whole milliseconds; null if an end is unknown, only one end is zoned, or time runs backwards. */
export function computeDurationMs(interval: ClockInterval | null): number | null {
  if (!interval?.startedAt || !interval.finishedAt) return null;
  if (interval.startedAt.zoned !== interval.finishedAt.zoned) return null;
  const durationMs = interval.finishedAt.epochMs - interval.startedAt.epochMs;
  return durationMs < 0 ? null : durationMs;
}

/** Returns the end in ms since 1970-01-01: the start if the duration is unknown, null without a start. */
export function computeEndMs(interval: ClockInterval): number | null {
  return interval.startedAt && interval.startedAt.epochMs + (computeDurationMs(interval) ?? 0);
}

export function readInstant(at: string): ClockTime {
  return { text: at, epochMs: Date.parse(at), zoned: true };
}
