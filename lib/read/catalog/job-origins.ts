import type { CopyTrial } from "@/lib/core/domain/copies";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { assignKeys, type LoadRoot, prepareIssue } from "@/lib/read/loader";

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
