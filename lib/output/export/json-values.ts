import { type ClockInterval, computeDurationMs } from "@/lib/core/domain/clock-time";
import { formatInstant } from "@/lib/core/format/time";
import { dumpPythonJson, type PyNumber, type RewardDict } from "@/lib/core/scoring";

/** A Python number for JSON: the nearest double, null where JSON has none (NaN, infinite), and Python's own text. */
interface JsonNumber {
  readonly value: number | null;
  readonly text: string;
}

/** Prepares one number. @example prepareValue(NaN) // { value: null, text: "NaN" } */
export function prepareValue(value: PyNumber): JsonNumber {
  const double = Number(value);
  return { value: Number.isFinite(double) ? double : null, text: dumpPythonJson(value) };
}

export function prepareRewards(rewards: RewardDict | null): (JsonNumber & { readonly key: string })[] | null {
  return rewards && [...rewards].map(([key, value]) => ({ key, ...prepareValue(value) }));
}

/** Returns start and end in UTC, and whole milliseconds between; every field null where the file lacks it. */
export function prepareInterval(interval: ClockInterval | null) {
  return {
    started_at: interval?.startedAt ? formatInstant(interval.startedAt) : null,
    finished_at: interval?.finishedAt ? formatInstant(interval.finishedAt) : null,
    duration_ms: computeDurationMs(interval),
  };
}
