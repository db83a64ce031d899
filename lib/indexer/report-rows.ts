import { join } from "node:path";

import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/domain/text-bounder";
import { type LoadRoot, prepareIssue } from "@/lib/loader";
import { readJobReport } from "@/lib/loader/detail";
import { encodeValue, type PendingJob, type StoredReport } from "@/lib/store";

/** Bytes of a page that one report may take; a trial page shows several. */
const MAX_BYTES = 200_000;

/**
 * Reads what a job reports of other trials or tasks, each cut where no page could hold it, and why it could not be read;
 * empty for a job that writes none.
 */
export async function readJobReports(
  root: LoadRoot,
  { folder, purpose }: Pick<PendingJob, "folder" | "purpose">,
) {
  if (purpose === "benchmark") return { rows: [], issues: [] };
  const { file, value, issues } = await readJobReport(join(root.path, folder), purpose);
  const rows = value.map(({ subject, error, analysis }, position) => {
    const whole = { error, analysis };
    const shown = new TextBounder(MAX_TRIAL_ITEMS, MAX_BYTES).bound(whole);
    // Pages go through the checks that are here.
    const stored = { ...shown.analysis, nChecks: shown.analysis.checks.length };
    const content: StoredReport = { error: shown.error, analysis: stored, file, isCut: shown !== whole };
    return { position, subject: new TextBounder(1).bound(subject), content: encodeValue(content) };
  });
  const placed = issues.map(({ code, detail }) => prepareIssue(root, code, join(folder, file), detail));
  return { rows, issues: placed };
}
