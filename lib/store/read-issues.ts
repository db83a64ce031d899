import type { LoadIssue, LoadIssueCode } from "@/lib/domain/load-issue";

import { contains } from "./keyset";
import type { IndexStore } from "./open-store";

interface StoredIssue {
  readonly code: string;
  readonly path: string;
  readonly detail: string;
}

/** The beginning of a load report, and how long the whole of it is. */
export interface IssuesReading {
  readonly issues: readonly LoadIssue[];
  readonly nMatching: number;
}

/** The load report: at most `limit` issues that contain `text`, problems first, then in path order. */
export async function readIssues({ db }: IndexStore, text: string, limit: number): Promise<IssuesReading> {
  let list = db.selectFrom("issues");
  if (text !== "") list = list.where(contains("issues.search", text.toLowerCase()));
  const rows = await list
    .select(["code", "path", "detail"])
    .orderBy("is_problem", "desc")
    .orderBy("path")
    .orderBy("code")
    .orderBy("position")
    .limit(limit)
    .execute();
  if (rows.length < limit) return { issues: rows.map(toIssue), nMatching: rows.length };
  const { n } = await list.select((select) => select.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
  return { issues: rows.map(toIssue), nMatching: n };
}

/**
 * Issues of one job in the order they were found. With a `path` those of a folder and what lies in it, without the files
 * that were read for findings, since whoever asks for one trial reads these files anew.
 */
export async function readJobIssues(
  { db }: IndexStore,
  jobId: number,
  path: string | null = null,
): Promise<readonly LoadIssue[]> {
  const rows = await db
    .selectFrom("issues")
    .select(["code", "path", "detail", "origin"])
    .where("job_id", "=", jobId)
    .orderBy("origin")
    .orderBy("position")
    .execute();
  if (path === null) return rows.map(toIssue);
  return rows
    .filter((row) => row.origin !== "findings" && (row.path === path || row.path.startsWith(`${path}/`)))
    .map(toIssue);
}

function toIssue({ code, path, detail }: StoredIssue): LoadIssue {
  return { code: code as LoadIssueCode, path, detail }; // The indexer writes members of the closed list.
}
