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

export interface ClusterMember extends ClusterTrialRow {
  /** One per slot of the cluster's pattern; null if its own pattern has other slots. */
  readonly values: readonly string[] | null;
  /** Positions of slots whose value differs from the example's. */
  readonly different: ReadonlySet<number>;
}

/** Members with the same difference from the example: in the pattern, in values, or none. */
export interface MemberGroup {
  readonly kind: "pattern" | "values" | "same";
  readonly members: readonly ClusterMember[];
}

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

function compare(trial: ClusterTrialRow, typical: ClusterTrialRow): ClusterMember {
  if (trial.clusterKey !== typical.clusterKey) return { ...trial, values: null, different: new Set() };
  const different = trial.slots.flatMap((value, at) => (value === typical.slots[at] ? [] : at));
  return { ...trial, values: trial.slots, different: new Set(different) };
}

function groupMembers(members: readonly ClusterMember[], typical: ClusterTrialRow): readonly MemberGroup[] {
  const kinds = ["pattern", "values", "same"] as const;
  const byKind = Map.groupBy(members, ({ clusterKey, different }): MemberGroup["kind"] => {
    if (clusterKey !== typical.clusterKey) return "pattern";
    return different.size > 0 ? "values" : "same";
  });
  return kinds.flatMap((kind) => {
    const own = byKind.get(kind)?.toSorted((a, b) => b.different.size - a.different.size);
    return own === undefined ? [] : [{ kind, members: own }];
  });
}
