import type { LoadIssue } from "@/lib/domain/load-issue";
import { type JobDraft, type LoadRoot, prepareIssue } from "@/lib/loader";

/**
 * Ids that stand in more than one job, as copies and renamed folders have them: per job, in the order of `drafts`.
 *
 * A repeated job id is reported on every job but the first that has it; repeated trial ids once per pair of jobs, and
 * not where the jobs' ids already tell it.
 */
export function findRepeatedIds(roots: readonly LoadRoot[], drafts: readonly JobDraft[]): LoadIssue[][] {
  const firstJobs = new Map<string, JobDraft>();
  const firstTrials = new Map<string, JobDraft>();
  return drafts.map((draft) => {
    const root = roots[draft.job.root];
    if (root === undefined) return [];
    const issues: LoadIssue[] = [];
    const { id, folder } = draft.job;
    const twin = id === null ? undefined : firstJobs.get(id);
    if (twin !== undefined) {
      const detail = `The job id ${id ?? ""} is also that of ${describeFolder(roots, twin)}, perhaps a copy of the same job.`;
      issues.push(prepareIssue(root, "job_id_repeated", folder, detail));
    } else if (id !== null) firstJobs.set(id, draft);
    for (const [other, count] of countRepeatedTrials(draft, firstTrials)) {
      if (other === twin || (id !== null && other.job.id === id)) continue;
      const detail = `${count} trials have the ids of trials in ${describeFolder(roots, other)}.`;
      issues.push(prepareIssue(root, "trial_id_repeated", folder, detail));
    }
    return issues;
  });
}

function countRepeatedTrials(draft: JobDraft, firstTrials: Map<string, JobDraft>): Map<JobDraft, number> {
  const counts = new Map<JobDraft, number>();
  for (const { id } of draft.trials) {
    if (id === null) continue;
    const first = firstTrials.get(id);
    if (first === undefined) firstTrials.set(id, draft);
    else if (first !== draft) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return counts;
}

function describeFolder(roots: readonly LoadRoot[], { job }: JobDraft): string {
  const label = roots[job.root]?.label ?? "";
  return job.folder === "" ? label : `${label}/${job.folder}`;
}
