import "server-only";

import { StoreError } from "@/lib/domain/app-error";
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
/** Characters of all that a page lists. */
const MAX_CHARS = 400_000;

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
  let left = MAX_CHARS;
  const end = issues.findIndex(({ path, detail }) => (left -= path.length + detail.length) < 0);
  return { issues: end === -1 ? issues : issues.slice(0, Math.max(1, end)), nMatching };
}

/** Looks at every open folder now and waits for it; why the index is not up to date after that, null when it is. */
export async function lookAgain(): Promise<string | null> {
  try {
    const index = await getIndex();
    await index.lookAgain();
    return index.status().failure;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
