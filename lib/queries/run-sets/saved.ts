import "server-only";

import { savedSetRef } from "@/lib/addresses/compare";
import { groupRef } from "@/lib/addresses/href";
import { type IndexStore, readMemberJobs } from "@/lib/store";
import { findMemberJob, getViewStore, readRunSets, type SavedRunSet, type ViewStore } from "@/lib/views";

/** A saved run set with the jobs that its runs are today. */
export interface SavedSet extends Omit<SavedRunSet, "members"> {
  /** How addresses name it. */
  readonly ref: string;
  /** Its runs in their order: reference of the group as the opened jobs have it, null where the job is not among them. */
  readonly members: readonly { readonly ref: string | null; readonly name: string }[];
}

/** Saved run sets by id, deleted ones among them; ids that nobody saved are left out. */
export async function findSavedSets(
  store: IndexStore,
  ids: readonly string[],
  views: ViewStore = getViewStore(),
): Promise<ReadonlyMap<string, SavedSet>> {
  if (ids.length === 0) return new Map();
  const { sets } = await readRunSets(views);
  const found = await placeSets(
    store,
    sets.filter(({ id }) => ids.includes(id)),
  );
  return new Map(found.map((set) => [set.id, set]));
}

/** Every run set that was saved and not deleted, newest first, and what of the saved sets cannot be read. */
export async function listSavedSets(
  store: IndexStore,
  views: ViewStore = getViewStore(),
): Promise<{ readonly sets: readonly SavedSet[]; readonly problem: string | null }> {
  const { sets, problem } = await readRunSets(views);
  const live = sets.filter(({ isDeleted }) => !isDeleted);
  return { sets: await placeSets(store, live), problem };
}

/** What tells which saved run sets count a group of a job, by name. */
export async function nameSetsOfRuns(
  store: IndexStore,
): Promise<(jobKey: string, groupKey: string) => readonly string[]> {
  const { sets } = await listSavedSets(store);
  const named = sets.flatMap(({ name, members }) => members.map(({ ref }) => ({ name, ref })));
  const byRef = Map.groupBy(named, ({ ref }) => ref);
  return (jobKey, groupKey) => (byRef.get(groupRef(jobKey, groupKey)) ?? []).map(({ name }) => name);
}

/** Finds the jobs of saved sets. */
async function placeSets(store: IndexStore, sets: readonly SavedRunSet[]): Promise<readonly SavedSet[]> {
  const members = sets.flatMap((set) => set.members);
  const jobs = await readMemberJobs(
    store,
    members.flatMap(({ job }) => job ?? []),
    members.map(({ jobKey }) => jobKey),
  );
  return sets.map((set) => ({
    ...set,
    ref: savedSetRef(set.id),
    members: set.members.map((member) => {
      const job = findMemberJob(member, jobs);
      return {
        ref: job === null ? null : groupRef(job.key, member.group),
        name: job?.name ?? member.jobName,
      };
    }),
  }));
}
