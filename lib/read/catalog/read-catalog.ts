import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";

import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { computeEndMs } from "@/lib/core/domain/clock-time";
import { compareNames, compareText } from "@/lib/core/domain/compare-text";
import {
  type CopyJob,
  type CopyTrial,
  findCopies,
  listUncountedJobs,
  listUncountedTrials,
} from "@/lib/core/domain/copies";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { groupByTask, labelPlanned, labelTasks } from "@/lib/core/domain/task-labels";
import type { Summation } from "@/lib/core/scoring";
import { verifyJob } from "@/lib/core/verification";
import {
  type DiscoveredJob,
  type JobDraft,
  type LoadRoot,
  MemoryBudget,
  assignKeys,
  discoverJobs,
  noteOpenedFolders,
  prepareIssue,
  readJob,
} from "@/lib/read/loader";

import { boundEntry } from "./bound-entry";

interface CatalogOptions {
  readonly roots: readonly string[];
  /** Python's summation when the recorded figures were computed. */
  readonly summation?: Summation | undefined;
  readonly onProgress?:
    | ((progress: { readonly nTrialsRead: number; readonly nTrials: number }) => void)
    | undefined;
  /** Distinguishes running jobs from interrupted ones; milliseconds since 1970-01-01. */
  readonly now?: (() => number) | undefined;
}

/**
 * Finds, reads and verifies all jobs below the roots. A folder that is missing or cannot be listed is an issue. Writes nothing.
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
  const nInFolder = new Map<string, number>();
  const origins = drafts.map(({ job: { root, folder, name, uuid } }, id) => {
    const place = `${root}/${folder}`;
    const part = nInFolder.get(place) ?? 0;
    nInFolder.set(place, part + 1);
    return { id, root, folder, name, uuid, part };
  });
  const repeated = listRepeatedTrials(drafts);
  const copies = findCopies(
    origins.toSorted(compareOrigins).map(({ id, uuid }) => ({ id, uuid, ...countTrials(drafts[id]) })),
    repeated,
  );
  const uncounted = listUncountedJobs(copies);
  const dropped = new Set(listUncountedTrials(copies).map((row) => `${row.jobId} ${row.position}`));
  const keys = assignJobKeys(roots, origins, ({ id }) => uncounted.has(id));
  const counted = origins.filter(({ id }) => !uncounted.has(id));
  const issuesOfCounted = findRepeatedIds(roots, counted, repeated);
  const shared = new Map(counted.map(({ id }, index) => [id, issuesOfCounted[index] ?? []]));
  const all = drafts.map((draft, id) => {
    const issues = [...draft.issues, ...(shared.get(id) ?? [])];
    return verifyDraft(roots[draft.job.root], { ...draft, issues }, keys[id] ?? draft.job.name, options);
  });
  const kept = all.flatMap((entry, id) => {
    const trials = entry.trials.filter((_, position) => !dropped.has(`${id} ${position}`));
    return uncounted.has(id) ? [] : { ...entry, trials };
  });
  const jobs = [...labelEntries(kept)];
  const issues = [
    ...rootIssues,
    ...jobs.flatMap((entry) => {
      const root = roots[entry.job.root];
      return root === undefined ? entry.issues : boundEntry(entry, root).issues;
    }),
  ];
  return {
    roots: roots.map(({ index, label, path }) => {
      const own = jobs.filter(({ job }) => job.root === index);
      const nTrials = own.reduce((sum, { trials }) => sum + trials.length, 0);
      return { label, path, nJobs: own.length, nTrials };
    }),
    jobs: jobs.sort(compareByTime),
    copies: all.filter((_, id) => uncounted.has(id)).sort(compareByTime),
    issues: sortIssues(issues),
  };
}

export function sortIssues(issues: readonly LoadIssue[]): readonly LoadIssue[] {
  return issues.toSorted((a, b) => compareNames(a.path, b.path) || compareText(a.code, b.code));
}

interface FoundJob {
  readonly root: LoadRoot;
  readonly discovered: DiscoveredJob;
}

function readDrafts({ onProgress, now = Date.now }: CatalogOptions, found: readonly FoundJob[]): JobDraft[] {
  const nTrials = found.reduce((sum, { discovered }) => sum + discovered.trialFolders.length, 0);
  let nTrialsRead = 0;
  const onTrial = onProgress && (() => onProgress({ nTrialsRead: ++nTrialsRead, nTrials }));
  const budget = new MemoryBudget();
  return found.flatMap(
    ({ root, discovered }) => readJob({ root, budget, nowMs: now() }, discovered, onTrial).drafts,
  );
}

function compareOrigins(a: JobOrigin, b: JobOrigin): number {
  return a.root - b.root || compareText(a.folder, b.folder) || a.part - b.part;
}

function countTrials(draft: JobDraft | undefined): Omit<CopyJob, "id" | "uuid"> {
  const trials = (draft?.trials ?? []).filter(({ folder }) => folder !== "");
  const ends = trials.flatMap(({ time }) => computeEndMs(time) ?? []);
  return {
    nTrials: trials.length,
    nFinished: trials.filter(({ state }) => state === "finished").length,
    endedMs: ends.length === 0 ? null : ends.reduce((a, b) => Math.max(a, b)),
    trialNames: (draft?.trials ?? []).map(({ trialName }) => trialName),
  };
}

/** Returns trials that share an id, or the digest of their result without one. */
function listRepeatedTrials(drafts: readonly JobDraft[]): readonly CopyTrial[] {
  const all = drafts.flatMap(({ trials }, jobId) =>
    trials.flatMap(({ id: uuid, resultDigest, trialName, jobUuid: runUuid }, position) => {
      const file = uuid ?? resultDigest;
      return file === null ? [] : { file, jobId, position, uuid, identity: `${file} ${trialName}`, runUuid };
    }),
  );
  return [...Map.groupBy(all, ({ file }) => file).values()].filter((own) => own.length > 1).flat();
}

export function verifyDraft(
  root: LoadRoot | undefined,
  { job, ...read }: JobDraft,
  key: string,
  { summation }: Pick<CatalogOptions, "summation">,
): JobEntry {
  const bundle = { ...read, job: { ...job, key } };
  const report = verifyJob(bundle, summation);
  return { ...bundle, path: join(root?.path ?? "", job.folder), report };
}

function compareByTime(a: JobEntry, b: JobEntry): number {
  const [timeA, timeB] = [readTime(a), readTime(b)];
  if (timeA !== timeB) return timeB - timeA;
  return compareNames(a.job.name, b.job.name) || compareText(a.job.folder, b.job.folder);
}

function readTime({ job }: JobEntry): number {
  return (job.time.finishedAt ?? job.updatedAt ?? job.time.startedAt)?.epochMs ?? Number.MIN_SAFE_INTEGER;
}

function labelEntries(entries: readonly JobEntry[]): readonly JobEntry[] {
  const labels = labelTasks(entries.flatMap(listRuns));
  const byEntry = Map.groupBy(labels, ([{ entry }]) => entry);
  return entries.map((entry) => {
    const own = byEntry.get(entry);
    if (own === undefined) return entry;
    const names = new Map(own.flatMap(([{ trials }, label]) => trials.map((trial) => [trial, label])));
    const known = own.map(([run, label]) => ({ ...run, label }));
    const plannedTasks = entry.job.plannedTasks.map((task) => labelPlanned(task, known));
    const trials = entry.trials.map((trial) => ({ ...trial, taskName: names.get(trial) ?? trial.taskName }));
    return { ...entry, job: { ...entry.job, plannedTasks }, trials };
  });
}

function listRuns(entry: JobEntry) {
  const { root, folder } = entry.job;
  return groupByTask(entry.trials).flatMap(({ taskName, trials }) => {
    const known = new Map(trials.map((trial) => [JSON.stringify([trial.source, trial.taskDigest]), trial]));
    return Array.from(known.values()).flatMap(({ source, taskDigest }) =>
      taskDigest === null ? [] : { entry, trials, root, folder, source, taskName, taskDigest },
    );
  });
}

/**
 * Returns the distinct real paths, labelled by the shortest end that is unique. Registers them, so that links between them are
 * refused. A missing folder keeps its given path, so that the load report names it.
 */
export function prepareRoots(folders: readonly string[]): LoadRoot[] {
  const paths = [...new Set(folders.map(resolveRoot))];
  noteOpenedFolders(paths);
  return paths.map((path, index) => ({ index, path, label: computeLabel(path, paths) }));
}

function resolveRoot(folder: string): string {
  const path = resolve(folder);
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return path;
    throw error;
  }
}

function computeLabel(path: string, all: readonly string[]): string {
  const parts = path.split("/").filter((part) => part !== "");
  for (let length = 1; length <= parts.length; length++) {
    const label = parts.slice(-length).join("/");
    const isShared = all.some(
      (other) => other !== path && (other === `/${label}` || other.endsWith(`/${label}`)),
    );
    if (!isShared) return label;
  }
  return path;
}

export interface JobOrigin {
  readonly id: number;
  readonly root: number;
  readonly folder: string;
  readonly part: number;
  readonly name: string;
  readonly uuid: string | null;
}

export function listOriginParts(
  roots: readonly LoadRoot[],
  { root, folder, part, uuid }: JobOrigin,
): string[] {
  const own = [roots[root]?.label ?? "", folder];
  return part === 0 ? own : [...own, uuid ?? ""];
}

/** Returns keys in the order of `jobs`. A copy takes no name from the job that counts. */
export function assignJobKeys<Job extends JobOrigin>(
  roots: readonly LoadRoot[],
  jobs: readonly Job[],
  isCopy: (job: Job) => boolean,
): readonly string[] {
  const assign = (some: readonly Job[]) => {
    const keys = assignKeys(
      some,
      ({ name }) => name,
      (job) => listOriginParts(roots, job),
    );
    return new Map(some.map((job, index) => [job, keys[index] ?? job.name]));
  };
  const keys = new Map([...assign(jobs), ...assign(jobs.filter((job) => !isCopy(job)))]);
  return jobs.map((job) => keys.get(job) ?? job.name);
}

/**
 * Returns the issues per job, in the order of `jobs`. Every job except the first reports a repeated job id. Repeated trial ids are
 * reported once per pair of jobs, unless the job ids already match.
 * @param repeated - trials whose id occurs several times, by the `id` of their job
 */
export function findRepeatedIds(
  roots: readonly LoadRoot[],
  jobs: readonly JobOrigin[],
  repeated: readonly Pick<CopyTrial, "jobId" | "uuid">[],
): readonly (readonly LoadIssue[])[] {
  const firstOf = new Map(jobs.toReversed().map((job) => [job.uuid, job]));
  const counts = jobs.map(() => new Map<JobOrigin, number>());
  const places = new Map(jobs.map(({ id }, place) => [id, place]));
  const byId = Map.groupBy(repeated, ({ uuid }) => uuid);
  byId.delete(null);
  for (const own of byId.values()) {
    const sharing = new Set(own.flatMap(({ jobId }) => places.get(jobId) ?? []));
    const [at = 0, ...later] = [...sharing].sort((a, b) => a - b);
    const first = jobs[at];
    if (first === undefined) continue;
    for (const place of later) counts[place]?.set(first, (counts[place].get(first) ?? 0) + 1);
  }
  const describe = ({ root, folder }: JobOrigin) =>
    [roots[root]?.label ?? "", folder].filter((part) => part !== "").join("/");
  return jobs.map((job, index) => {
    const root = roots[job.root];
    if (root === undefined) return [];
    const issues: LoadIssue[] = [];
    const twin = job.uuid === null ? job : firstOf.get(job.uuid);
    if (twin !== undefined && twin !== job) {
      const detail = `The job id ${job.uuid ?? ""} is also that of ${describe(twin)}.`;
      issues.push(prepareIssue(root, "job_id_repeated", job.folder, detail));
    }
    const shared = [...(counts[index] ?? [])].filter(([{ uuid }]) => uuid === null || uuid !== job.uuid);
    for (const [first, count] of shared.toSorted(([a], [b]) => jobs.indexOf(a) - jobs.indexOf(b))) {
      const detail = `${count} trials have the ids of trials in ${describe(first)}.`;
      issues.push(prepareIssue(root, "trial_id_repeated", job.folder, detail));
    }
    return issues;
  });
}
