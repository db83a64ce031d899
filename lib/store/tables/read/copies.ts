import { sql } from "kysely";

import { listUncountedJobs, WHOLE_JOB } from "@/lib/core/domain/copies";

import type { IndexStore } from "../open-store";
import { readHead } from "./heads";

export async function readHasCopies({ db }: IndexStore): Promise<boolean> {
  return (await db.selectFrom("copies").select("jobRowId").limit(1).executeTakeFirst()) !== undefined;
}

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

export async function readUncountedJobs({ db }: IndexStore): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom("copies").selectAll().execute();
  return listUncountedJobs(rows.map(({ jobRowId, ...row }) => ({ ...row, jobId: jobRowId })));
}

export interface JobCopy {
  readonly key: string;
  readonly place: string;
  readonly isCounted: boolean;
  /** Trials that only one of this copy and the counted one has, or whose results differ. */
  readonly nDifferent: number;
}

export async function readJobCopies(store: IndexStore, jobRowId: number): Promise<readonly JobCopy[]> {
  const rows = await readCopyRows(store);
  const own = new Set(rows.flatMap(({ id, family }) => (id === jobRowId ? family : [])));
  return describeCopies(store, rows, ({ family }) => own.has(family));
}

export async function readUncountedCopies(
  store: IndexStore,
): Promise<{ readonly copies: readonly JobCopy[]; readonly total: number }> {
  const rows = await readCopyRows(store);
  const uncounted = new Set(rows.flatMap(({ id, isFirst }) => (isFirst ? [] : id)));
  const shown = new Set([...uncounted].slice(0, MAX_COPIES));
  const copies = await describeCopies(store, rows, ({ id }) => shown.has(id));
  return { copies, total: uncounted.size };
}

type CopyPlace = Awaited<ReturnType<typeof readCopyRows>>[number];

async function readCopyRows(store: IndexStore) {
  const rows = await store.db
    .selectFrom("copies")
    .innerJoin("jobs", "jobs.id", "copies.jobRowId")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .innerJoin("roots", "roots.position", "sources.root")
    .select(["jobs.id", "jobs.key", "roots.label", "sources.folder", "copies.family"])
    .where("copies.position", "=", WHOLE_JOB)
    .orderBy("copies.family")
    .orderBy("copies.rank")
    .execute();
  const families = [...Map.groupBy(rows, ({ family }) => family).values()].filter(({ length }) => length > 1);
  return families.flatMap((own) =>
    own.map((row, at) => ({ ...row, first: own[0]?.id ?? row.id, isFirst: at === 0 })),
  );
}

async function describeCopies(
  store: IndexStore,
  rows: readonly CopyPlace[],
  isWanted: (row: CopyPlace) => boolean,
): Promise<readonly JobCopy[]> {
  const uncounted = new Set(rows.flatMap(({ id, isFirst }) => (isFirst ? [] : id)));
  const byJob = Map.groupBy(rows.filter(isWanted), ({ id }) => id);
  const copies = await Promise.all(
    Array.from(byJob.values(), async ([row]) => {
      if (row === undefined) return [];
      const { id, key, label, folder } = row;
      const counted = rows.find((one) => one.id === id && !uncounted.has(one.first))?.first ?? id;
      return {
        ...{ key, place: [label, folder].filter((part) => part !== "").join("/") },
        isCounted: !uncounted.has(id),
        nDifferent: await countDifferent(store, counted, id),
      };
    }),
  );
  return copies.flat().toSorted((a, b) => Number(b.isCounted) - Number(a.isCounted));
}

const MAX_COPIES = 200;

/** Counts trials that only one of two jobs has, or whose results differ. */
async function countDifferent({ db }: IndexStore, counted: number, copy: number): Promise<number> {
  if (counted === copy) return 0;
  const once = sql`select "trialName" from trials where "jobRowId" in (${counted}, ${copy})
    group by "trialName", coalesce("resultDigest", '') having count(*) = 1`;
  const statement = sql<{ n: number }>`select count(distinct "trialName") as n from (${once}) as once`;
  return (await statement.execute(db)).rows[0]?.n ?? 0;
}
