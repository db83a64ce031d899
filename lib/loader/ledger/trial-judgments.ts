import type { LoadIssue } from "@/lib/domain/load-issue";
import type { RecordedJudgment, ReviewerOnFile } from "@/lib/domain/judgment";

import type { LoadRoot } from "../discover/load-root";
import { type JudgedTrial, JudgmentFiles } from "./read-judgments";
import { readReviewers } from "./read-reviewers";

/** Judgments of one trial that stand in files, who made them, and what is wrong with the files. */
export interface TrialJudgmentsReading {
  /** See `TrialJudgmentsOnFile`. */
  readonly judgments: readonly RecordedJudgment[];
  /** Reviewers of these judgments that the feedback folder knows. */
  readonly reviewers: readonly ReviewerOnFile[];
  readonly issues: readonly LoadIssue[];
}

/**
 * Reads the judgments of one trial of a ledger from their files. Nothing is merged with Assay's own annotations.
 *
 * @param ledgerFolder - the experiment's, relative to the root: the `folder` of a job of kind `ledger`
 * @remarks Synchronous; looks only at the files of the trial and of its reviewers.
 */
export function readTrialJudgments(
  root: LoadRoot,
  ledgerFolder: string,
  trial: JudgedTrial,
): TrialJudgmentsReading {
  const files = new JudgmentFiles(root, ledgerFolder);
  const judgments = files.read(trial);
  const ids = new Set(judgments.flatMap(({ reviewerId }) => reviewerId ?? []));
  const { reviewers, issues } = readReviewers(root, ledgerFolder, ids);
  return { judgments, reviewers, issues: [...files.issues, ...issues] };
}
