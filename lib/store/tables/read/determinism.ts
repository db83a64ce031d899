import { type ExpressionBuilder, sql } from "kysely";

import type { IndexStore } from "../open-store";
import type { IndexTables, Stored } from "../schema/tables";
import { namePlace } from "./candidates";
import { atSamePlace, groupKeys, isAt, type RowPlace, type TrialKeys } from "./query";

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

interface SameOutputTrial extends Pick<Stored<"trials">, "key" | "taskName" | "attempt" | "agent" | "model"> {
  readonly jobKey: string;
  readonly jobName: string;
  /** Reward keys with values as Python writes them, in order of the keys. */
  readonly rewards: readonly (readonly [key: string, text: string])[];
  readonly outputPath: string;
}

export interface Disagreement {
  /** SHA-256 of the output in hex. */
  readonly digest: string;
  readonly nTrials: number;
  readonly trials: readonly SameOutputTrial[];
}

const MOST_MEMBERS = 20;

export async function readDisagreements(
  store: IndexStore,
  jobRowId: number,
  limit: number,
  position: number | null = null,
): Promise<readonly Disagreement[]> {
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
  const found: Disagreement[] = [];
  for (const { compareKey, n } of groups) {
    const members = await readMembers(store, jobRowId, compareKey ?? "");
    found.push({ digest: members[0]?.digest ?? "", nTrials: n, trials: members.map(({ trial }) => trial) });
  }
  return found;
}

async function readMembers(
  store: IndexStore,
  jobRowId: number,
  compareKey: string,
): Promise<readonly { readonly digest: string; readonly trial: SameOutputTrial }[]> {
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
    .orderBy("jobs.key")
    .orderBy("trialChecks.position")
    .limit(MOST_MEMBERS)
    .execute();
  const several = await readAllRewards(
    store,
    rows.filter(({ nRewardKeys }) => nRewardKeys > 1),
  );
  return rows.map(({ jobRowId: id, position, outputDigest, outputPath, ...row }) => {
    const { rewardKey, rewardText, nRewardKeys: _, ...trial } = row;
    const headline = rewardKey === null || rewardText === null ? [] : ([[rewardKey, rewardText]] as const);
    const rewards = several.get(namePlace({ jobRowId: id, position })) ?? headline;
    return { digest: outputDigest ?? "", trial: { ...trial, outputPath: outputPath ?? "", rewards } };
  });
}

async function readAllRewards(
  store: IndexStore,
  trials: readonly RowPlace[],
): Promise<ReadonlyMap<string, SameOutputTrial["rewards"]>> {
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
  const trials = store.db
    .selectFrom(shared.having(differ).as("shared"))
    .innerJoin("trialChecks", "trialChecks.compareKey", "shared.compareKey")
    .innerJoin("trials", atSamePlace("trials", "trialChecks"))
    .select(["trials.jobRowId", "trials.key"]);
  const rows = await (
    jobRowId === null ? trials : trials.where("trialChecks.jobRowId", "=", jobRowId)
  ).execute();
  return groupKeys(rows);
}
