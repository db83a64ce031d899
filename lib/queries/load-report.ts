import "server-only";

import type { LoadIssue } from "@/lib/domain/load-issue";
import { type IndexStore, type IndexTotals, readIssues, readTotals } from "@/lib/store";

import { getForGeneration, getStore } from "./catalog";

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
