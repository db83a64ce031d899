import type { Trial } from "@/lib/core/domain/trial";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { atSamePlace, isAmong } from "./query";

export async function readAllTrials({ db }: IndexStore, jobRowId: number): Promise<readonly Trial[]> {
  const rows = await db
    .selectFrom("trialRecords")
    .select("record")
    .where("jobRowId", "=", jobRowId)
    .orderBy("position")
    .execute();
  return rows.map(({ record }) => decodeValue(record));
}

export async function readRewardKeys(store: IndexStore, jobRowId: number): Promise<readonly string[]> {
  const single = await store.db
    .selectFrom("trials")
    .select((select) => select.fn.min<number>("position").as("position"))
    .where("jobRowId", "=", jobRowId)
    .where("rewardKey", "is not", null)
    .groupBy("rewardKey")
    .execute();
  const several = await store.db
    .selectFrom("trialRewards")
    .select((select) => select.fn.min<number>("position").as("position"))
    .where("jobRowId", "=", jobRowId)
    .groupBy("key")
    .execute();
  const firsts = new Set([...single, ...several].map(({ position }) => position));
  const records = await store.db
    .selectFrom("trialRecords")
    .select("record")
    .where("jobRowId", "=", jobRowId)
    .where(isAmong(store, "position", firsts))
    .orderBy("position")
    .execute();
  return [...new Set(records.flatMap(({ record }) => [...(decodeValue(record).rewards?.keys() ?? [])]))];
}

export type PlacedTrial = Awaited<ReturnType<typeof readPlacedTrials>>[number];

async function readPlacedTrials({ db }: IndexStore, jobRowId: number, from: number, limit: number) {
  const rows = await db
    .selectFrom("trialRecords")
    .innerJoin("trials", atSamePlace("trials", "trialRecords"))
    .select(["trialRecords.position", "trials.groupKey", "trials.taskName", "trialRecords.record"])
    .where("trialRecords.jobRowId", "=", jobRowId)
    .where("trialRecords.position", ">=", from)
    .orderBy("trialRecords.position")
    .limit(limit)
    .execute();
  return rows.map(({ record, ...place }) => ({ ...place, trial: decodeValue(record) }));
}

/** Yields the trials of a job in order, in batches; the last one may be empty. */
export async function* readTrialBatches(
  store: IndexStore,
  jobRowId: number,
  size: number,
): AsyncGenerator<readonly PlacedTrial[], void> {
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, jobRowId, from, size);
    yield trials;
    if (trials.length < size) return;
    from = (trials.at(-1)?.position ?? from) + 1;
  }
}
