import { join } from "node:path";

import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/core/domain/text-bounder";
import { type LoadRoot, prepareIssue } from "@/lib/read/loader";
import { readJobReport } from "@/lib/read/loader/detail";
import { encodeValue, type PendingJob, type StoredReport } from "@/lib/store/tables";

/** Bytes of one report; a trial page shows several. */
const MAX_BYTES = 200_000;

/**
 * Reads a job's reports about trials or tasks, cut to page size, and why one could not be read. Empty for a job that writes none.
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
    const stored = { ...shown.analysis, nChecks: shown.analysis.checks.length };
    const content: StoredReport = { error: shown.error, analysis: stored, file, isCut: shown !== whole };
    return { position, subject: new TextBounder(1).bound(subject), content: encodeValue(content) };
  });
  const placed = issues.map(({ code, detail }) => prepareIssue(root, code, join(folder, file), detail));
  return { rows, issues: placed };
}
