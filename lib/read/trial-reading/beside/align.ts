import { findCommonSubsequence } from "./common-subsequence";

export type AlignKeys = readonly string[];

export interface AlignedRow {
  readonly a: number | null;
  readonly b: number | null;
  readonly shared: number | null;
}

/**
 * Pairs as many entries as possible by their first key, then the rest between those pairs by the next key. Each sequence keeps its
 * order; unpaired entries of `a` come before those of `b`.
 * @param a - all entries have the same number of keys
 * @remarks Time and memory as in {@link findCommonSubsequence}, for each key.
 */
export function alignSequences(a: readonly AlignKeys[], b: readonly AlignKeys[]): readonly AlignedRow[] {
  const rows: AlignedRow[] = [];
  const nKeys = a[0]?.length ?? b[0]?.length ?? 0;
  alignPart({ a, b, nKeys, rows }, { fromA: 0, toA: a.length, fromB: 0, toB: b.length }, 0);
  return rows;
}

interface Alignment {
  readonly a: readonly AlignKeys[];
  readonly b: readonly AlignKeys[];
  readonly nKeys: number;
  readonly rows: AlignedRow[];
}

interface Part {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

function alignPart(all: Alignment, part: Part, key: number): void {
  const { fromA, toA, fromB, toB } = part;
  if (key === all.nKeys || fromA === toA || fromB === toB) {
    for (let at = fromA; at < toA; at++) all.rows.push({ a: at, b: null, shared: null });
    for (let at = fromB; at < toB; at++) all.rows.push({ a: null, b: at, shared: null });
    return;
  }
  const numbers = new Map<string, number>();
  const number = (keys: AlignKeys): number => {
    const text = keys[key] ?? "";
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const pairs = findCommonSubsequence(
    all.a.slice(fromA, toA).map(number),
    all.b.slice(fromB, toB).map(number),
  );
  let [nextA, nextB] = [fromA, fromB];
  for (const [i, j] of pairs) {
    alignPart(all, { fromA: nextA, toA: fromA + i, fromB: nextB, toB: fromB + j }, key + 1);
    all.rows.push({ a: fromA + i, b: fromB + j, shared: key });
    [nextA, nextB] = [fromA + i + 1, fromB + j + 1];
  }
  alignPart(all, { fromA: nextA, toA, fromB: nextB, toB }, key + 1);
}
