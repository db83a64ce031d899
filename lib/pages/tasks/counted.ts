import type { Outcome } from "@/lib/core/domain/trial";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/core/stats";
import type { DatasetTrial } from "@/lib/store/tables";

const NOT_ENDED: ReadonlySet<Outcome> = new Set(["running", "missing", "unreadable"]);

export function hasEnded({ outcome }: Pick<DatasetTrial, "outcome">): boolean {
  return !NOT_ENDED.has(outcome);
}

/** `oracle` replays the reference solution and `nop` does nothing. Pass rates exclude both. */
export const REFERENCES = ["oracle", "nop"] as const;

export type Reference = (typeof REFERENCES)[number];

export function findReference(agent: string): Reference | null {
  return REFERENCES.find((one) => one === agent) ?? null;
}

/** Returns ms since 1970; null if unknown. */
export function findTime({
  startedMs,
  jobWhenMs,
}: Pick<DatasetTrial, "startedMs" | "jobWhenMs">): number | null {
  return startedMs ?? jobWhenMs;
}

/** Returns the digest of the latest attempt, which decides the counted version; null if no attempt records one. */
export function findVersion(
  trials: readonly Pick<DatasetTrial, "taskDigest" | "startedMs" | "jobWhenMs">[],
): string | null {
  let version: string | null = null;
  let latest = Number.NEGATIVE_INFINITY;
  for (const trial of trials) {
    const at = findTime(trial) ?? Number.NEGATIVE_INFINITY;
    if (trial.taskDigest === null || (version !== null && at <= latest)) continue;
    version = trial.taskDigest;
    latest = at;
  }
  return version;
}

/** An attempt without a digest counts for every version. */
export function isOfVersion(
  { taskDigest }: Pick<DatasetTrial, "taskDigest">,
  version: string | null,
): boolean {
  return taskDigest === null || version === null || taskDigest === version;
}

/** Lists attempts at a version by agents that solve tasks, if they count under the rule of their job. */
export function listCounted({
  trials,
  version,
}: {
  readonly trials: readonly DatasetTrial[];
  readonly version: string | null;
}): readonly DatasetTrial[] {
  return trials.filter(
    (trial) => isOfVersion(trial, version) && trial.counts && findReference(trial.agent) === null,
  );
}

export function nameAgent({ agent, model }: Pick<DatasetTrial, "agent" | "model">): string {
  return `${agent}\n${model ?? ""}`;
}

/** Returns the pass rate of attempts that count under the rule of their job, with Wilson's interval. */
export function computeRate(trials: readonly DatasetTrial[]): RateInterval | Unavailable {
  const counted = trials.filter(({ counts }) => counts);
  return computeWilsonInterval(counted.filter(({ outcome }) => outcome === "passed").length, counted.length);
}
