import { compareNames } from "@/lib/domain/compare-text";
import type { LoadIssue, LoadIssueCode } from "@/lib/domain/load-issue";

import { contains } from "./list-page";
import type { IndexStore } from "../open-store";

/** What an issue is about: a job or one of its trials, and a file of it. */
interface IssuePlace {
  readonly jobKey: string;
  /** Null for what is the job's own. */
  readonly trialKey: string | null;
  /** Relative to the folder of the trial, or else of the job; empty for that folder itself. */
  readonly file: string;
}

/** An issue with what it is about. */
export interface PlacedIssue extends LoadIssue {
  /** Null for an issue of an opened folder, and for a file that lies elsewhere. */
  readonly place: IssuePlace | null;
}

/** The beginning of a load report, and how long the whole of it is. */
export interface IssuesReading {
  readonly issues: readonly PlacedIssue[];
  readonly nMatching: number;
}

/**
 * Returns the load report of everything, or of one job: at most `limit` issues that contain `text`, those of a job in the order
 * they were found, else problems first, then in path order.
 */
export async function readIssues(
  { db }: IndexStore,
  { text = "", jobId = null, limit }: { text?: string; jobId?: number | null; limit: number },
): Promise<IssuesReading> {
  let list = db.selectFrom("issues").leftJoin("jobs", "jobs.id", "issues.job_id");
  if (text !== "") list = list.where(contains("issues.search", text.toLowerCase()));
  if (jobId !== null) list = list.where("issues.job_id", "=", jobId);
  const chosen = list.select([
    "issues.code",
    "issues.path",
    "issues.detail",
    "issues.trial_key",
    "issues.file",
  ]);
  const ordered =
    jobId === null
      ? chosen.orderBy("issues.is_problem", "desc").orderBy("issues.path").orderBy("issues.code")
      : chosen.orderBy("issues.origin");
  const rows = await ordered
    .select(["jobs.key", "issues.is_problem"])
    .orderBy("issues.position")
    .limit(limit)
    .execute();
  const sorted =
    jobId === null
      ? rows.toSorted((a, b) => b.is_problem - a.is_problem || compareNames(a.path, b.path))
      : rows;
  const issues = sorted.map(({ key, trial_key: trialKey, file, is_problem: _, ...issue }) => ({
    ...toIssue(issue),
    place: key === null || file === null ? null : { jobKey: key, trialKey, file },
  }));
  if (rows.length < limit) return { issues, nMatching: rows.length };
  const { n } = await list.select((select) => select.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
  return { issues, nMatching: n };
}

/** Issues of a job that a trial's page lists at most. */
const MOST_OF_TRIAL = 1_000;

/**
 * Issues of one trial of a job in the order they were found, at most 1,000, without the files that were read for findings, since
 * whoever asks for one trial reads these files anew.
 */
export async function readTrialIssues(
  { db }: IndexStore,
  jobId: number,
  trialKey: string,
): Promise<readonly LoadIssue[]> {
  const rows = await db
    .selectFrom("issues")
    .select(["code", "path", "detail"])
    .where("job_id", "=", jobId)
    .where("trial_key", "=", trialKey)
    .where("origin", "<>", "findings")
    .orderBy("origin")
    .orderBy("position")
    .limit(MOST_OF_TRIAL)
    .execute();
  return rows.map(toIssue);
}

/** Whether some texts or lists of the job itself were cut, see `boundEntry`. */
export async function isJobCut({ db }: IndexStore, jobId: number): Promise<boolean> {
  const code: LoadIssueCode = "text_too_long";
  const row = await db
    .selectFrom("issues")
    .select("position")
    .where("job_id", "=", jobId)
    .where("code", "=", code)
    .where("trial_key", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function toIssue({ code, path, detail }: Readonly<Record<keyof LoadIssue, string>>): LoadIssue {
  return { code: code as LoadIssueCode, path, detail }; // The indexer writes members of the closed list.
}
