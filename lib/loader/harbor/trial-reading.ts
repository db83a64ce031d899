import type { TrialRecord } from "@/lib/domain/trial";
import type { LoadIssue } from "@/lib/domain/load-issue";

/**
 * What one trial folder says by itself. Its place in the job (key, attempt, state of a trial without a result) and names
 * that only its siblings know are filled in when the job is assembled.
 */
export interface TrialReading {
  readonly record: Omit<TrialRecord, "key" | "attempt" | "outcome" | "groupKey">;
  /** How the config names the task and the agent, to give a trial without a result the names of its siblings. */
  readonly configured: ConfiguredNames;
  readonly issues: readonly LoadIssue[];
  /**
   * Paths relative to the trial folder that decide whether it must be read again, in the notation of `stampTrial`. One
   * object for all trials of a pool that have the same.
   */
  readonly probes: readonly string[];
  /** What `stampTrial` gave for `probes` before anything was read, so that a change during the reading is noticed. */
  readonly stamp: string;
}

/** Task and agent as configs and locks name them, before a run turns them into result names. */
export interface ConfiguredNames {
  readonly taskPath: string | null;
  readonly taskName: string | null;
  /** `agent.name`, `agent.import_path` and `agent.model_name` as one text; null without a readable config. */
  readonly agent: string | null;
}
