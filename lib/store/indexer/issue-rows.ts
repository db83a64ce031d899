import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/core/domain/load-issue";
import type { Trial } from "@/lib/core/domain/trial";
import { type LoadRoot, prepareIssue } from "@/lib/read/loader";
import type { JobRow } from "@/lib/store/tables";

interface IssueScope {
  readonly root: Pick<LoadRoot, "index" | "label">;
  readonly folder: string;
  /** Trials without a folder are ignored; in a ledger, the folder is the record. */
  readonly trials: readonly Pick<Trial, "folder" | "key">[];
  readonly origin: "own" | "derived-details" | "failures" | "scans";
}

/** A trial folder that is an opened folder itself. */
const ROOT = ".";

export function prepareIssueRow(
  { code, path, detail }: LoadIssue,
  root: number,
  position: number,
  origin: "own" | "shared",
): JobRow<"issues"> {
  return {
    root,
    position,
    origin,
    code,
    isProblem: LOAD_ISSUE_CODES[code] === "problem" ? 1 : 0,
    path,
    detail,
    search: `${code} ${path} ${detail}`.toLowerCase(),
    trialKey: null,
    file: null,
  };
}

/** Keeps the order. Each row has its trial and the file, relative to the trial's folder or else to the job's. */
export function prepareIssueRows(issues: readonly LoadIssue[], { root, folder, trials, origin }: IssueScope) {
  if (issues.length === 0) return [];
  const trialKeys = new Map(trials.map((trial) => [trial.folder === ROOT ? "" : trial.folder, trial.key]));
  if (!trials.some((trial) => trial.folder === ROOT)) trialKeys.delete("");
  return issues.map((issue, position) => ({
    ...prepareIssueRow(issue, root.index, position, "own"),
    origin,
    ...placeIssue(relativeTo(root.label, issue.path), folder, trialKeys),
  }));
}

function placeIssue(below: string | null, folder: string, trialKeys: ReadonlyMap<string, string>) {
  if (below === null) return { trialKey: null, file: null };
  for (
    let end = below.length;
    end >= 0;
    end = end === 0 ? -1 : Math.max(0, below.lastIndexOf("/", end - 1))
  ) {
    const key = trialKeys.get(below.slice(0, end));
    if (key !== undefined) return { trialKey: key, file: below.slice(end === 0 ? 0 : end + 1) };
  }
  return { trialKey: null, file: relativeTo(folder, below) };
}

function relativeTo(folder: string, path: string): string | null {
  if (path === folder) return "";
  if (folder === "") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

export function describeUnclassified(root: LoadRoot, folder: string, error: unknown): LoadIssue {
  const reason = error instanceof Error ? error.message : String(error);
  const detail = `Could not classify all failed trials: ${reason}. Some have no class.`;
  return prepareIssue(root, "classifying_failed", folder, detail);
}

export function describeStopped(root: LoadRoot, folder: string, rule: string, nTrials: number): LoadIssue {
  const detail = `Rule "${rule}" took too long, which leaves ${nTrials} of this job's trials unexplained.`;
  return prepareIssue(root, "rule_stopped", folder, detail);
}

/** For faults of Assay itself. @param folder - relative to the root */
export function describeFailure(root: LoadRoot, folder: string, error: unknown): LoadIssue {
  const reason = error instanceof Error ? error.message : String(error);
  const detail = `Reading this folder failed (${reason}). This is a bug in Assay: please report it with this message.`;
  return prepareIssue(root, "reading_failed", folder, detail);
}
