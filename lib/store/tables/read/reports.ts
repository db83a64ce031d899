import type { JobPurpose } from "@/lib/core/domain/job";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { StoredReport } from "../schema/stored-values";
import { countRows } from "./query";

export interface ReportRow extends StoredReport {
  readonly jobKey: string;
  readonly jobName: string;
  readonly purpose: JobPurpose;
}

export async function readReports(
  { db }: IndexStore,
  { trialName, taskFolder }: { readonly trialName: string; readonly taskFolder: string },
  limit: number,
) {
  const list = db
    .selectFrom("reports")
    .innerJoin("jobs", "jobs.id", "reports.jobRowId")
    .where((where) =>
      where.or([
        where.and({ "jobs.purpose": "analysis", "reports.subject": toColumnText(trialName) }),
        where.and({ "jobs.purpose": "check", "reports.subject": toColumnText(taskFolder) }),
      ]),
    );
  const rows = await list
    .select(["jobs.key as jobKey", "jobs.name as jobName", "jobs.purpose", "reports.content"])
    .orderBy("jobs.whenMs", (order) => order.desc().nullsLast())
    .orderBy("jobs.id")
    .orderBy("reports.position")
    .limit(limit)
    .execute();
  return {
    rows: rows.map(({ content, ...job }) => ({ ...decodeValue(content), ...job })),
    nMatching: rows.length < limit ? rows.length : await countRows(list),
  };
}
