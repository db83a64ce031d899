import type { Suspicion } from "@/lib/core/domain/verifier-check";

import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import { atSamePlace, countRows, isAmong, isAt, type RowPlace } from "./query";

export async function readSuspicions(
  store: IndexStore,
  jobRowId: number,
  keys: readonly string[] | null = null,
): Promise<ReadonlyMap<string, Suspicion>> {
  if (keys?.length === 0) return new Map();
  let query = selectSuspects(store)
    .select(["trials.key", "suspicions.log", "suspicions.logLine", "suspicions.lacksDetails"])
    .where("suspicions.jobRowId", "=", jobRowId)
    .orderBy("suspicions.position");
  if (keys !== null) query = query.where(isAmong(store, "trials.key", keys));
  return new Map((await query.execute()).map((row) => [row.key, toSuspicion(row)]));
}

function selectSuspects({ db }: IndexStore) {
  return db.selectFrom("suspicions").innerJoin("trials", atSamePlace("trials", "suspicions"));
}

function toSuspicion(row: Pick<Stored<"suspicions">, "log" | "logLine" | "lacksDetails">): Suspicion {
  return {
    traceback: row.log === null ? null : { file: row.log, line: row.logLine },
    lacksDetails: row.lacksDetails === 1,
  };
}

/**
 * Counts suspects by job and group: all, those whose log has a traceback, and those without details where others have some. A
 * trial may be in both of the last two.
 */
export async function readSuspectTallies(store: IndexStore, jobRowId: number | null = null) {
  const query = selectSuspects(store)
    .select(({ fn }) => [
      "suspicions.jobRowId",
      "trials.groupKey",
      fn.countAll<number>().as("nTrials"),
      fn.count<number>("suspicions.log").as("nTraceback"),
      fn.sum<number>("suspicions.lacksDetails").as("nLackDetails"),
    ])
    .groupBy(["suspicions.jobRowId", "trials.groupKey"]);
  return (jobRowId === null ? query : query.where("suspicions.jobRowId", "=", jobRowId)).execute();
}

interface SiblingDetails {
  /** Other finished trials of the task in the job, and those of them with details. */
  readonly nOthers: number;
  readonly nWithDetails: number;
  /** Of both, those with a reward of 0. */
  readonly nZero: number;
  readonly nZeroWithDetails: number;
  /** Trials with details in other jobs that ran the same task, by its digest. */
  readonly nElsewhere: number;
}

export async function readSiblingDetails(
  { db }: IndexStore,
  jobRowId: number,
  trial: { readonly position: number; readonly taskName: string; readonly taskDigest: string | null },
): Promise<SiblingDetails> {
  const trials = db.selectFrom("trials").leftJoin("trialChecks", atSamePlace("trialChecks", "trials"));
  const others = trials
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.taskName", "=", trial.taskName)
    .where("trials.state", "=", "finished")
    .where("trials.position", "!=", trial.position);
  const zero = others.where("trials.reward", "=", 0);
  const elsewhere = trials
    .where("trials.taskName", "=", trial.taskName)
    .where("trials.taskDigest", "=", trial.taskDigest)
    .where("trials.jobRowId", "!=", jobRowId)
    .where("trialChecks.hasDetails", "=", 1);
  return {
    nOthers: await countRows(others),
    nWithDetails: await countRows(others.where("trialChecks.hasDetails", "=", 1)),
    nZero: await countRows(zero),
    nZeroWithDetails: await countRows(zero.where("trialChecks.hasDetails", "=", 1)),
    nElsewhere: trial.taskDigest === null ? 0 : await countRows(elsewhere),
  };
}

export async function readTagCounts({ db }: IndexStore, jobRowId: number | null) {
  const query = db
    .selectFrom("tags")
    .select(["jobRowId", "groupKey", "category", "source", "nTrials", "nFinished"])
    .orderBy("jobRowId")
    .orderBy("position");
  return (jobRowId === null ? query : query.where("jobRowId", "=", jobRowId)).execute();
}

export async function readTaggedKeys(
  store: IndexStore,
  jobRowId: number,
  categories: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await store.db
    .selectFrom("trialTags")
    .innerJoin("trials", atSamePlace("trials", "trialTags"))
    .select("trials.key")
    .distinct()
    .where("trialTags.jobRowId", "=", jobRowId)
    .where(isAmong(store, "trialTags.category", categories))
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** By row id of the job and by trial key. @param places - null for all */
export async function readSuspicionsAt(
  store: IndexStore,
  places: readonly RowPlace[] | null = null,
): Promise<ReadonlyMap<number, ReadonlyMap<string, Suspicion>>> {
  const query = selectSuspects(store)
    .select(["trials.jobRowId", "trials.key"])
    .select(["suspicions.log", "suspicions.logLine", "suspicions.lacksDetails"]);
  const rows = await (places === null ? query : query.where(isAt(store, "suspicions", places))).execute();
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ jobRowId }) => jobRowId),
      ([jobRowId, own]) => [jobRowId, new Map(own.map((row) => [row.key, toSuspicion(row)]))],
    ),
  );
}
