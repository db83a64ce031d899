import type { TaskVersion, TrialState } from "./trial";

/** How many trials of one version of a task the plan of a job's lock.json holds. */
export interface PlannedTask extends TaskVersion {
  /** As results name it. */
  readonly taskName: string;
  /** As the lock names it, which for a local task is its folder. */
  readonly lockName: string;
  readonly nTrials: number;
  /** Those of them that regrade a source trial. */
  readonly nRegrades: number;
}

/** How many of some trials are regraded, and what their sources cost, which was not spent again. */
export interface RegradedShare {
  readonly nTrials: number;
  /** US dollars over those that state a cost; null when none does. */
  readonly costUsd: number | null;
}

/** What a job was made from another for: `regrade` verifies its trials again, `diff` runs only what changed since. */
export type SourceAction = "regrade" | "diff";

export interface SourceJob {
  readonly action: SourceAction;
  readonly id: string | null;
  /** The last part of its recorded path; null for a source from the Hub. */
  readonly name: string | null;
}

/** What a job's config asks for, by which a diff job's reused tasks are told from those that were not wanted. */
export interface WantedTasks {
  /** Attempts of all agents at one task. */
  readonly nPerTask: number;
  /** Names and folder names of the tasks that the config lists; those of a dataset are not listed anywhere. */
  readonly names: readonly string[];
  readonly hasDataset: boolean;
}

/**
 * What a regrade did to a trial's headline reward. `newly-scored`: the source had none. `no-longer-scored`: the regrade has
 * none. `never-scored`: neither has. `unfinished`: the regrade has no result, so nothing is said yet. `source-not-open`: the
 * old reward is not known.
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

/** One side of a regrade: `reward` is the headline reward, null when there is none. */
interface FlipSide {
  readonly state: TrialState;
  readonly reward: number | null;
}

/** See {@link FLIPS}; a source without a result has no reward. @see harbor 0.24.0 src/harbor/cli/jobs.py#_print_regrade_delta */
export function classifyFlip(source: FlipSide | null, regrade: FlipSide): Flip {
  if (source === null) return "source-not-open";
  if (regrade.state !== "finished") return "unfinished";
  if (source.reward === null) return regrade.reward === null ? "never-scored" : "newly-scored";
  if (regrade.reward === null) return "no-longer-scored";
  if (regrade.reward === source.reward) return "unchanged";
  return regrade.reward > source.reward ? "up" : "down";
}
