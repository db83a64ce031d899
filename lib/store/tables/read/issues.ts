import { compareNames } from "@/lib/core/domain/compare-text";
import type { LoadIssue } from "@/lib/core/domain/load-issue";

import type { IndexStore } from "../open-store";
import { contains, countRows, inOrder } from "./query";

interface IssuePlace {
  readonly jobKey: string;
  readonly trialKey: string | null;
  readonly file: string;
}

export interface PlacedIssue extends LoadIssue {
  /** Null for an issue of an opened folder, and for a file outside of it. */
  readonly place: IssuePlace | null;
}

/**
 * Returns at most `limit` issues that contain `text`, and how many match. Issues of one job keep the order in which they were
 * found; otherwise problems come first, then by path.
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

const MOST_OF_TRIAL = 1_000;

/**
 * Returns issues of one trial in the order they were found. Skips files of derived details, since the trial's page reads these
 * again.
 */
export async function readTrialIssues({ db }: IndexStore, jobRowId: number, trialKey: string) {
  return db
    .selectFrom("issues")
    .select(["code", "path", "detail"])
    .where((where) => where.and({ jobRowId, trialKey }))
    .where("origin", "<>", "derived-details")
    .orderBy(inOrder("origin", "position"))
    .limit(MOST_OF_TRIAL)
    .execute();
}

export async function isJobCut({ db }: IndexStore, jobRowId: number): Promise<boolean> {
  const row = await db
    .selectFrom("issues")
    .select("position")
    .where((where) => where.and({ jobRowId, code: "text_too_long" }))
    .where("trialKey", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
