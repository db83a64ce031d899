import { type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { LRUCache } from "lru-cache";

import type { JobHead } from "@/lib/core/domain/job-head";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { IndexTables } from "../schema/tables";

/** Decoded heads by version: a page of the jobs list has a hundred, and most did not change. */
const decoded = new LRUCache<number, JobHead>({ max: 2_000 });

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

export async function readTrialsVersions(
  { db }: IndexStore,
  jobRowId: number | null,
): Promise<ReadonlyMap<number, number>> {
  const all = db.selectFrom("jobs").select(["id", "trialsVersion"]);
  const rows = await (jobRowId === null ? all : all.where("id", "=", jobRowId)).execute();
  return new Map(rows.map(({ id, trialsVersion }) => [id, trialsVersion]));
}

/** Finds the job of a URL key. Also accepts a name that only one job has, and the key the job would have next to a namesake. */
export async function readHead(store: IndexStore, asked: string): Promise<JobHead | null> {
  const key = toColumnText(asked);
  const id =
    (await findSole(store, (query) => query.where("key", "=", key))) ??
    (await findSole(store, (query) => query.where("name", "=", key))) ??
    // Not `like`, which is case-sensitive on one engine only.
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
