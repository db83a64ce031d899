import type { TrialAnalysis } from "@/lib/domain/trial-file";
import { readJobReport } from "@/lib/loader/detail";

/** A job of `harbor analyze` or `harbor check`, and whose report is wanted. */
export interface ReportRequest {
  /** Absolute path of the job's folder. */
  readonly path: string;
  readonly purpose: "analysis" | "check";
  /** A trial's name for an analysis, the folder name of a task for a check. */
  readonly subject: string;
}

/** What such a job says of one trial or task. */
export interface ReportEntry {
  /** Why nothing was reported; null when something was. */
  readonly error: string | null;
  readonly analysis: TrialAnalysis;
}

/** The entries of each job's report that are about its subject, in the order of the requests. */
export async function readReports(
  requests: readonly ReportRequest[],
): Promise<readonly (readonly ReportEntry[])[]> {
  const found: (readonly ReportEntry[])[] = [];
  for (const { path, purpose, subject } of requests) {
    const entries = (await readJobReport(path, purpose)).filter((entry) => entry.subject === subject);
    found.push(entries.map(({ error, summary, checks }) => ({ error, analysis: { summary, checks } })));
  }
  return found;
}
