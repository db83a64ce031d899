import { countPageBytes } from "@/lib/core/domain/page-bytes";
import { formatReward } from "@/lib/core/format/number";
import { type CorrelationPair, describeUnavailable } from "@/lib/core/stats";

/** Bytes of names in the texts of all pairs; beyond it the texts have the numbers of rows. */
const MAX_WORDS_BYTES = 300_000;

/** The lower triangle: row `i` has the cells with the dimensions before it. */
export type CorrelationMatrix = ReturnType<typeof prepareCorrelationMatrix>;

export function prepareCorrelationMatrix(
  names: readonly string[],
  stored: { readonly r: readonly (number | CorrelationPair["reason"])[]; readonly n: readonly number[] },
) {
  // n (n - 1) / 2 pairs.
  const size = Math.round((1 + Math.sqrt(1 + 8 * stored.r.length)) / 2);
  const usualN = findCommonest(stored.n) ?? 0;
  const placeOf = (first: number, second: number) =>
    first * size - (first * (first + 1)) / 2 + second - first - 1;
  const nameBytes = names.slice(0, size).reduce((sum, name) => sum + countPageBytes(name), 0);
  // Each name is in the text of all of its pairs.
  const nameOf = (place: number) =>
    size * nameBytes > MAX_WORDS_BYTES ? `dimension ${place + 1}` : (names[place] ?? "");
  const rows = Array.from({ length: size }, (_, second) =>
    Array.from({ length: second }, (__, first): CorrelationCell => {
      const place = placeOf(first, second);
      const pair = `${nameOf(first)} and ${nameOf(second)}`;
      return prepareCell(pair, stored.r[place] ?? null, stored.n[place] ?? 0, usualN);
    }),
  );
  const reasons = stored.r.filter((r) => typeof r === "string");
  const counts = Map.groupBy(reasons, (reason) => reason);
  return {
    names: names.slice(0, size),
    rows,
    usualN,
    reasons: Array.from(counts, ([reason, all]) => ({
      words: describeUnavailable(reason),
      count: all.length,
    })).sort((a, b) => b.count - a.count),
  };
}

export type CorrelationCell = ReturnType<typeof prepareCell>;

function prepareCell(pair: string, r: number | CorrelationPair["reason"], n: number, usualN: number) {
  const shownN = n === usualN ? null : n;
  if (typeof r !== "number") {
    const why = r === null ? "" : `: ${describeUnavailable(r)}`;
    return { text: null, strength: 0, n: shownN, title: `${pair}: no correlation${why}, n = ${n}` };
  }
  return {
    // Rounded before it is formatted, so that nothing is minus zero.
    /** Two decimals and a true minus; null without a correlation. */
    text: formatReward(Math.round(r * 100) / 100 + 0, 2),
    /** Strength in fifths, 0 to 5, for the tint. */
    strength: Math.min(5, Math.floor(Math.abs(r) * 5 + 1e-9)),
    n: shownN,
    title: `${pair}: r = ${formatReward(r)}, n = ${n}`,
  };
}

function findCommonest(values: readonly number[]): number | null {
  const groups = [...Map.groupBy(values, (value) => value)];
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}
