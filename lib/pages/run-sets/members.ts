import "server-only";
import { NotFoundError } from "@/lib/core/domain/app-error";
import type { RunSetMember } from "@/lib/people/views";

import { findGroups } from "../compare/groups";
import { getStore } from "../shell/catalog";

/** Saved sets are expanded to their runs. @throws NotFoundError for a reference that matches nothing */
export async function findRunMembers(refs: readonly string[]): Promise<readonly RunSetMember[]> {
  const { chosen, unknown } = await findGroups(await getStore(), refs, () => 0);
  if (unknown.length > 0) throw new NotFoundError(`Not here any more: ${unknown.join(", ")}.`);
  const runs = new Map(chosen.flatMap((group) => group.runs.map((run) => [run.ref, run] as const)));
  return [...runs.values()].map(({ job, group }) => ({
    job: job.uuid,
    jobKey: job.key,
    jobName: job.name,
    group: group.key,
  }));
}
