import "server-only";
import { listNewRuns, nameKind } from "@/lib/core/comparison";
import { groupRef } from "@/lib/pages/address/href";
import { savedSetRef } from "@/lib/pages/compare/address";
import {
  findMemberJob,
  getViewStore,
  readRunSets,
  type SavedRunSet,
  type ViewStore,
} from "@/lib/people/views";
import { type IndexStore, readIndexState, readMemberJobs, readRunNames } from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";
import { findSetsByRule, type RuleResult } from "./rule";

export interface SavedSet extends Omit<SavedRunSet, "members"> {
  readonly ref: string;
  /** In run order. A reference is null if its job is not open. */
  readonly members: readonly {
    readonly ref: string | null;
    readonly name: string;
    /** True if the set's rule added it after the set was saved. */
    readonly isNew: boolean;
  }[];
}

/** Includes deleted sets. Unknown ids are left out. */
export async function findSavedSets(
  store: IndexStore,
  ids: readonly string[],
  views: ViewStore = getViewStore(),
): Promise<ReadonlyMap<string, SavedSet>> {
  if (ids.length === 0) return new Map();
  const { sets } = await readRunSets(views);
  const found = await placeSets(
    store,
    sets.filter(({ id, isDeleted }) => ids.includes(id) || !isDeleted),
  );
  return new Map(found.flatMap((set) => (ids.includes(set.id) ? [[set.id, set]] : [])));
}

/** Lists sets newest first, without deleted ones. `apart` holds runs marked as no repeats, including undone marks. */
export async function listSavedSets(store: IndexStore, views: ViewStore = getViewStore()) {
  const { sets, apart, problem } = await readRunSets(views);
  const live = sets.filter(({ isDeleted }) => !isDeleted);
  return { sets: await placeSets(store, live), apart: await placeSets(store, apart), problem };
}

export async function nameSetsOfRuns(store: IndexStore) {
  const { sets } = await listSavedSets(store);
  const named = sets.flatMap(({ name, members }) => members.map(({ ref }) => ({ name, ref })));
  const byRef = Map.groupBy(named, ({ ref }) => ref);
  return (jobKey: string, groupKey: string): readonly string[] =>
    (byRef.get(groupRef(jobKey, groupKey)) ?? []).map(({ name }) => name);
}

async function placeSets(store: IndexStore, sets: readonly SavedRunSet[]): Promise<readonly SavedSet[]> {
  const placed = await findMembers(store, sets);
  if (placed.every(({ rule }) => rule === null)) return placed;
  const rules = [...new Set(placed.flatMap(({ rule }) => rule ?? []))];
  const [names, ...found] = await Promise.all([
    readNamedRuns(store).then((runs) => new Map(runs.map(({ ref, jobName }) => [ref, jobName]))),
    ...rules.map((rule) => readFound(store, rule)),
  ]);
  const byRule = new Map(rules.map((rule, at) => [rule, found[at]?.sets ?? []]));
  const refsOf = ({ members }: SavedSet) => members.flatMap(({ ref }) => ref ?? []);
  return placed.map((set) => {
    if (set.rule === null) return set;
    const others = placed.filter((other) => other !== set && !other.isDeleted);
    const sameRule = byRule.get(set.rule) ?? [];
    const added = listNewRuns(sameRule, new Set(refsOf(set)), new Set(others.flatMap(refsOf)));
    const more = added.map((ref) => ({ ref, name: names.get(ref) ?? ref, isNew: true }));
    return { ...set, members: [...set.members, ...more] };
  });
}

const MOST_KEPT = 20;
const keep = createGenerationCache(MOST_KEPT);

/** Newest first. */
export async function readNamedRuns(store: IndexStore) {
  const { generation } = await readIndexState(store);
  return keep({ store, generation }, "runs", async () =>
    (await readRunNames(store)).map(({ jobRowId, jobKey, jobName, nTrials, ...group }) => ({
      ...{ ref: groupRef(jobKey, group.key), jobRowId, jobName, nTrials },
      ...{ agent: group.agent, source: group.source, kind: nameKind(group) },
    })),
  );
}

/** Cached for the generation because a rule can take long. */
async function readFound(store: IndexStore, rule: string): Promise<RuleResult> {
  const { generation } = await readIndexState(store);
  return keep({ store, generation }, `rule ${rule}`, async () =>
    findSetsByRule((await readNamedRuns(store)).toReversed(), rule),
  );
}

async function findMembers(store: IndexStore, sets: readonly SavedRunSet[]): Promise<readonly SavedSet[]> {
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
        isNew: false,
      };
    }),
  }));
}
