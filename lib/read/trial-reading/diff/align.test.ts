import fc from "fast-check";
import { expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { alignSequences, findCommonSubsequence } from "./align";

/** Length of the longest common subsequence by the table that textbooks have. */
function measureByTable(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const entry of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(entry === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Few kinds of entries have many equal ones; more than 32 of them cross the words of the bit set. */
const sequence = fc
  .integer({ min: 1, max: 40 })
  .chain((kinds) => fc.array(fc.integer({ min: 0, max: kinds }), { maxLength: 100 }));
const RUNS = planRuns({ short: 200, long: 20_000 });

it("finds as many pairs as the textbook's table, each of equal entries, ascending in both", () => {
  const property = fc.property(sequence, sequence, (a, b) => {
    const pairs = findCommonSubsequence(a, b);
    expect(pairs).toHaveLength(measureByTable(a, b));
    for (const [at, [i, j]] of pairs.entries()) {
      const [nextI, nextJ] = pairs[at + 1] ?? [Infinity, Infinity];
      expect(a[i]).toBe(b[j]);
      expect(i < nextI && j < nextJ).toBe(true);
    }
  });
  fc.assert(property, RUNS);
});

it("finds as many where one row of scores is many words long", () => {
  const random = new Random("few kinds");
  const make = () => Array.from({ length: 700 }, () => Math.floor(random.unit() * 3));
  for (const [a, b] of [[make(), make()] as const, [make(), make().slice(0, 300)] as const])
    expect(findCommonSubsequence(a, b)).toHaveLength(measureByTable(a, b));
});

it("puts every entry into one row, in its order, with the narrowest key that the two share", () => {
  const keyed = fc.array(fc.tuple(fc.constantFrom("x", "y"), fc.constantFrom("1", "2", "3")), {
    maxLength: 30,
  });
  const property = fc.property(keyed, keyed, (a, b) => {
    const keysOf = (list: typeof a) => list.map(([kind, detail]) => [`${kind}${detail}`, kind]);
    const rows = alignSequences(keysOf(a), keysOf(b));
    expect(rows.flatMap((row) => row.a ?? [])).toEqual([...a.keys()]);
    expect(rows.flatMap((row) => row.b ?? [])).toEqual([...b.keys()]);
    const pairs = rows.flatMap((row) => {
      const [one, other] = [a[row.a ?? -1], b[row.b ?? -1]];
      return one === undefined || other === undefined ? [] : [[one, other] as const];
    });
    for (const [one, other] of pairs) expect(one[0]).toBe(other[0]);
    const number = ([kind, detail]: (typeof a)[number]) => "xy".indexOf(kind) * 3 + Number(detail);
    const nEqual = pairs.filter(([one, other]) => number(one) === number(other)).length;
    expect(nEqual).toBe(findCommonSubsequence(a.map(number), b.map(number)).length);
  });
  fc.assert(property, RUNS);
});

it("pairs the common beginning, and by a wider key the entries between equal ones", () => {
  const keys = (text: string) =>
    Array.from(text, (letter) => [letter, letter.toUpperCase() === letter ? "u" : "l"]);
  const show = (a: string, b: string) =>
    alignSequences(keys(a), keys(b))
      .map((row) => `${a[row.a ?? -1] ?? "-"}${b[row.b ?? -1] ?? "-"}`)
      .join(" ");
  // The second "ab" has as many pairs, and is not what both begin with.
  expect(show("ab", "abab")).toBe("aa bb -a -b");
  expect(show("aXYb", "aPb")).toBe("aa XP Y- bb");
  expect(show("", "ab")).toBe("-a -b");
});
