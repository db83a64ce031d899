import "server-only";

import { StoreError } from "@/lib/domain/app-error";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { type IndexStore, type IndexTotals, readIssues, readTotals } from "@/lib/store";

import { getForGeneration, getIndex, getStore } from "./catalog";

/** The load report over all roots. */
export interface LoadReportModel {
  /** Issues that contain the text in code, path or detail, the first thousands of them; problems first, then by path. */
  readonly issues: readonly LoadIssue[];
  /** Issues that contain the text, in all. */
  readonly nMatching: number;
  readonly totals: IndexTotals;
}

/** A longer list is nothing to read through; the text filter finds the others. */
const SHOWN_AT_MOST = 2_000;

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
  return { ...(await readIssues(store, text, SHOWN_AT_MOST)), totals };
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
