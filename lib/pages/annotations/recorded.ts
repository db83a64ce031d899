import "server-only";
import { rangeOfPage } from "@/lib/core/domain/list-page";
import { readHead, readRecordedJudgments, readRecordedTotals, type RecordedTotals } from "@/lib/store/tables";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";

export type RecordedPage = Awaited<ReturnType<typeof getRecordedPage>>;

const JUDGMENTS_PER_PAGE = 100;

/** `job` is null for all jobs, and for a job that is not open. */
export async function getRecordedPage(jobKey: string | null, page: number) {
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
