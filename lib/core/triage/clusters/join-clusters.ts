import { compareText } from "@/lib/core/domain/compare-text";

import type { FailureCluster } from "./cluster-of";

export interface StoredCluster extends Pick<FailureCluster, "key" | "scope" | "pattern"> {
  readonly kind: string;
  readonly firstSeenMs: number | null;
}

const SIMILAR = 0.6;

/**
 * Joins near-duplicates: equal kind, scope and codes (such as exit codes), and at least 60 % of shingles shared. Named clusters
 * come first, then the oldest, then by key. Each joins the most similar earlier one that joined none itself (the first of equals),
 * or stays alone. So a named cluster never joins another, it keeps its name, and input order does not matter.
 * Include named clusters without trials: they keep their near-duplicates. A prefix filter finds near-duplicates exactly, so that
 * not all pairs are compared.
 * @param shapeOf - {@link describePattern}, or a cache of it: it takes most of the time
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

class Heads {
  private readonly heads: { readonly key: string; readonly shingles: ReadonlySet<string> }[] = [];
  private readonly byShingle = new Map<string, number[]>();

  add(key: string, { shingles, prefix }: PatternShape): void {
    for (const shingle of prefix) {
      const places = this.byShingle.get(shingle);
      if (places === undefined) this.byShingle.set(shingle, [this.heads.length]);
      else places.push(this.heads.length);
    }
    this.heads.push({ key, shingles });
  }

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

export type PatternShape = ReturnType<typeof describePattern>;

export function describePattern(pattern: string) {
  const shingles = listShingles(pattern);
  return { codes: listCodes(pattern), shingles, prefix: listPrefix(shingles) };
}

function listCodes(pattern: string): readonly string[] {
  return pattern.match(/(?<![\w.-])\d+(?![\w.-])/gu) ?? [];
}

/** Words, and pairs of neighbours without comma or colon between (names in a list). Ignores case and slot kinds. */
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

/** Returns the first shingles in a fixed order, without the share that may be missing. */
function listPrefix(shingles: ReadonlySet<string>): readonly string[] {
  return [...shingles].toSorted(compareText).slice(0, shingles.size - Math.ceil(SIMILAR * shingles.size) + 1);
}

function computeShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let nShared = 0;
  for (const shingle of a) if (b.has(shingle)) nShared++;
  const nAll = a.size + b.size - nShared;
  return nAll === 0 ? 1 : nShared / nAll;
}
