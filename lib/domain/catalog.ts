import type { JobBundle } from "./job";
import type { LoadIssue } from "./load-issue";
import type { ScoredTrial, TrialRecord } from "./trial";
import type { VerificationReport } from "./verification";

export interface CatalogRoot {
  /** Short name that pages show, unique among the roots. */
  readonly label: string;
  /** Absolute path on this machine. */
  readonly path: string;
  readonly nJobs: number;
  readonly nTrials: number;
}

export interface JobEntry<Trial extends ScoredTrial = TrialRecord> extends JobBundle<Trial> {
  /** Absolute path of the job's folder. */
  readonly path: string;
  readonly report: VerificationReport;
}

/** A consistent view of everything under the roots at one moment. */
export interface CatalogSnapshot {
  readonly roots: readonly CatalogRoot[];
  /** Newest first by finish, update or start time; jobs without a time last, by name. */
  readonly jobs: readonly JobEntry[];
  /** Copies of `jobs`, which no list counts; see `findCopies`. */
  readonly copies: readonly JobEntry[];
  /** The load report over all roots, folders first, in path order. */
  readonly issues: readonly LoadIssue[];
}
