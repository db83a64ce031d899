import "server-only";

import { StoreError } from "@/lib/domain/app-error";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import { type IndexStore, type IndexTotals, type PlacedIssue, readIssues, readTotals } from "@/lib/store";

import { getForGeneration, getIndex, getStore } from "./catalog";

/** The load report over all roots. */
export interface LoadReportModel {
  /** Issues that contain the text in code, path or detail, as many as a page holds; problems first, then by path. */
  readonly issues: readonly PlacedIssue[];
  /** Issues that contain the text, in all. */
  readonly nMatching: number;
  readonly totals: IndexTotals;
}

/** A longer list is nothing to read through; the text filter finds the others. */
const SHOWN_AT_MOST = 2_000;
/** Bytes of all that a page lists, and of an issue beside its texts. */
const MAX_BYTES = 1_500_000;
const ISSUE_BYTES = 300;

/** The load report, filtered by a text; totals are of the whole report. */
export async function getLoadReport(text: string): Promise<LoadReportModel> {
  const [store, totals] = await Promise.all([getStore(), getForGeneration("totals", readTotals)]);
  return readLoadReport(store, text, totals);
}

/** {@link getLoadReport} of a given index. */
export async function readLoadReport(
  store: IndexStore,
  text: string,
  totals: IndexTotals,
): Promise<LoadReportModel> {
  return { ...(await readShownIssues(store, { text })), totals };
}

/** As many of the issues with a text, or of a job, as a page holds, and how many there are. */
export async function readShownIssues(
  store: IndexStore,
  which: { readonly text: string } | { readonly jobId: number },
): Promise<Pick<LoadReportModel, "issues" | "nMatching">> {
  const { issues, nMatching } = await readIssues(store, { ...which, limit: SHOWN_AT_MOST });
  return { issues: takeFitting(issues, MAX_BYTES, countIssueBytes), nMatching };
}

/** Its path is a link as well. */
function countIssueBytes({ path, detail }: PlacedIssue): number {
  return ISSUE_BYTES + countAddressBytes(path) + countPageBytes(path) + countPageBytes(detail);
}

/** Scans every open folder, waits for it, and returns why the index is not up to date; null when it is. */
export async function rescan(): Promise<string | null> {
  try {
    const index = await getIndex();
    await index.rescan();
    return index.status().failure;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
