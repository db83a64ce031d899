import "server-only";
import { LRUCache } from "lru-cache";

import { StoreError } from "@/lib/core/domain/app-error";
import { compareText } from "@/lib/core/domain/compare-text";
import type { ClusterKind } from "@/lib/core/triage/clusters/cluster-of";
import { describePattern, joinClusters, type PatternShape } from "@/lib/core/triage/clusters/join-clusters";
import {
  type AnnotationStore,
  getAnnotationStore,
  readTriageNotes,
  type TriageNotes,
} from "@/lib/people/annotations";
import { type IndexStore, readClusterTexts } from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import { type ClusterMembers, findTime, readTriageParts } from "../triage/parts";

interface ClusterText {
  readonly key: string;
  readonly kind: ClusterKind;
  readonly scope: string;
  readonly pattern: string;
}

/** A cluster before near-duplicates are joined. */
interface SingleCluster extends ClusterText, Pick<ClusterMembers, "firstSeenMs" | "lastSeenMs"> {
  readonly nTrials: number;
}

/** Kind, scope and pattern are those of the cluster that the others joined. */
export interface Cluster extends SingleCluster {
  readonly name: string | null;
  /** Its own key first, then those of joined near-duplicates. The index stores these keys. */
  readonly keys: readonly string[];
}

export interface Clusters {
  /** Most trials first, then by key. Excludes named clusters without a trial in the open folders. */
  readonly clusters: readonly Cluster[];
  /** Maps each key of the index, including a cluster's own, to the key of its cluster. */
  readonly headOf: ReadonlyMap<string, string>;
}

const keep = createGenerationCache(2);

/** Joins near-duplicates; cached until jobs or names change. @throws StoreError of the index */
export async function readClusters(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Clusters> {
  const [state, notes] = await Promise.all([readJobsState(store), readNotesOrNull(annotations)]);
  const name = JSON.stringify([annotations.place, notes?.version ?? null]);
  return keep(state, name, async () =>
    combine(await listSingle(state), notes?.names ?? new Map(), listDismissed(notes)),
  );
}

/** Expands cluster keys to all joined keys, as trials have them. Unknown keys are kept. */
export async function listJoinedKeys(store: IndexStore, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const { clusters } = await readClusters(store);
  const joined = new Map(clusters.map((cluster) => [cluster.key, cluster.keys]));
  return keys.flatMap((key) => joined.get(key) ?? [key]);
}

/** Returns null if the notes cannot be read, which the frame of each page reports. */
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

/** Texts by cluster key. The key is derived from the text, so a new job is queried for unknown keys only. */
const texts = new LRUCache<string, ClusterText>({ max: 10_000 });

/** Shapes of patterns, about 5 kB each. */
const shapes = new LRUCache<string, PatternShape>({ max: 3_000, memoMethod: describePattern });

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

/** Lists clusters of dismissed findings, whose keys contain a class and a cluster. They keep their identity, as named ones do. */
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
