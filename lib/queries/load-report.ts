import "server-only";

import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/domain/load-issue";

import { getSnapshot } from "./catalog";

/** The load report over all roots. */
export interface LoadReportModel {
  /** Issues that contain the text in code, path or detail; problems first, then in path order. */
  readonly issues: readonly LoadIssue[];
  readonly nProblems: number;
  readonly nNotes: number;
  readonly nTrials: number;
}

/** The load report, filtered by a text; counts are of the whole report. */
export async function getLoadReport(text: string): Promise<LoadReportModel> {
  const { issues, jobs } = await getSnapshot();
  const needle = text.toLowerCase();
  const isProblem = (issue: LoadIssue) => LOAD_ISSUE_CODES[issue.code] === "problem";
  const nProblems = issues.filter(isProblem).length;
  return {
    issues: issues
      .filter(({ code, path, detail }) => `${code} ${path} ${detail}`.toLowerCase().includes(needle))
      .toSorted((a, b) => Number(isProblem(b)) - Number(isProblem(a)) || a.path.localeCompare(b.path)),
    nProblems,
    nNotes: issues.length - nProblems,
    nTrials: jobs.reduce((sum, job) => sum + job.trials.length, 0),
  };
}
