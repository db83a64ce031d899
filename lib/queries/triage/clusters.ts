import "server-only";

import { LRUCache } from "lru-cache";

import {
  type AnnotationStore,
  getAnnotationStore,
  readTriageNotes,
  type TriageNotes,
} from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import { compareText } from "@/lib/domain/compare-text";
import { type IndexStore, readClusterTexts } from "@/lib/store";
import type { ClusterKind } from "@/lib/triage/clusters/cluster-of";
import { describePattern, joinClusters, type PatternShape } from "@/lib/triage/clusters/join-clusters";

import { createGenerationCache } from "../shell/cache";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import { type ClusterMembers, findTime, readTriageParts, STATES_KEPT } from "./parts";

/** What a cluster is told by, see `FailureCluster` of lib/triage. */
interface ClusterText {
  readonly key: string;
  readonly kind: ClusterKind;
  readonly scope: string;
  readonly pattern: string;
}

/** A cluster by itself, before near-duplicates are joined. */
interface SingleCluster extends ClusterText, Pick<ClusterMembers, "firstSeenMs" | "lastSeenMs"> {
  readonly nTrials: number;
}

/** A cluster with its near-duplicates. Kind, scope and pattern are those of the one that the others joined. */
export interface Cluster extends SingleCluster {
  /** What people call it; null without a name. */
  readonly name: string | null;
  /** Keys of all that are joined, its own first; the index knows trials by these. */
  readonly keys: readonly string[];
}

export interface Clusters {
  /** Most trials first, then by key; named clusters without a trial in the open folders are not among them. */
  readonly clusters: readonly Cluster[];
  /** Key of the cluster that each key of the index belongs to, and its own for those. */
  readonly headOf: ReadonlyMap<string, string>;
}

const keep = createGenerationCache(2, STATES_KEPT);

/**
 * All clusters, near-duplicates joined; cached until jobs or names change.
 *
 * @param jobs - their state; as it is now where it is absent
 * @throws StoreError of the index
 */
export async function readClusters(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
  jobs?: JobsState,
): Promise<Clusters> {
  const [state, notes] = await Promise.all([jobs ?? readJobsState(store), readNotesOrNull(annotations)]);
  const name = JSON.stringify([annotations.place, notes?.version ?? null]);
  return keep(state, name, async () =>
    combine(await listSingle(state), notes?.names ?? new Map(), listDismissed(notes)),
  );
}

/** The keys of some clusters and of all that are joined to them, as trials have them; those that are none stay. */
export async function listJoinedKeys(store: IndexStore, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const { clusters } = await readClusters(store);
  const joined = new Map(clusters.map((cluster) => [cluster.key, cluster.keys]));
  return keys.flatMap((key) => joined.get(key) ?? [key]);
}

/** What people say of clusters and findings; null when it cannot be read, which the frame around every page says. */
export async function readNotesOrNull(
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<TriageNotes | null> {
  try {
    return await readTriageNotes(annotations);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** Texts of clusters by key, which is made of them: a job that comes is asked for those alone that no other has. */
const texts = new LRUCache<string, ClusterText>({ max: 10_000 });

/** Shapes of patterns, about 5 kB each. */
const shapes = new LRUCache<string, PatternShape>({ max: 3_000, memoMethod: describePattern });

/** Every cluster by itself, by key. */
async function listSingle(state: JobsState): Promise<readonly SingleCluster[]> {
  const { store } = state;
  const { parts } = await readTriageParts(state);
  const membersOf = new Map<string, ClusterMembers[]>();
  for (const { clusters } of parts)
    for (const [key, members] of clusters) {
      const own = membersOf.get(key);
      if (own === undefined) membersOf.set(key, [members]);
      else own.push(members);
    }
  const known = new Map(
    [...membersOf.keys()].flatMap((key) => {
      const text = texts.get(key);
      return text === undefined ? [] : [[key, text]];
    }),
  );
  const unknown = [...membersOf].flatMap(([key, [first]]) =>
    known.has(key) || first === undefined ? [] : first.place,
  );
  for (const text of unknown.length === 0 ? [] : await readClusterTexts(store, unknown)) {
    texts.set(text.key, text);
    known.set(text.key, text);
  }
  return [...membersOf]
    .flatMap(([key, own]) => {
      const text = known.get(key);
      if (text === undefined) return [];
      return {
        ...text,
        nTrials: own.reduce((sum, { nTrials }) => sum + nTrials, 0),
        ...findSpan(own),
      };
    })
    .toSorted((a, b) => compareText(a.key, b.key));
}

/** From the first to the last of what several have; null where none knows. */
function findSpan(own: readonly Pick<ClusterMembers, "firstSeenMs" | "lastSeenMs">[]) {
  return {
    firstSeenMs: findTime(
      own.map(({ firstSeenMs }) => firstSeenMs),
      Math.min,
    ),
    lastSeenMs: findTime(
      own.map(({ lastSeenMs }) => lastSeenMs),
      Math.max,
    ),
  };
}

/** Clusters of dismissed findings, whose keys are a class and a cluster: they stay what they are as named ones do. */
function listDismissed(notes: TriageNotes | null): readonly string[] {
  return [...(notes?.dismissals.values() ?? [])].flatMap(({ key, reason }) =>
    reason === null ? [] : (key.split(" ")[1] ?? []),
  );
}

function combine(
  rows: readonly SingleCluster[],
  names: TriageNotes["names"],
  dismissed: readonly string[],
): Clusters {
  const known = new Set(rows.map(({ key }) => key));
  const named = [...names.values()].filter(({ name }) => name !== null);
  const absent = named.flatMap(({ key, cluster }) =>
    known.has(key) ? [] : { key, ...cluster, firstSeenMs: null },
  );
  const stay = new Set([...named.map(({ key }) => key), ...dismissed]);
  const headOf = joinClusters([...rows, ...absent], stay, (pattern) => shapes.memo(pattern));
  const about = new Map([...absent, ...rows].map((one) => [one.key, one]));
  const clusters = [...Map.groupBy(rows, ({ key }) => headOf.get(key) ?? key)].flatMap(
    ([key, own]): readonly Cluster[] => {
      const [first] = own;
      if (first === undefined) return [];
      const { kind, scope } = first;
      return [
        {
          key,
          kind,
          scope,
          pattern: about.get(key)?.pattern ?? first.pattern,
          name: names.get(key)?.name ?? null,
          keys: [key, ...own.flatMap((one) => (one.key === key ? [] : one.key))],
          nTrials: own.reduce((sum, { nTrials }) => sum + nTrials, 0),
          ...findSpan(own),
        },
      ];
    },
  );
  return { clusters: clusters.toSorted((a, b) => b.nTrials - a.nTrials || (a.key < b.key ? -1 : 1)), headOf };
}
