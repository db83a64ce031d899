import type { Outcome } from "@/lib/domain/trial";

/** One attempt as a mark of the tasks table, with what its judgments are found by. */
export interface AttemptMark {
  readonly key: string;
  readonly id: string | null;
  /** `config.job_id`, when recorded. */
  readonly jobId: string | null;
  readonly trialName: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  /** False when the trial is only known from the job's statistics. */
  readonly hasFolder: boolean;
  readonly exceptionType: string | null;
}

/** The attempts of one group at one task, in attempt order. */
export interface TaskCell {
  readonly attempts: readonly AttemptMark[];
  readonly nPassed: number;
  /** Attempts with a result: running, missing and unreadable ones are neither passed nor failed. */
  readonly nEnded: number;
}
