import "server-only";
import { LRUCache } from "lru-cache";

import { unlessUnreadable } from "@/lib/core/domain/app-error";
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
type SingleCluster = Awaited<ReturnType<typeof listSingle>>[number];

export type Clusters = ReturnType<typeof combine>;
export type Cluster = Clusters["clusters"][number];

const keep = createGenerationCache(2);

/** Joins near-duplicates; cached until jobs or names change. */
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
export function readNotesOrNull(annotations: AnnotationStore = getAnnotationStore()) {
  return unlessUnreadable(() => readTriageNotes(annotations), null);
}

/** Texts by cluster key. The key is derived from the text, so a new job is queried for unknown keys only. */
const texts = new LRUCache<string, ClusterText>({ max: 10_000 });

/** Shapes of patterns, about 5 kB each. */
const shapes = new LRUCache<string, PatternShape>({ max: 3_000, memoMethod: describePattern });

async function listSingle(state: JobsState) {
  const { parts } = await readTriageParts(state);
  const all = parts.flatMap(({ clusters }) => [...clusters]);
  const membersOf = Map.groupBy(all, ([key]) => key);
  const known = new Map([...membersOf.keys()].flatMap((key) => [[key, texts.get(key)] as const]));
  const unknown = [...membersOf].flatMap(([key, [first]]) =>
    known.get(key) === undefined && first !== undefined ? first[1].place : [],
  );
  for (const text of unknown.length === 0 ? [] : await readClusterTexts(state.store, unknown)) {
    texts.set(text.key, text);
    known.set(text.key, text);
  }
  return [...membersOf]
    .flatMap(([key, own]) => {
      const text = known.get(key);
      return text === undefined ? [] : { ...text, ...addUp(own.map(([, members]) => members)) };
    })
    .toSorted((a, b) => compareText(a.key, b.key));
}

function addUp(own: readonly Pick<ClusterMembers, "nTrials" | "firstSeenMs" | "lastSeenMs">[]) {
  const [first, last] = [own.map(({ firstSeenMs }) => firstSeenMs), own.map(({ lastSeenMs }) => lastSeenMs)];
  const nTrials = own.reduce((sum, one) => sum + one.nTrials, 0);
  return { nTrials, firstSeenMs: findTime(first, Math.min), lastSeenMs: findTime(last, Math.max) };
}

/** Lists clusters of dismissed findings, whose keys contain a class and a cluster. They keep their identity, as named ones do. */
function listDismissed(notes: TriageNotes | null): readonly string[] {
  return [...(notes?.dismissals.values() ?? [])].flatMap(({ key, reason }) =>
    reason === null ? [] : (key.split(" ")[1] ?? []),
  );
}

/**
 * Lists clusters with most trials first, then by key, without named ones that have no trial in the open folders. `headOf` maps each
 * key of the index, including a cluster's own, to the key of its cluster.
 */
function combine(rows: readonly SingleCluster[], names: TriageNotes["names"], dismissed: readonly string[]) {
  const known = new Set(rows.map(({ key }) => key));
  const named = [...names.values()].filter(({ name }) => name !== null);
  const absent = named.flatMap(({ key, cluster }) =>
    known.has(key) ? [] : { key, ...cluster, firstSeenMs: null },
  );
  const stay = new Set([...named.map(({ key }) => key), ...dismissed]);
  const headOf = joinClusters([...rows, ...absent], stay, (pattern) => shapes.memo(pattern));
  const about = new Map([...absent, ...rows].map((one) => [one.key, one]));
  const clusters = [...Map.groupBy(rows, ({ key }) => headOf.get(key) ?? key)].flatMap(([key, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, scope } = first;
    // Kind, scope and pattern are those of the cluster that the others joined.
    const pattern = about.get(key)?.pattern ?? first.pattern;
    const name = names.get(key)?.name ?? null;
    const joined = own.map((one) => one.key).filter((one) => one !== key);
    return [{ key, kind, scope, pattern, name, keys: [key, ...joined], ...addUp(own) }];
  });
  return { clusters: clusters.toSorted((a, b) => b.nTrials - a.nTrials || (a.key < b.key ? -1 : 1)), headOf };
}
