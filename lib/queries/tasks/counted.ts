import type { Outcome } from "@/lib/domain/trial";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/stats";
import type { DatasetTrial } from "@/lib/store";

const NOT_ENDED: ReadonlySet<Outcome> = new Set(["running", "missing", "unreadable"]);

/** Returns true if an attempt ended, whether it counts or not. */
export function hasEnded({ outcome }: Pick<DatasetTrial, "outcome">): boolean {
  return !NOT_ENDED.has(outcome);
}

/** Agents that solve no task: one replays the reference solution, the other does nothing. They are in no share that passed. */
export const REFERENCES = ["oracle", "nop"] as const;

export type Reference = (typeof REFERENCES)[number];

/** Which of the two an agent is, by its name; null for any other agent. */
export function findReference(agent: string): Reference | null {
  return REFERENCES.find((one) => one === agent) ?? null;
}

/** When an attempt was made, in milliseconds since 1970; null when nothing says so. */
export function findTime({
  startedMs,
  jobWhenMs,
}: Pick<DatasetTrial, "startedMs" | "jobWhenMs">): number | null {
  return startedMs ?? jobWhenMs;
}

/** The digest of a task whose attempts are counted: that of the attempt made last; null where no attempt states one. */
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

/** Whether an attempt counts for a version: one that states no digest counts for every version. */
export function isOfVersion(
  { taskDigest }: Pick<DatasetTrial, "taskDigest">,
  version: string | null,
): boolean {
  return taskDigest === null || version === null || taskDigest === version;
}

/** The attempts of a version by agents that solve tasks that count under the rule of their job, in their order. */
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

/** What tells an agent with its model from others. */
export function nameAgent({ agent, model }: Pick<DatasetTrial, "agent" | "model">): string {
  return `${agent}\n${model ?? ""}`;
}

export function nameTrialPlace({ jobRowId, position }: Pick<DatasetTrial, "jobRowId" | "position">): string {
  return `${jobRowId} ${position}`;
}

/** The share that passed of attempts that count under the rule of their job, with Wilson's interval. */
export function computeRate(trials: readonly DatasetTrial[]): RateInterval | Unavailable {
  const counted = trials.filter(({ counts }) => counts);
  return computeWilsonInterval(counted.filter(({ outcome }) => outcome === "passed").length, counted.length);
}
