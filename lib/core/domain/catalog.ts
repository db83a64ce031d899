import type { JobBundle } from "./job";
import type { LoadIssue } from "./load-issue";
import type { VerificationReport } from "./verification";

export interface CatalogRoot {
  readonly label: string;
  readonly path: string;
  readonly nJobs: number;
  readonly nTrials: number;
}

export interface JobEntry extends JobBundle {
  readonly path: string;
  readonly report: VerificationReport;
}

export interface CatalogSnapshot {
  readonly roots: readonly CatalogRoot[];
  /** Newest first by finish, update or start time. Jobs without a time come last, by name. */
  readonly jobs: readonly JobEntry[];
  readonly copies: readonly JobEntry[];
  readonly issues: readonly LoadIssue[];
}
