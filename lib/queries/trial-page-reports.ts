import "server-only";

import type { TrialAnalysis } from "@/lib/domain/trial-file";
import type { TrialRecord } from "@/lib/domain/trial";
import { type IndexStore, readReportJobs } from "@/lib/store";
import { readApart, type ReportEntry, unlessReadingFails } from "@/lib/trial-reading";

/** What an open job of `harbor analyze` says of a trial, or one of `harbor check` of its task. */
export interface TrialReport extends ReportEntry {
  readonly purpose: "analysis" | "check";
  readonly jobKey: string;
  readonly jobName: string;
}

/** Reports are files of some kilobytes a trial; of more jobs than this the newest are looked at. */
const MOST_JOBS = 50;

const NO_ANALYSIS: TrialAnalysis = { summary: null, checks: [], nChecks: 0 };

/**
 * The reports about a trial, newest job first, found by the trial's name and the name of its task's folder: a report names
 * no job. What the trial's own analysis.json says too is left out.
 *
 * @param fromCheck - 0-based check that their lists begin at
 */
export async function readTrialReports(
  store: IndexStore,
  { trialName, taskName }: Pick<TrialRecord, "trialName" | "taskName">,
  own: TrialAnalysis | null,
  fromCheck: number,
): Promise<readonly TrialReport[]> {
  const jobs = await readReportJobs(store, MOST_JOBS);
  const task = taskName.slice(taskName.lastIndexOf("/") + 1);
  const requests = jobs.flatMap(({ purpose, path }) =>
    purpose === "benchmark" ? [] : { path, purpose, subject: purpose === "analysis" ? trialName : task },
  );
  const named = jobs.filter(({ purpose }) => purpose !== "benchmark");
  const reading =
    requests.length === 0 ? Promise.resolve([]) : readApart("reports", "reports", requests, fromCheck);
  // They are other jobs' files: whatever they hold, this trial can be looked at.
  const found = await unlessReadingFails(reading, ({ message: error }) =>
    requests.map(() => [{ error, analysis: NO_ANALYSIS, file: "", isCut: false }]),
  );
  return found.flatMap((entries, index) => {
    const [job, request] = [named[index], requests[index]];
    if (job === undefined || request === undefined) return [];
    const { purpose } = request;
    return entries
      .filter(({ analysis }) => purpose === "check" || own === null || own.summary !== analysis.summary)
      .map((entry) => ({ purpose, jobKey: job.key, jobName: job.name, ...entry }));
  });
}
