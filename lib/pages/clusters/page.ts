import "server-only";
import { sumBy } from "@/lib/core/domain/sum-by";
import { splitPattern } from "@/lib/core/triage/clusters/pattern";
import { type AnnotationStore, getAnnotationStore } from "@/lib/people/annotations";
import {
  type AttemptCount,
  type ClusterTrialRow,
  countAttempts,
  type IndexStore,
  readClusterTrials,
} from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";
import { readJobsState } from "../shell/jobs-state";
import { readClusters, readNotesOrNull } from "./clusters";

export type ClusterMember = ReturnType<typeof compare>;
export type MemberGroup = ReturnType<typeof groupMembers>[number];

export type ClusterPage = NonNullable<Awaited<ReturnType<typeof readClusterPage>>>;

/** Returns null for an unknown key, or without a trial in the open folders. */
export async function readClusterPage(
  store: IndexStore,
  key: string,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const [{ clusters, headOf }, notes] = await Promise.all([
    readClusters(store, annotations),
    readNotesOrNull(annotations),
  ]);
  const cluster = clusters.find((one) => one.key === (headOf.get(key) ?? key));
  if (cluster === undefined) return null;
  const trials = await readClusterTrials(store, cluster.keys);
  const [first] = trials;
  if (first === undefined) return null;
  const tasks = new Set(trials.map(({ taskName }) => taskName));
  const attempts = (await readAttempts(store)).filter(({ taskName }) => tasks.has(taskName));
  const typical = findTypical(trials, first);
  const members = trials.map((trial) => compare(trial, typical));
  const countBy = (nameOf: (row: Pick<ClusterTrialRow, "agent" | "model" | "jobRowId">) => string) => {
    const nAttempts = sumBy(attempts, nameOf, ({ nTrials }) => nTrials);
    return [...Map.groupBy(trials, nameOf)].flatMap(([name, rows]) =>
      rows.slice(0, 1).map((of) => ({ of, nTrials: rows.length, nAttempts: nAttempts.get(name) ?? 0 })),
    );
  };
  return {
    cluster,
    named: notes?.names.get(cluster.key) ?? null,
    /** Text and slot kinds of the example's own pattern, which may be that of a near-duplicate. */
    pattern: splitPattern(typical.pattern),
    example: compare(typical, typical),
    groups: groupMembers(members, typical),
    byAgent: countBy(({ agent, model }) => JSON.stringify([agent, model])).toSorted(
      (a, b) => b.nTrials - a.nTrials,
    ),
    byJob: countBy(({ jobRowId }) => String(jobRowId)),
    byTask: [...sumBy(trials, ({ taskName }) => taskName)].toSorted((a, b) => b[1] - a[1]),
  };
}

const keep = createGenerationCache(1);

/** Clusters of many tasks count nearly all trials, so this is cached until a job changes. */
async function readAttempts(store: IndexStore): Promise<readonly AttemptCount[]> {
  return keep(await readJobsState(store), "attempts", () => countAttempts(store));
}

function findTypical(trials: readonly ClusterTrialRow[], first: ClusterTrialRow): ClusterTrialRow {
  const nOfKey = sumBy(trials, ({ clusterKey }) => clusterKey);
  const most = Math.max(...nOfKey.values());
  const typical = trials.filter(({ clusterKey }) => nOfKey.get(clusterKey) === most);
  const own = typical.filter(({ clusterKey }) => clusterKey === typical[0]?.clusterKey);
  const nOfValue = sumBy(
    own.flatMap(({ slots }) => slots.map((value, at) => `${String(at)} ${value}`)),
    (value) => value,
  );
  const score = ({ slots }: ClusterTrialRow) =>
    slots.reduce((sum, value, at) => sum + (nOfValue.get(`${String(at)} ${value}`) ?? 0), 0);
  return own.reduce((best, trial) => (score(trial) > score(best) ? trial : best), own[0] ?? first);
}

/** `different` are the positions of slots whose value differs from the example's. */
function compare(trial: ClusterTrialRow, typical: ClusterTrialRow) {
  // Its own pattern may have other slots.
  const values = trial.clusterKey === typical.clusterKey ? trial.slots : null;
  const different = values?.flatMap((value, at) => (value === typical.slots[at] ? [] : at));
  return { ...trial, values, different: new Set(different) };
}

const DIFFERENCES = ["pattern", "values", "same"] as const;

/** Groups members by their difference from the example: in the pattern, in values, or none. */
function groupMembers(members: readonly ClusterMember[], typical: ClusterTrialRow) {
  const byKind = Map.groupBy(members, ({ clusterKey, different }): (typeof DIFFERENCES)[number] => {
    if (clusterKey !== typical.clusterKey) return "pattern";
    return different.size > 0 ? "values" : "same";
  });
  return DIFFERENCES.flatMap((kind) => {
    const own = byKind.get(kind)?.toSorted((a, b) => b.different.size - a.different.size);
    return own === undefined ? [] : [{ kind, members: own }];
  });
}
