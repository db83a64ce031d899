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

/** Returns null for an unknown key, or without a trial in the open folders. @throws StoreError of the index */
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
  const count = <Of>(
    rows: readonly ClusterTrialRow[],
    of: Of,
    isOf: (row: (typeof attempts)[number]) => boolean,
  ) => ({
    of,
    nTrials: rows.length,
    nAttempts: attempts.filter(isOf).reduce((sum, { nTrials }) => sum + nTrials, 0),
  });
  const byAgent = [...Map.groupBy(trials, ({ agent, model }) => JSON.stringify([agent, model])).values()];
  const byJob = [...Map.groupBy(trials, ({ jobRowId }) => jobRowId).values()];
  return {
    cluster,
    named: notes?.names.get(cluster.key) ?? null,
    /** Text and slot kinds of the example's own pattern, which may be that of a near-duplicate. */
    pattern: splitPattern(typical.pattern),
    example: compare(typical, typical),
    groups: groupMembers(members, typical),
    byAgent: byAgent
      .flatMap((rows) => {
        const [one] = rows;
        if (one === undefined) return [];
        return count(rows, one, (row) => row.agent === one.agent && row.model === one.model);
      })
      .toSorted((a, b) => b.nTrials - a.nTrials),
    byJob: byJob.flatMap((rows) => {
      const [one] = rows;
      return one === undefined ? [] : count(rows, one, (row) => row.jobRowId === one.jobRowId);
    }),
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
  const groups: readonly MemberGroup[] = [
    { kind: "pattern", members: members.filter(({ clusterKey }) => clusterKey !== typical.clusterKey) },
    {
      kind: "values",
      members: members
        .filter(({ different }) => different.size > 0)
        .toSorted((a, b) => b.different.size - a.different.size),
    },
    {
      kind: "same",
      members: members.filter(
        ({ clusterKey, different }) => clusterKey === typical.clusterKey && different.size === 0,
      ),
    },
  ];
  return groups.filter((group) => group.members.length > 0);
}
