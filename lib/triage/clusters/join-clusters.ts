import { compareText } from "@/lib/domain/compare-text";

import type { FailureCluster } from "./cluster-of";

/** A cluster among others. */
export interface StoredCluster extends Pick<FailureCluster, "key" | "scope" | "pattern"> {
  /** A `ClusterKind`, perhaps of another release. */
  readonly kind: string;
  /** When its first trial began, ms since 1970-01-01; null where that is known of none, and where no trial is left. */
  readonly firstSeenMs: number | null;
}

/** Share of shingles of either that both must have: intersection over union. */
const SIMILAR = 0.6;

/**
 * Joins near-duplicates: kind, scope and all codes, such as exit codes, are the same, and of the shingles of both patterns at least 60 % are shared. Named clusters
 * come first, then the oldest, then by key; each joins the most similar one before it that joined none itself (of equally similar
 * ones the first), or stays by itself. So a named cluster never joins another, a name stays with its cluster whatever comes, and the
 * order in which clusters are given means nothing.
 *
 * Give it named clusters that have no trial just now as well: they keep their near-duplicates. Near-duplicates are found exactly, by
 * shingles that such a pair must share (prefix filter), so that not all pairs are compared.
 *
 * @returns the key of the cluster that each belongs to, its own for those that joined none
 */
export function joinClusters(
  clusters: readonly StoredCluster[],
  named: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  const blocks = Map.groupBy(clusters, ({ kind, scope, pattern }) =>
    JSON.stringify([kind, scope, ...listCodes(pattern)]),
  );
  for (const block of blocks.values()) {
    const heads = new Heads();
    for (const { key, pattern } of block.toSorted((a, b) => compareRank(a, b, named))) {
      if (joined.has(key)) continue;
      const shingles = listShingles(pattern);
      const head = named.has(key) ? null : heads.findAlike(shingles);
      if (head === null) heads.add(key, shingles);
      joined.set(key, head ?? key);
    }
  }
  return joined;
}

function compareRank(a: StoredCluster, b: StoredCluster, named: ReadonlySet<string>): number {
  const byName = Number(named.has(b.key)) - Number(named.has(a.key));
  if (byName !== 0) return byName;
  // Unknown times come last.
  const [first, second] = [a.firstSeenMs ?? Infinity, b.firstSeenMs ?? Infinity];
  return first === second ? compareText(a.key, b.key) : first - second;
}

/** Clusters that others may join, found by shingles. */
class Heads {
  private readonly heads: { readonly key: string; readonly shingles: ReadonlySet<string> }[] = [];
  /** Places in `heads` by each shingle of their prefix. */
  private readonly byShingle = new Map<string, number[]>();

  add(key: string, shingles: ReadonlySet<string>): void {
    for (const shingle of listPrefix(shingles)) {
      const places = this.byShingle.get(shingle);
      if (places === undefined) this.byShingle.set(shingle, [this.heads.length]);
      else places.push(this.heads.length);
    }
    this.heads.push({ key, shingles });
  }

  /** The most similar one that is alike, the first of several; null without any. */
  findAlike(shingles: ReadonlySet<string>): string | null {
    const places = new Set(listPrefix(shingles).flatMap((shingle) => this.byShingle.get(shingle) ?? []));
    let best: { readonly key: string; readonly share: number } | null = null;
    for (const place of [...places].toSorted((a, b) => a - b)) {
      const head = this.heads[place];
      const share = head === undefined ? 0 : computeShare(head.shingles, shingles);
      if (head !== undefined && share >= SIMILAR && share > (best?.share ?? 0))
        best = { key: head.key, share };
    }
    return best?.key ?? null;
  }
}

/** Numbers that a pattern keeps, in their order. */
function listCodes(pattern: string): readonly string[] {
  return pattern.match(/(?<![\w.-])\d+(?![\w.-])/gu) ?? [];
}

/**
 * Words of a pattern, and pairs of neighbours with neither comma nor colon between them: names in a list have no neighbours. Upper
 * and lower case, and slots of different kinds, are the same.
 */
function listShingles(pattern: string): ReadonlySet<string> {
  const parts = pattern
    .toLowerCase()
    .replace(/⟨[a-z]+⟩/gu, " ⟨⟩ ")
    .split(/[,:;]/u);
  const shingles = parts.flatMap((part) => {
    const words = part.match(/[\p{L}\p{N}_]+|⟨⟩/gu) ?? [];
    return [...words, ...words.slice(1).map((word, at) => `${words[at] ?? ""} ${word}`)];
  });
  return new Set(shingles);
}

/** Two sets that are alike share a shingle of these: the first ones of each in one order, all but the share that may be missing. */
function listPrefix(shingles: ReadonlySet<string>): readonly string[] {
  return [...shingles].toSorted(compareText).slice(0, shingles.size - Math.ceil(SIMILAR * shingles.size) + 1);
}

function computeShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const nShared = [...a].filter((shingle) => b.has(shingle)).length;
  const nAll = a.size + b.size - nShared;
  return nAll === 0 ? 1 : nShared / nAll;
}
