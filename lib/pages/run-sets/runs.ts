import "server-only";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { savedSetRef, writeRunSet } from "@/lib/pages/compare/address";
import type { RunSetMember } from "@/lib/people/views";
import type { GroupPlace, IndexStore, JobHead } from "@/lib/store/tables";

import { findGroups, readChosenGroups } from "../compare/groups";
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

/** Reads runs as one set; undefined if none is open. */
export async function readRunsTogether(
  store: IndexStore,
  refs: readonly string[],
  identityOf: Parameters<typeof findGroups>[2] = () => 0,
) {
  const { chosen } = await findGroups(store, writeRunSet(refs), identityOf);
  const [set] = await readChosenGroups(store, chosen);
  return set;
}

/** Adds the agents if a job has several groups, since the name alone is then ambiguous. */
export function nameWithAgent(
  name: string,
  runs: readonly { readonly job: Pick<JobHead, "groups">; readonly group: { readonly agent: string } }[],
): string {
  if (runs.every(({ job }) => job.groups.length < 2)) return name;
  return `${name} ${[...new Set(runs.map(({ group }) => group.agent))].join(", ")}`;
}
