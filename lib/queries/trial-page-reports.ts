import "server-only";

import type { TrialAnalysis } from "@/lib/domain/trial-file";
import type { TrialRecord } from "@/lib/domain/trial";
import { readJobReport } from "@/lib/loader/detail";
import { type IndexStore, readReportJobs } from "@/lib/store";

/** What an open job of `harbor analyze` says of a trial, or one of `harbor check` of its task. */
export interface TrialReport {
  readonly purpose: "analysis" | "check";
  readonly jobKey: string;
  readonly jobName: string;
  /** Why nothing was reported; null when something was. */
  readonly error: string | null;
  readonly analysis: TrialAnalysis;
}

/** Reports are files of some kilobytes a trial; of more jobs than this the newest are looked at. */
const MOST_JOBS = 50;

/**
 * The reports about a trial, newest job first, found by the trial's name and the name of its task's folder: a report names
 * no job. What the trial's own analysis.json says too is left out.
 */
export async function readTrialReports(
  store: IndexStore,
  { trialName, taskName }: Pick<TrialRecord, "trialName" | "taskName">,
  own: TrialAnalysis | null,
): Promise<readonly TrialReport[]> {
  const jobs = await readReportJobs(store, MOST_JOBS);
  const task = taskName.slice(taskName.lastIndexOf("/") + 1);
  const found = await Promise.all(
    jobs.map(async ({ key, name, purpose, path }) => {
      if (purpose === "benchmark") return [];
      const wanted = purpose === "analysis" ? trialName : task;
      const entries = (await readJobReport(path, purpose)).filter(({ subject }) => subject === wanted);
      return entries
        .filter((entry) => purpose === "check" || own === null || own.summary !== entry.summary)
        .map((entry) => ({
          purpose,
          jobKey: key,
          jobName: name,
          error: entry.error,
          analysis: { summary: entry.summary, checks: entry.checks },
        }));
    }),
  );
  return found.flat();
}
