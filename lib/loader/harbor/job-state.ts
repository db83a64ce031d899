import type { Moment } from "@/lib/domain/clock-time";
import type { JobState, RecordedStats } from "@/lib/domain/job";

export interface SignsOfLife {
  readonly finishedAt: Moment | null;
  /** Times that the job and its trials state. */
  readonly stated: readonly (Moment | null)[];
  /** When result.json was last written, milliseconds since 1970-01-01. */
  readonly writtenAtMs: number;
  readonly recorded: RecordedStats | null;
}

const MINUTE_MS = 60_000;
/** Harbor rewrites result.json whenever a trial starts or ends, so a quiet job is over or in a very long trial. */
const QUIET_MS = 30 * MINUTE_MS;
/** A job that says it has running trials is believed for this long: the longest agent timeouts are hours. */
const BELIEVED_MS = 24 * 60 * MINUTE_MS;
/** A time without a zone can be this far from UTC. */
const ZONE_MS = 14 * 60 * MINUTE_MS;

/**
 * The state of a job whose result.json was read, and until when it holds without a change on disk. Without `finished_at` it
 * is `running` while result.json and its times are fresh (30 minutes), or for a day while it counts running trials; then
 * `interrupted`.
 */
export function computeJobState(
  signs: SignsOfLife,
  nowMs: number,
): { state: JobState; holdsUntilMs: number } {
  if (signs.finishedAt !== null) return { state: "finished", holdsUntilMs: Infinity };
  const hasRunning = (signs.recorded?.counters.get("n_running_trials") ?? 0n) > 0n;
  const stated = signs.stated.filter((time) => time !== null);
  // Not one call with all of them: a job may have more trials than a call may have arguments.
  const statedAtMs = stated.reduce(
    (latest, time) => Math.max(latest, time.epochMs + (time.zoned ? 0 : ZONE_MS)),
    -Infinity,
  );
  // Copying a job renews the times of its files but not those inside, so both must be fresh, unless trials are counted as
  // running: then either will do, because a single trial may take hours without a word.
  const quietSinceMs = stated.length === 0 ? signs.writtenAtMs : Math.min(signs.writtenAtMs, statedAtMs);
  const untilMs = hasRunning
    ? Math.max(signs.writtenAtMs, statedAtMs) + BELIEVED_MS
    : quietSinceMs + QUIET_MS;
  return nowMs <= untilMs
    ? { state: "running", holdsUntilMs: untilMs }
    : { state: "interrupted", holdsUntilMs: Infinity };
}
