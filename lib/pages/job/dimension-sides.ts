import "server-only";
import {
  checkRuns,
  markMixed,
  nameKind,
  nameRuns,
  type SingleRun,
  suggestRunSets,
} from "@/lib/core/comparison";
import { compareNames } from "@/lib/core/domain/compare-text";
import { groupRef } from "@/lib/pages/address/href";
import { listRunSets, writeRunSet } from "@/lib/pages/compare/address";
import type { DimensionsParams } from "@/lib/pages/job/address";
import type { ViewStore } from "@/lib/people/views";
import { type IndexStore, type JobHead, readHeads } from "@/lib/store/tables";

import { type FoundGroup, findGroups, nameVersions, readChosenGroups } from "../compare/groups";
import type { Dataset } from "../datasets/list";
import { nameWithAgent } from "../run-sets/runs";
import { listSavedSets } from "../run-sets/saved";
import { createCache } from "../shell/cache";
import type { IdentityOf } from "../shell/catalog";
import { readSetValues } from "./dimension-values";

export interface DimensionChoice {
  readonly refs: readonly string[];
  readonly name: string;
}

const MOST_CHOICES = 100;

export async function readDimensionSides(
  {
    store,
    datasets,
    identityOf,
    views,
  }: {
    readonly store: IndexStore;
    readonly datasets: readonly Pick<Dataset, "groups">[];
    readonly identityOf: IdentityOf;
    readonly views?: ViewStore;
  },
  job: JobHead,
  request: Pick<DimensionsParams, "beside" | "pooled">,
) {
  const own = datasets.filter(({ groups }) => groups.some(({ jobRowId }) => jobRowId === job.rowId));
  const groups = own.flatMap((dataset) => dataset.groups);
  const heads = await readHeads(store, [...new Set(groups.map(({ jobRowId }) => jobRowId))]);
  const byId = new Map(heads.map((head) => [head.rowId, head]));
  const runs = groups.flatMap((group) => {
    const head = byId.get(group.jobRowId);
    return head === undefined
      ? []
      : [{ ref: groupRef(head.key, group.key), jobName: head.name, kind: nameKind(group), job: head, group }];
  });
  const sets = await listSets(store, runs, views);
  const isOwn = new Set(runs.flatMap((run) => (run.job.rowId === job.rowId ? [run.ref] : [])));
  const isOfDataset = new Set(runs.map(({ ref }) => ref));
  const find = async (asked: readonly string[], refs: ReadonlySet<string>) => {
    const [first] = listRunSets(asked);
    if (first === undefined) return null;
    const { chosen } = await findGroups(store, writeRunSet(first), identityOf, views);
    const set = chosen.find((one) => one.runs.some(({ ref }) => refs.has(ref)));
    return set === undefined ? ("unknown" as const) : readSet(store, set);
  };
  const jobs = heads.filter(({ rowId }) => rowId !== job.rowId);
  const [asked = null] = request.beside;
  const otherJob = request.beside.length === 1 ? jobs.find(({ key }) => key === asked) : undefined;
  return {
    poolChoices: sets
      .filter(({ members }) => members.some((ref) => isOwn.has(ref)))
      .map(({ refs, name }) => ({ refs, name })),
    besideChoices: [
      ...sets.map(({ refs, name }) => ({ refs, name })),
      ...jobs.slice(0, MOST_CHOICES).map(({ key, name }) => ({ refs: [key], name })),
    ],
    /** Run set shown instead of the job. Null for the job itself, `unknown` if the URL names no set with it. */
    pooled: await find(request.pooled, isOwn),
    other: otherJob ?? (await find(request.beside, isOfDataset)),
  };
}

async function listSets(
  store: IndexStore,
  runs: readonly (SingleRun & Parameters<typeof nameOf>[0][number])[],
  views: ViewStore | undefined,
) {
  const { sets } = await listSavedSets(store, views);
  const byRef = new Map(runs.map((run) => [run.ref, run]));
  const saved = sets
    .map(({ ref, name, members }) => ({
      refs: [ref],
      name,
      members: members.flatMap((one) => one.ref ?? []),
    }))
    .filter(({ members }) => members.some((ref) => byRef.has(ref)));
  const isSaved = new Set(saved.flatMap(({ members }) => members));
  const suggested = suggestRunSets(
    runs.filter(({ ref }) => !isSaved.has(ref)).toSorted((a, b) => compareNames(a.jobName, b.jobName)),
  ).map((members) => ({
    refs: writeRunSet(members),
    name: nameOf(members.flatMap((ref) => byRef.get(ref) ?? [])),
    members,
  }));
  return [...saved, ...suggested];
}

function nameOf(
  runs: readonly { readonly job: JobHead; readonly group: { readonly agent: string } }[],
): string {
  return nameWithAgent(nameRuns(runs.map(({ job }) => job.name)), runs);
}

/** Two sides of this page and of the previous one. */
const keepSets = createCache<Awaited<ReturnType<typeof prepareSet>>>(4);

/** Its name and agents are those of its runs. The identity of the first depends on all jobs, so it is not cached. */
export type DimensionSet = Awaited<ReturnType<typeof readSet>>;

/** Cached until its jobs change. */
async function readSet(store: IndexStore, found: FoundGroup) {
  const version = JSON.stringify(nameVersions([found]));
  return { ...(await keepSets(version, () => prepareSet(store, found))), identity: found.identity };
}

async function prepareSet(store: IndexStore, found: FoundGroup) {
  const [chosen] = await readChosenGroups(store, [found]);
  if (chosen === undefined) throw new Error("A found group has its trials");
  const { id, refs, runs, contents } = chosen;
  // A side shows one set alone, so its name needs no agent.
  const label = chosen.givenName ?? nameOf(runs);
  const kinds = new Map(
    runs.map(({ group: { agent, model } }) => [JSON.stringify([agent, model]), { agent, model }]),
  );
  return {
    key: id,
    refs,
    name: markMixed({ ...chosen, label }).label,
    runs: runs.map(({ job, group, figureKey }) => ({ job, group, figureKey })),
    agents: [...kinds.values()],
    checks: checkRuns(chosen),
    /** Trials left out because an earlier run has the same rollout. */
    nKnown: contents.reduce((sum, { nKnown }) => sum + nKnown, 0),
    values: await readSetValues(store, chosen, id),
  };
}
