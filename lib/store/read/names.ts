import { isAmong } from "./among";
import type { IndexStore } from "../open-store";
import { decodeTrial } from "../schema/trial-codec";

/** Keys and names of at most `limit` jobs, newest first. */
export async function readJobNames(
  { db }: IndexStore,
  limit: number,
): Promise<readonly { readonly key: string; readonly name: string }[]> {
  return db
    .selectFrom("jobs")
    .select(["key", "name"])
    .orderBy((order) => order.fn.coalesce("when_ms", order.lit(0)), "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Short name of an opened folder; empty when there is no such folder. */
export async function readRootLabel({ db }: IndexStore, position: number): Promise<string> {
  const row = await db
    .selectFrom("roots")
    .select("label")
    .where("position", "=", position)
    .executeTakeFirst();
  return row?.label ?? "";
}

/** Every reward key of a job's trials, in the order in which the trials, in directory order, first name them. */
export async function readRewardKeys(store: IndexStore, jobId: number): Promise<readonly string[]> {
  const single = await store.db
    .selectFrom("trials")
    .select((select) => select.fn.min<number>("position").as("position"))
    .where("job_id", "=", jobId)
    .where("reward_key", "is not", null)
    .groupBy("reward_key")
    .execute();
  const several = await store.db
    .selectFrom("trial_rewards")
    .select((select) => select.fn.min<number>("position").as("position"))
    .where("job_id", "=", jobId)
    .groupBy("key")
    .execute();
  const firsts = new Set([...single, ...several].map(({ position }) => position));
  const records = await store.db
    .selectFrom("trial_records")
    .select("record")
    .where("job_id", "=", jobId)
    .where(isAmong(store, "position", firsts))
    .orderBy("position")
    .execute();
  return [...new Set(records.flatMap(({ record }) => [...(decodeTrial(record).rewards?.keys() ?? [])]))];
}
