import { type ExpressionBuilder, sql } from "kysely";

import type { Suspicion } from "@/lib/core/domain/verifier-check";

import type { IndexStore } from "../open-store";
import type { IndexTables, Stored } from "../schema/tables";
import {
  type RowPlace,
  type TrialKeys,
  atSamePlace,
  countRows,
  groupKeys,
  isAmong,
  isAt,
  inOrder,
  isOfJobs,
} from "./query";
import { namePlace } from "./trials";

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

/** By row id of the job and by trial key. @param places - null for all */
export async function readSuspicionsAt(store: IndexStore, places: readonly RowPlace[] | null = null) {
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
  return query.where(isOfJobs(store, "suspicions.jobRowId", jobRowId)).execute();
}

/**
 * Counts other finished trials of the task in the job, those with a reward of 0, those of both with details, and trials with
 * details in other jobs that ran the same task, by its digest.
 */
export async function readSiblingDetails(
  { db }: IndexStore,
  jobRowId: number,
  trial: { readonly position: number; readonly taskName: string; readonly taskDigest: string | null },
) {
  const trials = db.selectFrom("trials").leftJoin("trialChecks", atSamePlace("trialChecks", "trials"));
  const others = trials
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.taskName", "=", trial.taskName)
    .where("trials.state", "=", "finished")
    .where("trials.position", "!=", trial.position);
  const zero = others.where("trials.reward", "=", 0);
  const elsewhere = trials
    .where((where) => where.and({ "trials.taskName": trial.taskName, "trials.taskDigest": trial.taskDigest }))
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

export type DeterminismCounts = Awaited<ReturnType<typeof readDeterminism>>;

/** Compares the trials of a job with all of the index. Linear in the trials that share an output with one of the job. */
export async function readDeterminism(store: IndexStore, jobRowId: number) {
  const reasons = await store.db
    .selectFrom("trialChecks")
    .select(({ fn }) => ["uncompared", fn.countAll<number>().as("n")])
    .where("jobRowId", "=", jobRowId)
    .groupBy("uncompared")
    .execute();
  const sums = await store.db
    .selectFrom(selectShared(store, jobRowId).as("shared"))
    .select(({ fn, eb }) => {
      const areDifferent = eb("low", "<>", eb.ref("high"));
      return [
        fn.sum<number | null>("nOwn").as("nShared"),
        fn
          .sum<number | null>(eb.case().when(areDifferent).then(eb.ref("nOwn")).else(0).end())
          .as("nDisagreeing"),
        fn.sum<number | null>(eb.case().when(areDifferent).then(1).else(0).end()).as("nGroups"),
      ];
    })
    .executeTakeFirst();
  return {
    /** Trials of the job with a task digest, an output and a reward. */
    nChecked: reasons.find(({ uncompared }) => uncompared === null)?.n ?? 0,
    /** Checked trials whose output another trial of any job shares, and those of them whose rewards differ. */
    nShared: sums?.nShared ?? 0,
    nDisagreeing: sums?.nDisagreeing ?? 0,
    /** Outputs that disagreeing trials of the job share. */
    nGroups: sums?.nGroups ?? 0,
    /** Trials that are not compared, by reason; trials that left no files are excluded. */
    uncompared: new Map(
      reasons.flatMap(({ uncompared, n }) => (uncompared === null ? [] : [[uncompared, n] as const])),
    ),
    nKnown: reasons.reduce((sum, { n }) => sum + n, 0),
  };
}

function selectCompared({ db }: IndexStore) {
  return db
    .selectFrom("trialChecks")
    .select("compareKey")
    .where("compareKey", "is not", null)
    .groupBy("compareKey");
}

function selectShared({ db }: IndexStore, jobRowId: number) {
  return db
    .selectFrom("trialChecks")
    .select(({ fn }) => [
      "compareKey",
      fn.min("rewardsKey").as("low"),
      fn.max("rewardsKey").as("high"),
      fn.countAll<number>().as("n"),
      sql<number>`sum(case when ${sql.ref("jobRowId")} = ${jobRowId} then 1 else 0 end)`.as("nOwn"),
    ])
    .where("compareKey", "in", (keys) =>
      keys
        .selectFrom("trialChecks as own")
        .select("own.compareKey")
        .where("own.jobRowId", "=", jobRowId)
        .where("own.compareKey", "is not", null),
    )
    .groupBy("compareKey")
    .having(({ fn }) => fn.countAll(), ">", 1);
}

function differ({ eb, fn }: ExpressionBuilder<IndexTables, "trialChecks">) {
  return eb(fn.min("rewardsKey"), "<>", fn.max("rewardsKey"));
}

const MOST_MEMBERS = 20;

export async function readDisagreements(
  store: IndexStore,
  jobRowId: number,
  limit: number,
  position: number | null = null,
) {
  let query = selectShared(store, jobRowId).having(differ);
  if (position !== null) {
    query = query.where("compareKey", "=", (key) =>
      key
        .selectFrom("trialChecks as one")
        .select("one.compareKey")
        .where("one.jobRowId", "=", jobRowId)
        .where("one.position", "=", position),
    );
  }
  const groups = await query.orderBy("n", "desc").orderBy("compareKey").limit(limit).execute();
  return Promise.all(
    groups.map(async ({ compareKey, n }) => {
      const members = await readMembers(store, jobRowId, compareKey ?? "");
      // A digest is the SHA-256 of the output in hex.
      return { digest: members[0]?.digest ?? "", nTrials: n, trials: members.map(({ trial }) => trial) };
    }),
  );
}

async function readMembers(store: IndexStore, jobRowId: number, compareKey: string) {
  const rows = await store.db
    .selectFrom("trialChecks")
    .innerJoin("trials", atSamePlace("trials", "trialChecks"))
    .innerJoin("jobs", "jobs.id", "trialChecks.jobRowId")
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .select(["trialChecks.jobRowId", "trialChecks.position", "outputDigest", "outputPath"])
    .select(["trials.key", "taskName", "attempt", "agent", "model"])
    .select(["rewardKey", "rewardText", "nRewardKeys"])
    .where("compareKey", "=", compareKey)
    .orderBy((order) => order.case().when("trialChecks.jobRowId", "=", jobRowId).then(0).else(1).end())
    .orderBy(inOrder("jobs.key", "trialChecks.position"))
    .limit(MOST_MEMBERS)
    .execute();
  const several = await readAllRewards(
    store,
    rows.filter(({ nRewardKeys }) => nRewardKeys > 1),
  );
  return rows.map(({ jobRowId: id, position, outputDigest, outputPath, ...row }) => {
    const { rewardKey, rewardText, nRewardKeys: _, ...trial } = row;
    const headline: readonly (readonly [key: string, text: string])[] =
      rewardKey === null || rewardText === null ? [] : [[rewardKey, rewardText]];
    const rewards = several.get(namePlace({ jobRowId: id, position })) ?? headline;
    return { digest: outputDigest ?? "", trial: { ...trial, outputPath: outputPath ?? "", rewards } };
  });
}

async function readAllRewards(store: IndexStore, trials: readonly RowPlace[]) {
  const rows = await store.db
    .selectFrom("trialRewards")
    .select(["jobRowId", "position", "key", "text"])
    .where(isAt(store, "trialRewards", trials))
    .orderBy("key")
    .execute();
  return new Map(
    Array.from(Map.groupBy(rows, namePlace), ([place, own]) => [
      place,
      own.map(({ key, text }) => [key, text] as const),
    ]),
  );
}

/** Trials whose output got another reward elsewhere; a null job means all jobs. */
export async function readDisagreeingKeys(store: IndexStore, jobRowId: number | null): Promise<TrialKeys> {
  const shared =
    jobRowId === null
      ? selectCompared(store).having(({ fn }) => fn.countAll(), ">", 1)
      : selectShared(store, jobRowId);
  const trials = await store.db
    .selectFrom(shared.having(differ).as("shared"))
    .innerJoin("trialChecks", "trialChecks.compareKey", "shared.compareKey")
    .innerJoin("trials", atSamePlace("trials", "trialChecks"))
    .select(["trials.jobRowId", "trials.key"])
    .where(isOfJobs(store, "trialChecks.jobRowId", jobRowId))
    .execute();
  return groupKeys(trials);
}
