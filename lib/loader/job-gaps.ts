import type { JobRecord } from "@/lib/domain/job";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { TrialRecord } from "@/lib/domain/trial";

import { type LoadRoot, prepareIssue } from "./load-root";
import { listRecordedNames } from "./shared-folder";

/** What a job says it has and its folder does not: trials without a folder, folders without a result, ids used twice. */
export function describeGaps(root: LoadRoot, job: Omit<JobRecord, "key">, trials: readonly TrialRecord[]): LoadIssue[] {
  const issues: LoadIssue[] = [];
  const add = (code: LoadIssue["code"], folder: string, detail: string) => issues.push(prepareIssue(root, code, folder, detail));
  if (trials.length === 0) add("job_without_trials", job.folder, "The job has no trial folder, so nothing can be computed again.");
  // Trials that a running job has yet to start are not missing.
  const planned = Math.max(Number(job.recorded?.nTotalTrials ?? 0n), job.plan?.length ?? 0);
  if (planned > trials.length && job.state !== "running") {
    add("trial_folder_missing", job.folder, `${planned - trials.length} of ${planned} planned trials have no folder.`);
  }
  const names = new Set(trials.map((trial) => trial.trialName));
  const absent = [...listRecordedNames(job.recorded)].filter((name) => !names.has(name));
  const [firstAbsent] = absent;
  if (firstAbsent !== undefined && trials.length > 0) {
    const detail = `${absent.length} trial names in result.json have no folder, such as "${firstAbsent}".`;
    add("trial_folder_missing", job.folder, detail);
  }
  for (const trial of trials) {
    if (trial.state === "missing") {
      add("trial_without_result", trial.folder, "The trial has no result.json; it was interrupted or its result is lost.");
    }
  }
  const byId = Map.groupBy(trials.filter((trial) => trial.id !== null), (trial) => trial.id);
  for (const [id, [first, ...rest]] of byId) {
    if (first === undefined || rest.length === 0) continue;
    add("trial_id_repeated", first.folder, `${rest.length + 1} trials of this job have the id ${id}.`);
  }
  return issues;
}
