import "server-only";
import { savedSetRef } from "@/lib/pages/compare/address";
import type { GroupPlace, IndexStore } from "@/lib/store/tables";

import { findGroups } from "../compare/groups";

export async function findSetRuns(store: IndexStore, ids: readonly string[]): Promise<readonly GroupPlace[]> {
  const { chosen } = await findGroups(store, ids.map(savedSetRef), () => 0);
  const runs = new Map(chosen.flatMap((set) => set.runs.map((run) => [run.ref, run] as const)));
  return [...runs.values()].map(({ job, group }) => ({ jobRowId: job.rowId, key: group.key }));
}
