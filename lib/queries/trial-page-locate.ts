import "server-only";

import { findJob, findTrial } from "@/lib/catalog";
import { NotFoundError } from "@/lib/domain/app-error";
import type { JobEntry } from "@/lib/domain/catalog";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { TrialRecord } from "@/lib/domain/trial";

import { getSnapshot } from "./catalog";

/** A trial and where it lies. */
export interface LocatedTrial {
  readonly entry: JobEntry;
  readonly trial: TrialRecord;
  readonly rootLabel: string;
  /** Absolute path of its folder; null when the trial is only known from a plan or from the job's statistics. */
  readonly path: string | null;
  /** Names of its steps in the order they ran; null for a single-step trial. */
  readonly stepNames: readonly string[] | null;
}

/**
 * The trial that two keys of an address stand for.
 *
 * @throws NotFoundError when no open folder holds it
 */
export async function locateTrial(jobKey: string, trialKey: string): Promise<LocatedTrial> {
  const snapshot = await getSnapshot();
  const entry = findJob(snapshot, jobKey);
  const trial = entry === null ? null : findTrial(entry, trialKey);
  if (entry === null || trial === null) {
    throw new NotFoundError("This trial is not in the open folders.", { context: { jobKey, trialKey } });
  }
  const root = snapshot.roots[entry.job.root];
  return {
    entry,
    trial,
    rootLabel: root?.label ?? "",
    path: root === undefined || trial.folder === "" ? null : `${root.path}/${trial.folder}`,
    stepNames: trial.steps?.map((step) => step.stepName) ?? null,
  };
}

/** Issues of detail files with the same kind of path as the load report: root label, folder, file. */
export function placeIssues(located: LocatedTrial, issues: readonly LoadIssue[]): readonly LoadIssue[] {
  const prefix = `${located.rootLabel}/${located.trial.folder}`;
  return issues.map((issue) => ({ ...issue, path: issue.path === "" ? prefix : `${prefix}/${issue.path}` }));
}

/** What the load report says about this trial's folder and the files in it. */
export function listReportedIssues(located: LocatedTrial): readonly LoadIssue[] {
  const prefix = `${located.rootLabel}/${located.trial.folder}`;
  if (located.trial.folder === "") return [];
  return located.entry.issues.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
}
