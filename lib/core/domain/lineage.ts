import type { TaskVersion, TrialState } from "./trial";

export interface PlannedTask extends TaskVersion {
  readonly taskName: string;
  /** As in the lock; for a local task, its folder. */
  readonly lockName: string;
  readonly nTrials: number;
  readonly nRegrades: number;
}

/** Number of regraded trials, and the cost of their sources, which was not spent again. */
export interface RegradedShare {
  readonly nTrials: number;
  readonly costUsd: number | null;
}

/** `regrade` verifies existing trials again, `diff` runs only what changed since. */
type SourceAction = "regrade" | "diff";

export interface SourceJob {
  readonly action: SourceAction;
  readonly id: string | null;
  readonly name: string | null;
}

export interface WantedTasks {
  /** Attempts of all agents at one task. */
  readonly nPerTask: number;
  /** Names and folder names of the tasks in the config; those of a dataset are not listed anywhere. */
  readonly names: readonly string[];
  readonly hasDataset: boolean;
}

/**
 * Effect of a regrade on a trial's headline reward. `newly-scored`: the source had none. `no-longer-scored`: the regrade has none.
 * `never-scored`: neither has. `unfinished`: the regrade has no result yet. `source-not-open`: the old reward is unknown.
 */
export const FLIPS = [
  "up",
  "down",
  "unchanged",
  "newly-scored",
  "no-longer-scored",
  "never-scored",
  "unfinished",
  "source-not-open",
] as const;

export type Flip = (typeof FLIPS)[number];

interface FlipSide {
  readonly state: TrialState;
  readonly reward: number | null;
}

/** A source without a result has no reward. @see harbor 0.24.0 src/harbor/cli/jobs.py#_print_regrade_delta */
export function classifyFlip(source: FlipSide | null, regrade: FlipSide): Flip {
  if (source === null) return "source-not-open";
  if (regrade.state !== "finished") return "unfinished";
  if (source.reward === null) return regrade.reward === null ? "never-scored" : "newly-scored";
  if (regrade.reward === null) return "no-longer-scored";
  if (regrade.reward === source.reward) return "unchanged";
  return regrade.reward > source.reward ? "up" : "down";
}
