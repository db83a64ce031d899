import { compareText } from "@/lib/domain/compare-text";

import type { FailureCluster } from "./cluster-of";

/** A cluster among others. */
export interface StoredCluster extends Pick<FailureCluster, "key" | "scope" | "pattern"> {
  /** A `ClusterKind`, perhaps of another release. */
  readonly kind: string;
  /** When its first trial began, ms since 1970-01-01; null where that is known of none, and where no trial is left. */
  readonly firstSeenMs: number | null;
}

export interface PatternShape {
  /** Numbers that it keeps, in their order: near-duplicates have the same. */
  readonly codes: readonly string[];
  readonly shingles: ReadonlySet<string>;
  /** Shingles of which two patterns that are alike share one. */
  readonly prefix: readonly string[];
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
 * @param shapeOf - {@link describePattern}, or what remembers what it said: that is most of the time this takes
 * @returns the key of the cluster that each belongs to, its own for those that joined none
 */
export function joinClusters(
  clusters: readonly StoredCluster[],
  named: ReadonlySet<string>,
  shapeOf: (pattern: string) => PatternShape = describePattern,
): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  const blocks = Map.groupBy(clusters, ({ kind, scope, pattern }) =>
    JSON.stringify([kind, scope, ...shapeOf(pattern).codes]),
  );
  for (const block of blocks.values()) {
    const heads = new Heads();
    for (const { key, pattern } of block.toSorted((a, b) => compareRank(a, b, named))) {
      if (joined.has(key)) continue;
      const shape = shapeOf(pattern);
      const head = named.has(key) ? null : heads.findAlike(shape);
      if (head === null) heads.add(key, shape);
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

  add(key: string, { shingles, prefix }: PatternShape): void {
    for (const shingle of prefix) {
      const places = this.byShingle.get(shingle);
      if (places === undefined) this.byShingle.set(shingle, [this.heads.length]);
      else places.push(this.heads.length);
    }
    this.heads.push({ key, shingles });
  }

  /** The most similar one that is alike, the first of several; null without any. */
  findAlike({ shingles, prefix }: PatternShape): string | null {
    const places = new Set(prefix.flatMap((shingle) => this.byShingle.get(shingle) ?? []));
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

/** Takes a pattern apart; linear in it. */
export function describePattern(pattern: string): PatternShape {
  const shingles = listShingles(pattern);
  return { codes: listCodes(pattern), shingles, prefix: listPrefix(shingles) };
}

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

/** The first ones in one order, all but the share that may be missing. */
function listPrefix(shingles: ReadonlySet<string>): readonly string[] {
  return [...shingles].toSorted(compareText).slice(0, shingles.size - Math.ceil(SIMILAR * shingles.size) + 1);
}

function computeShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let nShared = 0;
  for (const shingle of a) if (b.has(shingle)) nShared++;
  const nAll = a.size + b.size - nShared;
  return nAll === 0 ? 1 : nShared / nAll;
}
