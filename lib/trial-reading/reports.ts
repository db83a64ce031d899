import { TextBounder } from "@/lib/domain/text-bounder";
import type { TrialAnalysis } from "@/lib/domain/trial-file";
import { PART_SIZES } from "@/lib/domain/trial-lists";
import { readJobReport } from "@/lib/loader/detail";

import { takeChecks } from "./details";

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
  /** The job's file that says it, and whether only a part of that is here. */
  readonly file: string;
  readonly isCut: boolean;
}

/** Of all reports. */
const MAX_BYTES = 200_000;

/** The entries of each job's report that are about its subject, in the order of the requests, with the checks from `fromCheck` on, cut where no page could hold them. */
export async function readReports(
  requests: readonly ReportRequest[],
  fromCheck: number,
): Promise<readonly (readonly ReportEntry[])[]> {
  const found: (readonly ReportEntry[])[] = [];
  // One for all: they stand on one page.
  const bounder = new TextBounder(PART_SIZES.checks, MAX_BYTES);
  for (const { path, purpose, subject } of requests) {
    const { file, entries } = await readJobReport(path, purpose);
    const whole = entries
      .filter((entry) => entry.subject === subject)
      .map(({ error, summary, checks, nChecks }) => ({ error, analysis: { summary, checks, nChecks } }));
    const parts = whole.map((entry) => ({ ...entry, analysis: takeChecks(entry.analysis, fromCheck) }));
    const shown = bounder.bound(parts);
    const isCut = shown !== parts || parts.some(({ analysis }) => analysis.checks.length < analysis.nChecks);
    found.push(shown.map((entry) => ({ ...entry, file, isCut })));
  }
  return found;
}
