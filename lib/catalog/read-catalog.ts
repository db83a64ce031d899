import { compareNames, compareText } from "@/lib/domain/compare-text";
import { join } from "node:path";

import type { CatalogSnapshot, JobEntry } from "@/lib/domain/catalog";
import type { JobBundle } from "@/lib/domain/job";
import type { LoadIssue } from "@/lib/domain/load-issue";
import {
  assignKeys,
  type DiscoveredJob,
  discoverJobs,
  type JobDraft,
  type LoadRoot,
  readJob,
  MemoryBudget,
  StringPool,
} from "@/lib/loader";
import type { Summation } from "@/lib/scoring";
import { verifyJob } from "@/lib/verification";

import { findRepeatedIds } from "./repeated-ids";
import { prepareRoots } from "./root-labels";

/** How far the reading of a catalog has come. */
export interface CatalogProgress {
  readonly nTrialsRead: number;
  /** Trial folders found so far; complete once the first trial is read. */
  readonly nTrials: number;
}

/** What to read, and how. */
export interface CatalogOptions {
  /** Folders that hold jobs, at any depth. */
  readonly roots: readonly string[];
  /** How Python summed when the recorded figures were computed. */
  readonly summation?: Summation | undefined;
  readonly onProgress?: ((progress: CatalogProgress) => void) | undefined;
  /** The clock that tells running jobs from interrupted ones; milliseconds since 1970-01-01. */
  readonly now?: (() => number) | undefined;
}

/**
 * Reads folders of jobs: finds, reads and verifies everything below them.
 *
 * A folder that is missing or cannot be listed is an issue of the result. Nothing is written.
 *
 * @remarks Synchronous; about 0.1 ms a trial.
 */
export function readCatalog(options: CatalogOptions): CatalogSnapshot {
  const roots = prepareRoots(options.roots);
  const found: FoundJob[] = [];
  const rootIssues: LoadIssue[] = [];
  for (const root of roots) {
    const { jobs, issues } = discoverJobs(root);
    for (const issue of issues) rootIssues.push(issue);
    for (const discovered of jobs) found.push({ root, discovered });
  }
  const drafts = readDrafts(options, found);
  const keys = assignKeys(describeOrigins(roots, drafts));
  const repeated = findRepeatedIds(roots, drafts);
  const jobs = drafts.map((draft, index) => {
    const key = keys[index] ?? draft.job.name;
    return prepareEntry(
      options,
      roots,
      { ...draft, issues: [...draft.issues, ...(repeated[index] ?? [])] },
      key,
    );
  });
  const issues = [...rootIssues, ...jobs.flatMap((entry) => entry.issues)];
  return {
    roots: roots.map(({ index, label, path }) => {
      const own = jobs.filter(({ job }) => job.root === index);
      const nTrials = own.reduce((sum, { trials }) => sum + trials.length, 0);
      return { label, path, nJobs: own.length, nTrials };
    }),
    jobs: jobs.sort(compareByTime),
    issues: issues.sort((a, b) => compareNames(a.path, b.path) || compareText(a.code, b.code)),
  };
}

interface FoundJob {
  readonly root: LoadRoot;
  readonly discovered: DiscoveredJob;
}

function readDrafts({ onProgress, now = Date.now }: CatalogOptions, found: readonly FoundJob[]): JobDraft[] {
  const nTrials = found.reduce((sum, { discovered }) => sum + discovered.trialFolders.length, 0);
  let nTrialsRead = 0;
  const onTrial = onProgress && (() => onProgress({ nTrialsRead: ++nTrialsRead, nTrials }));
  const shared = { pool: new StringPool(), budget: new MemoryBudget(), onTrial };
  return found.flatMap(
    ({ root, discovered }) => readJob({ ...shared, root, nowMs: now() }, discovered, null).drafts,
  );
}

/** Names with root and folder, and the job's id for the second and later jobs that share a folder. */
function describeOrigins(
  roots: readonly LoadRoot[],
  drafts: readonly JobDraft[],
): { name: string; origin: string[] }[] {
  const seen = new Set<string>();
  return drafts.map(({ job }) => {
    const place = `${job.root}/${job.folder}`;
    const own = [roots[job.root]?.label ?? "", job.folder];
    const origin = seen.has(place) ? [...own, job.id ?? ""] : own;
    seen.add(place);
    return { name: job.name, origin };
  });
}

function prepareEntry(
  { summation }: CatalogOptions,
  roots: readonly LoadRoot[],
  { job, ...read }: JobDraft,
  key: string,
): JobEntry {
  const bundle: JobBundle = { ...read, job: { ...job, key } };
  const report = verifyJob(bundle, summation === undefined ? {} : { summation });
  return { ...bundle, path: join(roots[job.root]?.path ?? "", job.folder), report };
}

function compareByTime(a: JobEntry, b: JobEntry): number {
  const [timeA, timeB] = [readTime(a), readTime(b)];
  if (timeA !== timeB) return timeB - timeA;
  return compareNames(a.job.name, b.job.name) || compareText(a.job.folder, b.job.folder);
}

function readTime({ job }: JobEntry): number {
  return (job.time.finishedAt ?? job.updatedAt ?? job.time.startedAt)?.epochMs ?? Number.MIN_SAFE_INTEGER;
}
