import type { IndexStore } from "../open-store";
import { isAmong } from "./query";

/** What tells a job of a saved run set. */
export interface MemberJob {
  readonly rowId: number;
  readonly key: string;
  readonly name: string;
  /** The job's own id; null where its files state none. */
  readonly uuid: string | null;
}

/** The jobs that have one of these ids, or one of these keys, in the order of the index. */
export async function readMemberJobs(
  store: IndexStore,
  uuids: readonly string[],
  keys: readonly string[],
): Promise<readonly MemberJob[]> {
  if (uuids.length + keys.length === 0) return [];
  return store.db
    .selectFrom("jobs")
    .select(["id as rowId", "key", "name", "uuid"])
    .where((where) => where.or([isAmong(store, "jobs.uuid", uuids), isAmong(store, "jobs.key", keys)]))
    .orderBy("id")
    .execute();
}
