/** A job with what tells whether it is a copy of another one, in the order in which jobs were opened. */
export interface CopyJob {
  readonly id: number;
  /** As its result.json states it. */
  readonly uuid: string | null;
  /** Trials that have a folder. */
  readonly nTrials: number;
  readonly nFinished: number;
  /** When its last trial ended; null when unknown. */
  readonly endedMs: number | null;
  /** Names of its trials, finished or not; needed only where another job has its id. */
  readonly trialNames: readonly string[];
}

/** A trial whose id, or else the digest of its result, occurs several times. */
export interface CopyTrial {
  readonly jobId: number;
  readonly position: number;
  readonly uuid: string | null;
  /** Equal for the same trial in several folders: its id, else the digest of its result, and its name. */
  readonly identity: string;
  /** The job that ran it, as its own config states it. */
  readonly runUuid: string | null;
}

/** A job, or a trial, among those that count once. */
export interface CopyRow {
  readonly jobId: number;
  /** Of the trial; {@link WHOLE_JOB} for the job. */
  readonly position: number;
  /** Equal for those that count once, and for no others. */
  readonly family: number;
  /** The lowest rank that the reader may see counts. */
  readonly rank: number;
}

/** In place of the position of a trial. */
export const WHOLE_JOB = -1;

/**
 * Finds jobs and trials that are in several opened folders. Two jobs are one if they share a job id and the name of a trial, if they
 * hold the same trials, or if one without a job id holds only trials of the other. The copy with the most finished trials
 * ranks first, then the one that ended last, then the one that was opened first. Trials that different jobs share rank
 * the same way, after the job that ran the trial.
 *
 * @param trials - all trials whose id, or else the digest of their result, occurs several times
 */
export function findCopies(jobs: readonly CopyJob[], trials: readonly CopyTrial[]): readonly CopyRow[] {
  const ranked = jobs.toSorted((a, b) => b.nFinished - a.nFinished || (b.endedMs ?? 0) - (a.endedMs ?? 0));
  const rankOf = new Map(ranked.map(({ id }, rank) => [id, rank]));
  const uuidOf = new Map(jobs.map(({ id, uuid }) => [id, uuid]));
  const readRank = ({ jobId }: CopyTrial) => rankOf.get(jobId) ?? 0;
  const ordered = trials.toSorted((a, b) => readRank(a) - readRank(b) || a.position - b.position);
  const same = Map.groupBy(ordered, ({ identity }) => identity);
  const familyOf = joinCopies(ranked, ordered, same);
  const isElsewhere = ({ jobId, runUuid }: CopyTrial) =>
    Number(runUuid === null || runUuid !== uuidOf.get(jobId));
  const families = [
    ...Array.from(Map.groupBy(ranked, ({ id }) => familyOf(id)).values(), (own) =>
      own.map(({ id }) => ({ jobId: id, position: WHOLE_JOB })),
    ),
    // Where one job of a family counts, so do its trials alone.
    ...[...same.values()]
      .filter((own) => isRepeatedInJob(own) || new Set(own.map(({ jobId }) => familyOf(jobId))).size > 1)
      .map((own) => own.toSorted((a, b) => isElsewhere(a) - isElsewhere(b))),
  ];
  return families
    .filter(({ length }) => length > 1)
    .flatMap((own, family) => own.map(({ jobId, position }, rank) => ({ jobId, position, family, rank })));
}

function isRepeatedInJob(trials: readonly CopyTrial[]): boolean {
  return new Set(trials.map(({ jobId }) => jobId)).size < trials.length;
}

/** @returns the family of a job by its id: equal for copies of one job */
function joinCopies(
  ranked: readonly CopyJob[],
  trials: readonly CopyTrial[],
  same: ReadonlyMap<string, readonly CopyTrial[]>,
): (id: number) => number {
  const parents = new Map<number, number>();
  const find = (id: number): number => {
    const parent = parents.get(id);
    return parent === undefined ? id : find(parent);
  };
  const join = (a: number, b: number) => {
    if (find(a) !== find(b)) parents.set(find(b), find(a));
  };
  joinByName(ranked, join);
  const byId = new Map(ranked.map((job) => [job.id, job]));
  const identities = new Map(
    [...Map.groupBy(trials, ({ jobId }) => jobId)].map(([id, own]) => [
      id,
      new Set(own.map(({ identity }) => identity)),
    ]),
  );
  for (const [id, own] of identities) {
    const job = byId.get(id);
    const [some = ""] = own;
    if (job === undefined || own.size < job.nTrials) continue;
    for (const { jobId } of same.get(some) ?? []) {
      const other = byId.get(jobId);
      const isWhole = other?.nTrials === own.size || other?.uuid === null || job.uuid === null;
      if (isWhole && [...own].every((identity) => identities.get(jobId)?.has(identity))) join(jobId, id);
    }
  }
  return find;
}

/** Joins jobs that share their id and the name of a trial, and one without trials to the first that has its id. */
function joinByName(jobs: readonly CopyJob[], join: (a: number, b: number) => void): void {
  const known = new Map<string, number>();
  const ordered = jobs.toSorted((a, b) => Math.sign(b.nTrials) - Math.sign(a.nTrials));
  for (const { id, uuid, trialNames, nTrials } of ordered) {
    if (uuid === null) continue;
    for (const name of ["", ...trialNames]) {
      const first = known.get(`${uuid} ${name}`) ?? id;
      known.set(`${uuid} ${name}`, first);
      if (name !== "" || nTrials === 0) join(first, id);
    }
  }
}

/** The jobs that do not count where all folders are seen. */
export function listUncountedJobs(rows: readonly CopyRow[]): ReadonlySet<number> {
  return new Set(
    rows.flatMap(({ jobId, position, rank }) => (position === WHOLE_JOB && rank > 0 ? jobId : [])),
  );
}

/** The trials of other jobs that do not count, as in the index. */
export function listUncountedTrials(rows: readonly CopyRow[]): readonly CopyRow[] {
  const jobs = listUncountedJobs(rows);
  const trials = rows.filter(({ jobId, position }) => position !== WHOLE_JOB && !jobs.has(jobId));
  const families = Map.groupBy(trials, ({ family }) => family);
  return [...families.values()].flatMap((own) => own.slice(1));
}
