import "server-only";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { Trial } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";
import { PART_SIZES, takeChecks } from "@/lib/core/domain/trial-lists";
import { type IndexStore, readReports } from "@/lib/store/tables";

const MOST_REPORTS = 20;
const MOST_BYTES = 200_000;

/** Finds reports by the names of the trial and its task's folder, without the trial's own. Checks start at `fromCheck`. */
export async function readTrialReports(
  store: IndexStore,
  { trialName, taskName }: Pick<Trial, "trialName" | "taskName">,
  own: TrialAnalysis | null,
  fromCheck: number,
) {
  const taskFolder = taskName.slice(taskName.lastIndexOf("/") + 1);
  const { rows, nMatching } = await readReports(store, { trialName, taskFolder }, MOST_REPORTS);
  const others = rows
    .filter(
      ({ purpose, analysis }) => purpose === "check" || own === null || own.summary !== analysis.summary,
    )
    .map((row) => ({ ...row, analysis: takeChecks(row.analysis, fromCheck) }));
  // One limit for all, since they share a page.
  const shown = new TextBounder(PART_SIZES.checks, MOST_BYTES).bound(others);
  return {
    rows: shown.map((row, at) => ({ ...row, isCut: row.isCut || row !== others[at] })),
    nOlder: nMatching - rows.length + others.length - shown.length,
  };
}
