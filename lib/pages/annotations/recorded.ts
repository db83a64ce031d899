import "server-only";
import { type ListPage, rangeOfPage } from "@/lib/core/domain/list-page";
import {
  readHead,
  readRecordedJudgments,
  readRecordedTotals,
  type RecordedRow,
  type RecordedTotals,
} from "@/lib/store/tables";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";

export interface RecordedPage extends ListPage<RecordedRow & { readonly identity: number }> {
  readonly totals: RecordedTotals;
  /** Null for all jobs, and for a job that is not open. */
  readonly job: { readonly key: string; readonly name: string } | null;
}

const JUDGMENTS_PER_PAGE = 100;

export async function getRecordedPage(jobKey: string | null, page: number): Promise<RecordedPage> {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const job = jobKey === null ? null : await readHead(store, jobKey);
  const [list, totals] = await Promise.all([
    readRecordedJudgments(store, job?.key ?? null, rangeOfPage(page, JUDGMENTS_PER_PAGE)),
    readRecordedTotals(store, job?.key ?? null),
  ]);
  const rows = list.rows.map((row) => ({ ...row, identity: identityOf(row.agent, row.model) }));
  return { ...list, rows, totals, job: job === null ? null : { key: job.key, name: job.name } };
}

export function getRecordedTotals(): Promise<RecordedTotals> {
  return getCached("recorded-judgments", (store) => readRecordedTotals(store));
}
