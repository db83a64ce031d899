import "server-only";

import { TextBounder } from "@/lib/domain/text-bounder";
import type { TrialAnalysis } from "@/lib/domain/trial-file";
import { PART_SIZES, takeChecks } from "@/lib/domain/trial-lists";
import type { TrialRecord } from "@/lib/domain/trial";
import { type IndexStore, readReports, type ReportRow } from "@/lib/store";

/** What open jobs of `harbor analyze` say of a trial, and those of `harbor check` of its task. */
export interface TrialReports {
  /** Newest job first. */
  readonly rows: readonly ReportRow[];
  /** Those of older jobs, which are not shown. */
  readonly nOlder: number;
}

/** Reports of one trial that its page shows, and bytes of all of them. */
const MOST_REPORTS = 20;
const MOST_BYTES = 200_000;

/** Reports found by the names of the trial and its task's folder, their checks from `fromCheck` on, without the trial's own. */
export async function readTrialReports(
  store: IndexStore,
  { trialName, taskName }: Pick<TrialRecord, "trialName" | "taskName">,
  own: TrialAnalysis | null,
  fromCheck: number,
): Promise<TrialReports> {
  const taskFolder = taskName.slice(taskName.lastIndexOf("/") + 1);
  const { rows, nMatching } = await readReports(store, { trialName, taskFolder }, MOST_REPORTS);
  const others = rows
    .filter(
      ({ purpose, analysis }) => purpose === "check" || own === null || own.summary !== analysis.summary,
    )
    .map((row) => ({ ...row, analysis: takeChecks(row.analysis, fromCheck) }));
  // One for all: they stand on one page.
  const shown = new TextBounder(PART_SIZES.checks, MOST_BYTES).bound(others);
  return {
    rows: shown.map((row, at) => ({ ...row, isCut: row.isCut || row !== others[at] })),
    nOlder: nMatching - rows.length + others.length - shown.length,
  };
}
