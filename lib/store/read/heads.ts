import { type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { LRUCache } from "lru-cache";

import { toColumnText } from "@/lib/database";

import { decodeValue } from "../schema/codec";
import type { JobHead } from "../schema/job-head";
import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

/** Heads that were decoded, by version: a page of the jobs list has a hundred, and most did not change. */
const decoded = new LRUCache<number, JobHead>({ max: 2_000 });

/** Heads of some jobs in the order of `ids`; ids that are gone are left out. */
export async function readHeads(store: IndexStore, ids: readonly number[]): Promise<readonly JobHead[]> {
  if (ids.length === 0) return [];
  const jobs = await store.db.selectFrom("jobs").select(["id", "version"]).where("id", "in", ids).execute();
  const known = jobs.flatMap(({ version }) => decoded.get(version) ?? []);
  const stale = jobs.filter(({ version }) => !decoded.has(version)).map(({ id }) => id);
  const read = await decodeHeads(store, stale);
  for (const job of read) decoded.set(job.version, job);
  const byId = new Map([...known, ...read].map((job) => [job.rowId, job]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function decodeHeads({ db }: IndexStore, ids: readonly number[]): Promise<readonly JobHead[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("jobs")
    .select(["id", "version", "key", "head", "hasDerivedDetails"])
    .where("id", "in", ids)
    .execute();
  const groups = await db
    .selectFrom("groups")
    .select(["jobRowId", "summary"])
    .where("jobRowId", "in", ids)
    .orderBy("jobRowId")
    .orderBy("position")
    .execute();
  const byJob = Map.groupBy(groups, (row) => row.jobRowId);
  return rows.map(({ id, version, key, head, hasDerivedDetails }) => {
    const stored = decodeValue(head);
    return {
      ...stored,
      rowId: id,
      version,
      key,
      hasDerivedDetails: hasDerivedDetails === 1,
      groups: (byJob.get(id) ?? []).map(({ summary }) => decodeValue(summary)),
    };
  });
}

/** Versions of the trials of a job by its row id, which change whenever these are written anew. @param jobRowId - null for all jobs */
export async function readTrialsVersions(
  { db }: IndexStore,
  jobRowId: number | null,
): Promise<ReadonlyMap<number, number>> {
  const all = db.selectFrom("jobs").select(["id", "trialsVersion"]);
  const rows = await (jobRowId === null ? all : all.where("id", "=", jobRowId)).execute();
  return new Map(rows.map(({ id, trialsVersion }) => [id, trialsVersion]));
}

/**
 * The job that a key of an address stands for; null when there is none. Besides a job's present key this accepts its name
 * while one job alone has it, and the key it would have beside a namesake.
 */
export async function readHead(store: IndexStore, asked: string): Promise<JobHead | null> {
  const key = toColumnText(asked);
  const id =
    (await findSole(store, (query) => query.where("key", "=", key))) ??
    (await findSole(store, (query) => query.where("name", "=", key))) ??
    // Not `like`, which tells upper from lower case on one engine alone.
    (await findSole(store, (query) =>
      query.where(sql<SqlBool>`replace(aliases, ${`\n${key}\n`}, '') <> aliases`),
    ));
  return id === null ? null : ((await readHeads(store, [id]))[0] ?? null);
}

type JobIds = SelectQueryBuilder<IndexTables, "jobs", { id: number }>;

async function findSole({ db }: IndexStore, narrow: (query: JobIds) => JobIds): Promise<number | null> {
  const [first, second] = await narrow(db.selectFrom("jobs").select("id")).limit(2).execute();
  return first === undefined || second !== undefined ? null : first.id;
}
