export interface CopyJob {
  readonly id: number;
  readonly uuid: string | null;
  readonly nTrials: number;
  readonly nFinished: number;
  readonly endedMs: number | null;
  readonly trialNames: readonly string[];
}

export interface CopyTrial {
  readonly jobId: number;
  readonly position: number;
  readonly uuid: string | null;
  /** Equal for the same trial in several folders: its id, else the digest of its result, and its name. */
  readonly identity: string;
  readonly runUuid: string | null;
}

export interface CopyRow {
  readonly jobId: number;
  readonly position: number;
  readonly family: number;
  /** The row with the lowest rank visible to the reader counts. */
  readonly rank: number;
}

export const WHOLE_JOB = -1;

/** Compared jobs, and stored copies, per job: n equal copies would be n²/2 rows. */
const LIMITS = { candidates: 200, copied: 20 } as const;

/**
 * Finds jobs and trials that are in several opened folders. A job is a copy of a higher-ranked one with the same job id that has
 * all of its trial names. It is also a copy of one that has the same trials or, if it has no job id itself, all of its trials.
 * Equal trials without ids differ in jobs with different ids. The job with the most finished trials ranks first, then the one that
 * ended last, then the one opened first. Trials shared by other jobs rank the same way, after the job that ran the trial. A family
 * of jobs is one copy and the jobs it copies, so that hiding one folder never joins the others.
 * @param trials - all trials whose id, or else the digest of their result, occurs several times
 */
export function findCopies(jobs: readonly CopyJob[], trials: readonly CopyTrial[]): readonly CopyRow[] {
  const ranked = jobs.toSorted((a, b) => b.nFinished - a.nFinished || (b.endedMs ?? 0) - (a.endedMs ?? 0));
  const rankOf = new Map(ranked.map(({ id }, rank) => [id, rank]));
  const uuidOf = new Map(jobs.map(({ id, uuid }) => [id, uuid]));
  const readRank = ({ jobId }: CopyTrial) => rankOf.get(jobId) ?? 0;
  const ordered = trials.toSorted((a, b) => readRank(a) - readRank(b) || a.position - b.position);
  const identified = separateRuns(ordered, uuidOf);
  const same = Map.groupBy(identified, ({ identity }) => identity);
  const copied = findCopiedJobs(ranked, identified, same);
  const isElsewhere = ({ jobId, runUuid }: CopyTrial) =>
    Number(runUuid === null || runUuid !== uuidOf.get(jobId));
  const families = [
    ...ranked.flatMap(({ id }) =>
      [...(copied.get(id) ?? [])].map((first) =>
        [first, id].map((jobId) => ({ jobId, position: WHOLE_JOB })),
      ),
    ),
    ...[...same.values()]
      .filter((own) => !areOfCopies(own, copied))
      .map((own) => own.toSorted((a, b) => isElsewhere(a) - isElsewhere(b))),
  ];
  return families
    .filter(({ length }) => length > 1)
    .flatMap((own, family) => own.map(({ jobId, position }, rank) => ({ jobId, position, family, rank })));
}

/** Separates trials without ids by job id. In a job without an id they belong to the highest-ranked job. */
function separateRuns(
  ordered: readonly CopyTrial[],
  uuidOf: ReadonlyMap<number, string | null>,
): readonly CopyTrial[] {
  const hasNoId = ({ uuid, runUuid }: CopyTrial) => uuid === null && runUuid === null;
  const firstOf = new Map<string, string>();
  for (const { jobId, identity } of ordered.filter(hasNoId).toReversed()) {
    const run = uuidOf.get(jobId) ?? null;
    if (run !== null) firstOf.set(identity, run);
  }
  return ordered.map((trial) => {
    const run = uuidOf.get(trial.jobId) ?? firstOf.get(trial.identity) ?? "";
    return hasNoId(trial) ? { ...trial, identity: `${trial.identity} ${run}` } : trial;
  });
}

type CopiedJobs = ReadonlyMap<number, ReadonlySet<number>>;

/** True if at most one of the jobs of these trials counts, whichever folders are visible. */
function areOfCopies(trials: readonly CopyTrial[], copied: CopiedJobs): boolean {
  if (trials.length > LIMITS.copied) return false;
  return trials.every(({ jobId }, at) =>
    trials.slice(0, at).every((before) => copied.get(jobId)?.has(before.jobId) === true),
  );
}

function findCopiedJobs(
  ranked: readonly CopyJob[],
  trials: readonly CopyTrial[],
  same: ReadonlyMap<string, readonly CopyTrial[]>,
): CopiedJobs {
  const byTrials = Map.groupBy(trials, ({ jobId }) => jobId);
  const byUuid = new Map<string, CopyJob[]>();
  const seen = new Map<number, CopyJob>();
  const identities = new Map<number, ReadonlySet<string>>();
  const names = new Map<number, ReadonlySet<string>>();
  const copied = new Map<number, ReadonlySet<number>>();
  for (const job of ranked) {
    const own = new Set((byTrials.get(job.id) ?? []).map(({ identity }) => identity));
    const ownNames = new Set(job.trialNames);
    const namesakes = job.uuid === null ? [] : (byUuid.get(job.uuid) ?? []);
    const isRepeated = own.size > 0 && own.size >= job.nTrials;
    const [rarest] = isRepeated
      ? Array.from(own, (identity) => same.get(identity) ?? []).toSorted((a, b) => a.length - b.length)
      : [];
    const sharers = (rarest ?? []).flatMap(({ jobId }) => seen.get(jobId) ?? []);
    const copies = [
      ...namesakes.slice(0, LIMITS.candidates).filter(({ id }) => hasAll(names.get(id), ownNames)),
      ...sharers
        .slice(0, LIMITS.candidates)
        .filter(
          ({ id, nTrials }) => (job.uuid === null || nTrials === own.size) && hasAll(identities.get(id), own),
        ),
    ];
    copied.set(job.id, new Set(copies.slice(0, LIMITS.copied).map(({ id }) => id)));
    if (job.uuid !== null) byUuid.set(job.uuid, namesakes);
    namesakes.push(job);
    seen.set(job.id, job);
    identities.set(job.id, own);
    names.set(job.id, ownNames);
  }
  return copied;
}

function hasAll(set: ReadonlySet<string> | undefined, others: ReadonlySet<string>): boolean {
  return [...others].every((one) => set?.has(one) === true);
}

export function listUncountedJobs(rows: readonly CopyRow[]): ReadonlySet<number> {
  return new Set(
    rows.flatMap(({ jobId, position, rank }) => (position === WHOLE_JOB && rank > 0 ? jobId : [])),
  );
}

export function listUncountedTrials(rows: readonly CopyRow[]): readonly CopyRow[] {
  const jobs = listUncountedJobs(rows);
  const trials = rows.filter(({ jobId, position }) => position !== WHOLE_JOB && !jobs.has(jobId));
  const families = Map.groupBy(trials, ({ family }) => family);
  return [...families.values()].flatMap((own) => own.slice(1));
}
