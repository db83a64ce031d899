import { sql } from "kysely";

import { listUncountedJobs, WHOLE_JOB } from "@/lib/domain/copies";

import { readHead } from "./heads";
import type { IndexStore } from "../open-store";

/** True if some job or trial is open several times. */
export async function readHasCopies({ db }: IndexStore): Promise<boolean> {
  return (await db.selectFrom("copies").select("jobRowId").limit(1).executeTakeFirst()) !== undefined;
}

/** True if a job is in a store without copies, and all of its trials are. */
export async function readIsCounted(store: IndexStore, jobKey: string): Promise<boolean> {
  const job = await readHead(store, jobKey);
  if (job === null) return false;
  const shared = store.db
    .selectFrom("copies")
    .select("position")
    .where("jobRowId", "=", job.rowId)
    .where("position", ">=", 0);
  return (await shared.limit(1).executeTakeFirst()) === undefined;
}

/** The jobs that did not count when the last generation was written. */
export async function readUncountedJobs({ db }: IndexStore): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom("copies").selectAll().execute();
  return listUncountedJobs(rows.map(({ jobRowId, ...row }) => ({ ...row, jobId: jobRowId })));
}

/** One of several copies of a job. */
export interface JobCopy {
  readonly key: string;
  /** Label of the opened folder, and the job's folder below it. */
  readonly place: string;
  /** True for the one copy that lists count. */
  readonly isCounted: boolean;
  /** Trials that only one of this copy and the counted one has, or whose results differ. */
  readonly nDifferent: number;
}

/** Returns the copies of a job with itself, or of all jobs for null, the counted one of each job first. */
export async function readJobCopies(store: IndexStore, jobRowId: number | null): Promise<readonly JobCopy[]> {
  const list = store.db
    .selectFrom("copies")
    .innerJoin("jobs", "jobs.id", "copies.jobRowId")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .innerJoin("roots", "roots.position", "sources.root")
    .select(["jobs.id", "jobs.key", "roots.label", "sources.folder", "copies.family"])
    .where("copies.position", "=", WHOLE_JOB)
    .orderBy("copies.family")
    .orderBy("copies.rank")
    .limit(MOST_COPIES);
  const own = store.db
    .selectFrom("copies")
    .select("family")
    .where("position", "=", WHOLE_JOB)
    .where("jobRowId", "=", jobRowId ?? 0);
  const rows = await (jobRowId === null ? list : list.where("copies.family", "in", own)).execute();
  const families = [...Map.groupBy(rows, ({ family }) => family).values()].filter(({ length }) => length > 1);
  const copies = families.flatMap((copiesOfJob) =>
    copiesOfJob.map(async ({ id, key, label, folder }, at) => ({
      ...{ key, place: [label, folder].filter((part) => part !== "").join("/"), isCounted: at === 0 },
      nDifferent: await countDifferent(store, copiesOfJob[0]?.id ?? id, id),
    })),
  );
  return Promise.all(copies);
}

/** More are not listed. */
const MOST_COPIES = 200;

/** Counts trials that only one of two jobs has, or whose results differ. */
async function countDifferent({ db }: IndexStore, counted: number, copy: number): Promise<number> {
  if (counted === copy) return 0;
  const once = sql`select "trialName" from trials where "jobRowId" in (${counted}, ${copy})
    group by "trialName", coalesce("resultDigest", '') having count(*) = 1`;
  const statement = sql<{ n: number }>`select count(distinct "trialName") as n from (${once}) as once`;
  return (await statement.execute(db)).rows[0]?.n ?? 0;
}
