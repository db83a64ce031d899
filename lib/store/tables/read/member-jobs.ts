import type { IndexStore } from "../open-store";
import { isAmong } from "./query";

export async function readMemberJobs(store: IndexStore, uuids: readonly string[], keys: readonly string[]) {
  if (uuids.length + keys.length === 0) return [];
  return store.db
    .selectFrom("jobs")
    .select(["id as rowId", "key", "name", "uuid"])
    .where((where) => where.or([isAmong(store, "jobs.uuid", uuids), isAmong(store, "jobs.key", keys)]))
    .orderBy("id")
    .execute();
}
