import "server-only";
import { StoreError } from "@/lib/core/domain/app-error";
import { compareNames } from "@/lib/core/domain/compare-text";
import { LOAD_ISSUE_CODES } from "@/lib/core/domain/load-issue";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { describePart, takePart } from "@/lib/core/domain/trial-lists";
import { LOAD_ADVICE } from "@/lib/core/format/load-advice";
import { type IssueSort, type LoadReportParams, PAGE_ISSUES } from "@/lib/pages/load-report/address";
import {
  type IndexStore,
  type PlacedIssue,
  readIssues,
  readTotals,
  readUncountedCopies,
} from "@/lib/store/tables";

import { getCached, getIndex, getStore, getWholeStore } from "../shell/catalog";

/** No one reads a longer list; the text filter finds the rest. */
const READ_AT_MOST = 2_000;
/** Bytes of all listed issues, and of an issue without its texts. */
const MAX_BYTES = 1_200_000;
const ISSUE_BYTES = 900;

export async function getLoadReport(params: LoadReportParams) {
  const [store, totals] = await Promise.all([getStore(), getCached("totals", readTotals)]);
  const copies = await readUncountedCopies(await getWholeStore());
  return { ...(await readShownIssues(store, params, params)), totals, copies };
}

const SORT_TEXTS: Readonly<Record<IssueSort, (issue: PlacedIssue) => string>> = {
  level: ({ code }) => (LOAD_ISSUE_CODES[code] === "problem" ? "" : "note"),
  code: ({ code }) => code,
  path: ({ path }) => path,
  detail: ({ detail }) => detail,
  advice: ({ code }) => LOAD_ADVICE[code],
};

export type ShownIssues = Awaited<ReturnType<typeof readShownIssues>>;

export async function readShownIssues(
  store: IndexStore,
  which: { readonly text: string } | { readonly jobRowId: number },
  { from, sort, descending = false }: { from: number; sort?: IssueSort; descending?: boolean },
) {
  const { issues: read, nMatching } = await readIssues(store, { ...which, limit: READ_AT_MOST });
  const sign = descending ? -1 : 1;
  const textOf = sort === undefined ? () => "" : SORT_TEXTS[sort];
  const sorted = read.toSorted((a, b) => sign * compareNames(textOf(a), textOf(b)));
  const issues = takeFitting(takePart(sorted, from, PAGE_ISSUES), MAX_BYTES, countIssueBytes);
  return { issues, part: describePart(read.length, from, issues.length), nMatching };
}

/** The path is also in a link. */
function countIssueBytes({ path, detail }: PlacedIssue): number {
  return ISSUE_BYTES + countAddressBytes(path) + countPageBytes(path) + countPageBytes(detail);
}

/** Scans every open folder and waits. Returns why the index is not current; null if it is. */
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
