import { compareNames } from "@/lib/domain/compare-text";
import type { LoadIssue } from "@/lib/domain/load-issue";

import { contains, countRows } from "./query";
import type { IndexStore } from "../open-store";

/** What an issue is about: a job or one of its trials, and a file of it. */
interface IssuePlace {
  readonly jobKey: string;
  /** Null for what is the job's own. */
  readonly trialKey: string | null;
  /** Relative to the folder of the trial, or else of the job; empty for that folder itself. */
  readonly file: string;
}

export interface PlacedIssue extends LoadIssue {
  /** Null for an issue of an opened folder, and for a file that lies elsewhere. */
  readonly place: IssuePlace | null;
}

/**
 * Returns the load report of everything, or of one job: at most `limit` issues that contain `text`, those of a job in the order
 * they were found, else problems first, then in path order; and how many there are.
 */
export async function readIssues(
  { db }: IndexStore,
  { text = "", jobRowId = null, limit }: { text?: string; jobRowId?: number | null; limit: number },
) {
  let list = db.selectFrom("issues").leftJoin("jobs", "jobs.id", "issues.jobRowId");
  if (text !== "") list = list.where(contains("issues.search", text.toLowerCase()));
  if (jobRowId !== null) list = list.where("issues.jobRowId", "=", jobRowId);
  const chosen = list.select(["code", "path", "detail", "jobs.key", "trialKey", "file", "isProblem"]);
  const ordered =
    jobRowId === null
      ? chosen.orderBy("isProblem", "desc").orderBy("path").orderBy("code")
      : chosen.orderBy("origin");
  const rows = await ordered.orderBy("position").limit(limit).execute();
  const sorted =
    jobRowId === null
      ? rows.toSorted((a, b) => b.isProblem - a.isProblem || compareNames(a.path, b.path))
      : rows;
  const issues = sorted.map(({ key, trialKey, file, isProblem: _, ...issue }) => ({
    ...issue,
    place: key === null || file === null ? null : { jobKey: key, trialKey, file },
  }));
  return { issues, nMatching: rows.length < limit ? rows.length : await countRows(list) };
}

/** Issues of a job that a trial's page lists at most. */
const MOST_OF_TRIAL = 1_000;

/**
 * Issues of one trial of a job in the order they were found, at most 1,000, without the files that were read for derived details, since
 * whoever asks for one trial reads these files anew.
 */
export async function readTrialIssues(
  { db }: IndexStore,
  jobRowId: number,
  trialKey: string,
): Promise<readonly LoadIssue[]> {
  return db
    .selectFrom("issues")
    .select(["code", "path", "detail"])
    .where("jobRowId", "=", jobRowId)
    .where("trialKey", "=", trialKey)
    .where("origin", "<>", "derived-details")
    .orderBy("origin")
    .orderBy("position")
    .limit(MOST_OF_TRIAL)
    .execute();
}

/** Whether some texts or lists of the job itself were cut, see `boundEntry`. */
export async function isJobCut({ db }: IndexStore, jobRowId: number): Promise<boolean> {
  const row = await db
    .selectFrom("issues")
    .select("position")
    .where("jobRowId", "=", jobRowId)
    .where("code", "=", "text_too_long")
    .where("trialKey", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
