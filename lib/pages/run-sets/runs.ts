import "server-only";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { savedSetRef } from "@/lib/pages/compare/address";
import type { RunSetMember } from "@/lib/people/views";
import type { GroupPlace, IndexStore } from "@/lib/store/tables";

import { findGroups } from "../compare/groups";
import { getStore } from "../shell/catalog";

export async function findSetRuns(store: IndexStore, ids: readonly string[]): Promise<readonly GroupPlace[]> {
  const { runs } = await findRuns(store, ids.map(savedSetRef));
  return runs.map(({ job, group }) => ({ jobRowId: job.rowId, key: group.key }));
}

/** Saved sets are expanded to their runs. @throws NotFoundError for a reference that matches nothing */
export async function findRunMembers(refs: readonly string[]): Promise<readonly RunSetMember[]> {
  const { runs, unknown } = await findRuns(await getStore(), refs);
  if (unknown.length > 0) throw new NotFoundError(`No longer open: ${unknown.join(", ")}.`);
  return runs.map(({ job, group }) => ({
    job: job.uuid,
    jobKey: job.key,
    jobName: job.name,
    group: group.key,
  }));
}

async function findRuns(store: IndexStore, refs: readonly string[]) {
  const { chosen, unknown } = await findGroups(store, refs, () => 0);
  const runs = new Map(chosen.flatMap((group) => group.runs.map((run) => [run.ref, run] as const)));
  return { runs: [...runs.values()], unknown };
}
