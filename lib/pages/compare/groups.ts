import "server-only";
import { assignVariants, type ChartGroup } from "@/lib/core/charts/chart-group";
import {
  type ComparedRun,
  type JoinedRuns,
  joinRuns,
  type NamedRuns,
  nameSets,
  nameSetsInFull,
  type ComparedTrial,
  type GroupContent,
  renumber,
} from "@/lib/core/comparison";
import { MAX_COLOURED, MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { qualifyModels } from "@/lib/core/domain/model-name";
import { oncePer } from "@/lib/core/domain/once-per";
import { formatSetupValue } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";
import { groupRef } from "@/lib/pages/address/href";
import { listRunSets, readSavedSetRef, writeRunSet } from "@/lib/pages/compare/address";
import { readExclusions } from "@/lib/pages/sensitivity/job";
import type { ViewStore } from "@/lib/people/views";
import {
  type GroupSummary,
  type IndexStore,
  type JobHead,
  readHeads,
  readJobIds,
  takeTurns,
  countGroupFigures,
  readCountedTrials,
  readGroupSettings,
  readSuspicions,
} from "@/lib/store/tables";

import { findSavedSets, type SavedSet } from "../run-sets/saved";
import { createCache } from "../shell/cache";
import { type IdentityOf, getStore, getWholeStore } from "../shell/catalog";

export interface Run extends ComparedRun {
  readonly job: JobHead;
  readonly group: GroupSummary["group"];
  readonly summary: GroupSummary;
  /** Group with the recorded figures: itself, or the whole that it is part of. */
  readonly figureKey: string;
  /** True if only the store with all copies has it. */
  readonly isCopy: boolean;
}

/** One run, or a run set whose attempts are pooled. */
export interface FoundGroup extends ChartGroup, Pick<NamedRuns, "givenName"> {
  readonly runs: readonly [Run, ...Run[]];
  readonly refs: readonly string[];
  readonly saved: FoundSet | null;
}

interface FoundSet extends Pick<SavedSet, "id" | "name" | "isDeleted"> {
  readonly missing: readonly string[];
}

export interface ChosenGroup extends FoundGroup, JoinedRuns {}

/** Assay writes no references with more colons. Each one may end a job's key. */
const MOST_COLONS = 20;

function listJobKeys(ref: string): string[] {
  const parts = ref.split(":").slice(0, MOST_COLONS + 1);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(":"));
}

export async function openGroups(groups: readonly FoundGroup[]): Promise<IndexStore> {
  return groups.some(({ runs }) => runs.some(({ isCopy }) => isCopy)) ? getWholeStore() : getStore();
}

/** Asks the store with all copies only for references that the other store does not know. */
export async function findOpenGroups(refs: readonly string[], identityOf: IdentityOf) {
  const [store, whole] = await Promise.all([getStore(), getWholeStore()]);
  return findSets(store, listRunSets(refs), identityOf, undefined, whole);
}

/** Returns references that name nothing separately. A saved run set counts with the runs found. */
export async function findGroups(
  store: IndexStore,
  refs: readonly string[],
  identityOf: IdentityOf,
  views?: ViewStore,
) {
  return findSets(store, listRunSets(refs), identityOf, views);
}

export async function findSets(
  store: IndexStore,
  named: readonly (readonly [string, ...string[]])[],
  identityOf: IdentityOf,
  views?: ViewStore,
  whole?: IndexStore,
): Promise<{ readonly chosen: readonly FoundGroup[]; readonly unknown: readonly string[] }> {
  const ids = named.flat().flatMap((ref) => readSavedSetRef(ref) ?? []);
  const saved = await findSavedSets(store, ids, views);
  const sets = named.map((own) => ({ own, members: own.flatMap((ref) => listMembers(ref, saved)) }));
  const wanted = [...new Set(sets.flatMap(({ members }) => members.flatMap(({ ref }) => ref ?? [])))];
  const counted = await findRuns(store, wanted, false);
  const unknown = named.flat().flatMap((ref) => {
    const members = listMembers(ref, saved).flatMap((member) => member.ref ?? []);
    return members.some((member) => counted.has(member)) ? [] : members;
  });
  const copies = whole === undefined ? [] : await findRuns(whole, unknown, true);
  const runsOf = qualifyModels([...copies, ...counted].map(([, run]) => run));
  const found = new Map(runsOf.map((run) => [run.ref, run]));
  const hits = sets.flatMap(({ own, members }) => {
    const [first, ...others] = [...new Set(members.flatMap(({ ref }) => found.get(ref ?? "") ?? []))];
    if (first === undefined) return [];
    const set = own.length === 1 ? (saved.get(readSavedSetRef(own[0]) ?? "") ?? null) : null;
    const missing = members.flatMap(({ ref, name }) => (found.has(ref ?? "") ? [] : name));
    return [{ runs: [first, ...others] as const, set: set && { ...set, missing } }];
  });
  const identities = hits.map(({ runs: [{ summary }] }) =>
    identityOf(summary.group.agent, summary.group.model),
  );
  const labelled = hits.map(({ runs, set }) => ({
    runs,
    setup: (runs[0].summary.setup ?? []).map(formatSetupValue).join(", "),
    name: set && nameSaved(set, runs.length),
  }));
  const labels = nameSets(labelled);
  const fullNames = nameSetsInFull(labelled);
  const groups = hits.map(({ runs, set }, index) => {
    const own = set === null ? writeRunSet(runs.map(({ ref }) => ref)) : [set.ref];
    const id = own.join(" ");
    const [label = id, fullName = label] = [labels[index], fullNames[index]];
    const full = fullName === label ? {} : { fullName };
    const givenName = labelled[index]?.name ?? null;
    return { id, runs, refs: own, saved: set, label, givenName, ...full, identity: identities[index] ?? 0 };
  });
  const variants = assignVariants(groups);
  const isInk = groups.length > MAX_COLOURED ? { isInk: true } : {};
  const chosen = groups.map((group, index) => ({ ...group, variant: variants[index] ?? 0, ...isInk }));
  return { chosen, unknown: listUnknown(named.flat(), saved, found) };
}

function listMembers(
  ref: string,
  saved: ReadonlyMap<string, SavedSet>,
): readonly { readonly ref: string | null; readonly name: string }[] {
  const id = readSavedSetRef(ref);
  return id === null ? [{ ref, name: ref }] : (saved.get(id)?.members ?? []);
}

function nameSaved({ name, isDeleted, members }: SavedSet, nRuns: number): string {
  const parts = [
    ...(isDeleted ? ["deleted"] : []),
    ...(nRuns < members.length ? [`${String(nRuns)} of ${formatPlural(members.length, "run")}`] : []),
  ];
  return parts.length === 0 ? name : `${name} (${parts.join(", ")})`;
}

function listUnknown(
  refs: readonly string[],
  saved: ReadonlyMap<string, SavedSet>,
  found: ReadonlyMap<string, Run>,
): readonly string[] {
  return [...new Set(refs)].flatMap((ref) => {
    const id = readSavedSetRef(ref);
    if (id === null) return found.has(ref) ? [] : [ref];
    const set = saved.get(id);
    if (set === undefined) return [`${ref}, a run set that is not saved here`];
    return set.members.some((member) => found.has(member.ref ?? ""))
      ? []
      : [`${ref}, the run set ${set.name} of ${set.members.map(({ name }) => name).join(", ")}`];
  });
}

async function findRuns(
  store: IndexStore,
  refs: readonly string[],
  isCopy: boolean,
): Promise<ReadonlyMap<string, Run>> {
  const jobs = await readHeads(store, await readJobIds(store, refs.flatMap(listJobKeys)));
  const wanted = new Set(refs);
  return new Map(
    jobs.flatMap((job) =>
      listGroups(job).flatMap((found) => {
        const { group, setups, recordedPassAtK } = found.summary;
        const ref = groupRef(job.key, group.key);
        const run = { ref, job, path: job.path, ...found, group, setups, recordedPassAtK, isCopy };
        return wanted.has(ref) ? [[ref, run] as const] : [];
      }),
    ),
  );
}

/** A part whose key equals that of a whole group is left out. */
function listGroups({ groups }: JobHead) {
  const whole = groups.map((summary) => ({ summary, figureKey: summary.group.key }));
  const names = new Set(whole.map(({ figureKey }) => figureKey));
  const parts = groups.flatMap(({ group, setups }) =>
    (setups?.parts ?? []).map(({ summary }) => ({ summary, figureKey: group.key })),
  );
  return [...whole, ...parts.filter(({ summary }) => !names.has(summary.group.key))];
}

/** Cache key of figures: job versions are never reused. */
export function nameVersions(groups: readonly (FoundGroup & Pick<NamedRuns, "scoring">)[]) {
  return groups.map(({ id, runs, label, scoring }) => [
    id,
    runs.map(({ job }) => job.version),
    label,
    scoring ?? null,
  ]);
}

/**
 * Kysely wakes every query that waits for its connection. A first leaderboard of 232 groups took 1.95 s with all at once, 1.68 s
 * with 8.
 */
const GROUPS_AT_ONCE = 8;

/** @param whole - the store that has the copies among their runs */
export async function readChosenGroups(
  store: IndexStore,
  groups: readonly FoundGroup[],
  whole = store,
): Promise<readonly ChosenGroup[]> {
  const read = async (group: FoundGroup) => {
    const contents = await Promise.all(
      group.runs.map(({ job, group: { key }, figureKey, isCopy }) =>
        readGroupContent(isCopy ? whole : store, job, key, figureKey),
      ),
    );
    return { ...group, ...joinRuns(contents) };
  };
  const chosen: ChosenGroup[] = [];
  for await (const some of takeTurns(groups, GROUPS_AT_ONCE))
    chosen.push(...(await Promise.all(some.map(read))));
  return chosen;
}

const MOST_KEPT = MAX_GROUPS + 6;

const cacheOf = oncePer<IndexStore, ReturnType<typeof createCache<GroupContent>>>(() =>
  createCache(MOST_KEPT),
);

/** Reads the group `figureKey`, or its part `key`. Recent groups are cached, so that changing a setting reads nothing again. */
export async function readGroupContent(
  store: IndexStore,
  job: Pick<JobHead, "key" | "rowId" | "version">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  return cacheOf(store)(`${job.rowId} ${job.version} ${key}`, () => readContent(store, job, key, figureKey));
}

async function readContent(
  store: IndexStore,
  { key: jobKey, rowId: jobRowId }: Pick<JobHead, "key" | "rowId">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const [counted, setup, figures, suspicions, exclusions] = await Promise.all([
    readCountedTrials(store, { jobRowId, key }),
    readGroupSettings(store, { jobRowId, key }),
    countGroupFigures(store, { jobRowId, key: figureKey }),
    readSuspicions(store, jobRowId),
    readExclusions(store, { jobRowId, groupKey: figureKey }),
  ]);
  const trials = counted.map(({ uuid, sourceUuid, costUsd, ...trial }): ComparedTrial => ({
    ...trial,
    tokens: { costUsd },
    rollout: sourceUuid === undefined ? uuid : sourceUuid,
    isSuspect: suspicions.has(trial.key),
    exclusion: exclusions.get(trial.key) ?? null,
    jobKey,
  }));
  const ordered = trials.toSorted((a, b) => a.attempt - b.attempt);
  return { trials: key === figureKey ? ordered : renumber(ordered), figures, ...setup };
}
