import { sql } from "kysely";

import { toColumnText } from "@/lib/database";
import type { JobPurpose } from "@/lib/domain/job";
import type { TrialAnalysis } from "@/lib/domain/trial-file";

import { decodeValue } from "../schema/codec";
import type { IndexStore } from "../open-store";

/** What a report says of one trial or task, as the index keeps it. */
export interface StoredReport {
  /** Why nothing was reported; null when something was. */
  readonly error: string | null;
  readonly analysis: TrialAnalysis;
  /** The job's file that says it. */
  readonly file: string;
  /** Whether only a part of what the file says is here. */
  readonly isCut: boolean;
}

/** A report and the job that wrote it. */
export interface ReportRow extends StoredReport {
  readonly jobKey: string;
  readonly jobName: string;
  readonly purpose: JobPurpose;
}

/** Whom reports are about. */
export interface ReportSubject {
  readonly trialName: string;
  /** Name of the folder of its task. */
  readonly taskFolder: string;
}

/** The analyses of a trial and the checks of its task, newest job first, and how many there are. */
export async function readReports(
  { db }: IndexStore,
  { trialName, taskFolder }: ReportSubject,
  limit: number,
): Promise<{ readonly rows: readonly ReportRow[]; readonly nMatching: number }> {
  const list = db
    .selectFrom("reports")
    .innerJoin("jobs", "jobs.id", "reports.job_id")
    .where((where) =>
      where.or([
        where.and({ "jobs.purpose": "analysis", "reports.subject": toColumnText(trialName) }),
        where.and({ "jobs.purpose": "check", "reports.subject": toColumnText(taskFolder) }),
      ]),
    );
  const rows = await list
    .select(["jobs.key", "jobs.name", "jobs.purpose", "reports.content"])
    .orderBy(sql`jobs.when_ms desc nulls last`)
    .orderBy("jobs.id")
    .orderBy("reports.position")
    .limit(limit)
    .execute();
  const nMatching =
    rows.length < limit
      ? rows.length
      : (await list.select((select) => select.fn.countAll<number>().as("n")).executeTakeFirstOrThrow()).n;
  return {
    rows: rows.map(({ key, name, purpose, content }) => ({
      ...decodeValue<StoredReport>(content),
      jobKey: key,
      jobName: name,
      purpose: purpose as JobPurpose, // The indexer writes members of the closed list.
    })),
    nMatching,
  };
}
